package io.trimtab.hbase.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KerberosErrorsTest {
  @TempDir private Path folder;

  /** Messages as the JDK has them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Clock skew too great (37) - PREAUTH | clock",
        "Client not found in Kerberos database (6) - CLIENT_NOT_FOUND | kerberos.principal",
        "Server not found in Kerberos database (7) - LOOKING_UP_SERVER | host name",
        "Pre-authentication information was invalid (24) | new keytab",
        "Checksum failed | new keytab",
        "Unable to obtain password from user | klist -kt",
        "/tmp/cache: no valid ticket in it of u@R: all have expired | kinit -R",
        "Ticket expired (32) - PROCESS_TGS | kinit -R",
        "Cannot locate KDC | krb5.conf",
        "Receive timed out | firewall",
        "No valid credentials provided: Failed to find any Kerberos tgt | kinit",
        "something else | kinit",
      })
  void eachHasOneThingThatMendsIt(String says, String mend) {
    assertThat(KerberosErrors.mend(says)).contains(mend).doesNotContain("\n");
  }

  @Test
  void aKeytabThatIsMissingIsNamedBeforeAnythingIsAsked() {
    Path keytab = folder.resolve("none.keytab");
    Kerberos how =
        new Kerberos(
            Optional.of("trimtab@EXAMPLE.COM"),
            Optional.of(keytab),
            Optional.empty(),
            Optional.empty(),
            true);
    assertThatThrownBy(() -> KerberosLogin.open(how, new Configuration(false)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(keytab + ": no such file");
    assertThat(how).hasToString("trimtab@EXAMPLE.COM by " + keytab);
  }
}
