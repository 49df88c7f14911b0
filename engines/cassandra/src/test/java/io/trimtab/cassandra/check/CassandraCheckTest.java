package io.trimtab.cassandra.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the check says mends what fails, by what the driver and the nodes say. */
class CassandraCheckTest {
  private static final String CLOSED =
      "Cassandra at c1:9042: Protocol initialization request, step 1 (OPTIONS): connection closed";
  private static final String INCORRECT =
      "Cassandra at c1:9042: Authentication error on node c1:9042: Provided username trimtab and/or"
          + " password are incorrect";

  private static final String REQUIRED =
      "Cassandra at c1:9042: Authentication error on node c1:9042: server requires authentication,"
          + " but no authenticator is configured";

  private static CassandraContact contact(boolean user, boolean tls) {
    Optional<Credentials> credentials =
        user ? Optional.of(new Credentials("trimtab", "secret")) : Optional.empty();
    Optional<Tls> secured =
        tls
            ? Optional.of(new Tls(Optional.empty(), Optional.empty(), HostNames.ADDRESS))
            : Optional.empty();
    return CassandraContact.of("c1", 0)
        .with(credentials, Optional.empty())
        .with(new Protection(secured, Optional.empty(), Optional.empty()));
  }

  private static String mend(CassandraContact contact, String says) {
    return CassandraCheck.mendOfLogin(contact, new EngineException(says));
  }

  @Test
  void aConnectionThatIsClosedWithoutTlsMayNeedItWhoeverAsks() {
    assertThat(mend(contact(true, false), CLOSED)).startsWith("set cql.tls");
    assertThat(mend(contact(false, false), CLOSED)).startsWith("set cql.tls");
    assertThat(mend(contact(false, true), CLOSED)).doesNotStartWith("set cql.tls");
  }

  @Test
  void aUserWhoIsRefusedIsNotALackOfTls() {
    assertThat(mend(contact(true, false), INCORRECT)).startsWith("check that user trimtab exists");
    assertThat(mend(contact(true, true), INCORRECT)).startsWith("check that user trimtab exists");
    assertThat(mend(contact(false, false), REQUIRED)).isEqualTo("set cql.user and cql.password");
  }
}
