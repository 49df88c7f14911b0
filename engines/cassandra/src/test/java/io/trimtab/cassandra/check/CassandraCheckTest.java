package io.trimtab.cassandra.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        user ? Optional.of(new Credentials("trimtab", () -> "secret")) : Optional.empty();
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

  /** What {@code connections.yaml} does not say is the driver's file's to be mended. */
  @Test
  void whatIsInTheDriversFileIsMendedThere() {
    Optional<Path> file = Optional.of(Path.of("own.conf"));
    CassandraContact both =
        CassandraContact.of("c1", 0).with(new Protection(Optional.empty(), Optional.empty(), file));
    String refused = "set user and password in advanced.auth-provider of own.conf";
    assertThat(mend(both, INCORRECT)).isEqualTo(refused);
    assertThat(mend(both, REQUIRED)).isEqualTo(refused);
    assertThat(mend(both, "Received fatal alert: certificate_required"))
        .startsWith("set the key store in advanced.ssl-engine-factory of own.conf");
    assertThat(mend(both, CLOSED)).endsWith("advanced.ssl-engine-factory of own.conf is theirs");

    CassandraContact ours = contact(true, true);
    CassandraContact neither =
        ours.with(new Protection(ours.protection().cql(), Optional.empty(), file));
    assertThat(mend(neither, INCORRECT)).startsWith("check that user trimtab exists");
    assertThat(mend(neither, "Received fatal alert: certificate_required"))
        .startsWith("set cql.tls.keyStore");
  }

  private static String version(String... versions) {
    return CassandraCheck.version(
            new CassandraVersions(Stream.of(versions).map(Version::parse).toList()))
        .text();
  }

  @Test
  void whatTheEngineWouldRefuseDoesNotPass() {
    assertThat(version("5.0.9", "5.0.8")).isEqualTo("ok      version: Cassandra 5.0.8 and 5.0.9");
    assertThat(version("3.11.19"))
        .startsWith(
            "FAILED  version: Cassandra 3.11.19 is not supported; 4.0, 4.1, 5.0 and 6.0 are;");
    assertThat(version("4.1.10", "5.0.9"))
        .startsWith("FAILED  version: nodes run Cassandra 4.1.10 and 5.0.9: ")
        .endsWith("; to mend it: end the upgrade of the ring");
  }

  private static Set<String> all(String resource) {
    return Stream.of("CREATE", "ALTER", "SELECT", "MODIFY")
        .map(permission -> permission + " " + resource)
        .collect(Collectors.toSet());
  }

  private static List<String> mends(Set<String> granted, boolean exists) {
    return CassandraCheck.permissions(granted, exists, "CREATE KEYSPACE …", "trimtab").stream()
        .filter(step -> !step.works())
        .map(ConnectionStep::mend)
        .toList();
  }

  @Test
  void eachPermissionThatIsMissingIsNamed() {
    Set<String> granted = new HashSet<>(all("<keyspace trimtab_control>"));
    granted.add("SELECT <keyspace system_views>");
    assertThat(mends(granted, true)).isEmpty();
    granted.remove("MODIFY <keyspace trimtab_control>");
    assertThat(mends(granted, true))
        .containsExactly("GRANT MODIFY ON KEYSPACE trimtab_control TO trimtab");
  }

  /** Cassandra leaves its own keyspaces out of what is granted on all. */
  @Test
  void whatIsGrantedOnAllKeyspacesIsNotGrantedOnCassandrasOwn() {
    assertThat(mends(all("<all keyspaces>"), true))
        .containsExactly("GRANT SELECT ON KEYSPACE system_views TO trimtab");
  }

  @Test
  void aKeyspaceIsMadeBeforeAnythingIsGrantedOnIt() {
    assertThat(mends(Set.of(), false))
        .hasSize(6)
        .startsWith("CREATE KEYSPACE …", "GRANT CREATE ON KEYSPACE trimtab_control TO trimtab");
    assertThat(mends(all("<all keyspaces>"), false))
        .containsExactly("GRANT SELECT ON KEYSPACE system_views TO trimtab");
  }

  @Test
  void permissionsThatCannotBeListedAreNotTakenForAll() {
    DriverException open =
        new InvalidQueryException(
            null, "LIST PERMISSIONS operation is not supported by AllowAllAuthorizer");
    DriverException anonymous =
        new UnauthorizedException(
            null, "You have to be logged in and not anonymous to perform this request");
    assertThat(CassandraCheck.unlisted(open, "trimtab").works()).isTrue();
    assertThat(CassandraCheck.unlisted(anonymous, "trimtab").works()).isTrue();

    ConnectionStep late = CassandraCheck.unlisted(new DriverTimeoutException("late"), "trimtab");
    assertThat(late.works()).isFalse();
    assertThat(late.detail()).isEqualTo("they can't be listed: late");
  }

  @Test
  void aUsersNameIsQuotedWhereItMustBe() {
    assertThat(CassandraCheck.named("trimtab")).isEqualTo("trimtab");
    assertThat(CassandraCheck.named("Ops-1\"")).isEqualTo("\"Ops-1\"\"\"");
  }
}
