package io.trimtab.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.engineapi.EngineException;
import io.trimtab.testkit.secrets.TextForms;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clusters of a file of connections as commands have them, once they were tried in vain: no secret
 * is in an object's text form, in the error or its causes, or in the log. Engines that are open are
 * looked at by their own tests, and by those on real clusters.
 */
@Timeout(60)
final class ConnectionSecretsTest {
  private static final String SECRET = "s3cr3t-W0rd";

  @TempDir private Path folder;

  @BeforeEach
  void files() throws Exception {
    Path password = Files.writeString(folder.resolve("pw"), SECRET + "\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    Keytool keytool = new Keytool(folder, SECRET);
    keytool.key("own");
    keytool.trust("own");
  }

  private void assertHides(String cluster, String... among) throws IOException {
    Path file = Files.writeString(folder.resolve("connections.yaml"), "clusters:\n" + cluster);
    ClusterChoice choice =
        ClusterChoice.of(List.of("--cluster", "shop", "--connections", file.toString()));
    try (CapturedLog log = new CapturedLog()) {
      Throwable failed = catchThrowable(choice::connect);
      assertThat(failed).isInstanceOf(EngineException.class);
      TextForms forms = TextForms.of(choice, List.of(SECRET));
      assertThat(forms.classes()).contains(among);
      assertThat(forms.showing()).isEmpty();
      assertThat(Throwables.getStackTrace(failed)).doesNotContain(SECRET);
      assertThat(log.text()).doesNotContain(SECRET);
    }
  }

  @Test
  void whatReachesACassandraIsNotShown() throws IOException {
    assertHides(
        """
          shop:
            cassandra:
              hosts: 127.0.0.1:1
              cql:
                user: ann
                password: file:pw
                tls:
                  trustStore: own-trust.p12
                  trustPassword: file:pw
                  keyStore: own.p12
                  keyPassword: file:pw
              jmx:
                user: ann
                password: file:pw
                tls: {keyStore: own.p12, keyPassword: "file:pw"}
        """,
        "io.trimtab.cassandra.CassandraContact",
        "io.trimtab.cassandra.CassandraContact$Credentials",
        "io.trimtab.formats.connections.TlsStores",
        "io.trimtab.host.tls.Tls$Loaded",
        "io.trimtab.config.Secret");
  }

  /** Its site files have passwords themselves. */
  @Test
  void whatReachesAnHBaseIsNotShown() throws IOException {
    Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        folder.resolve("conf/hbase-site.xml"),
        "<configuration>"
            + "<property><name>hbase.zookeeper.quorum</name><value>127.0.0.1:1</value></property>"
            + "<property><name>hbase.zookeeper.property.ssl.keyStore.password</name><value>"
            + SECRET
            + "</value></property></configuration>");
    assertHides(
        """
          shop:
            hbase:
              conf: conf
              kerberos: {principal: ann@EXAMPLE.COM, keytab: none.keytab}
              pages:
                https: true
                tls: {trustStore: own-trust.p12, trustPassword: "file:pw"}
        """,
        "io.trimtab.hbase.HBaseContact",
        "io.trimtab.hbase.security.Kerberos",
        "io.trimtab.formats.connections.HBaseConnection",
        "io.trimtab.host.tls.Tls$Store",
        "io.trimtab.config.Secret");
  }
}
