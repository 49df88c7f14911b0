package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.connect.NoClusterException;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.Protection;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.testkit.secrets.TextForms;
import io.trimtab.testkit.tls.Keytool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HBaseContactTest {
  private static final String SECRET = "hunter2hunter2";

  @Test
  void zookeepersServersGetTheirPort() {
    assertThat(HBaseContact.of("a:2181").zookeeper()).isEqualTo("a:2181");
    assertThat(HBaseContact.of("a:1,b:2").zookeeper()).isEqualTo("a:1,b:2");
    assertThat(HBaseContact.of("a, b").zookeeper()).isEqualTo("a:2181,b:2181");
    assertThat(
            HBaseContact.of(
                    Map.of(
                        "hbase.zookeeper.quorum", "a,b",
                        "hbase.zookeeper.property.clientPort", "99"))
                .zookeeper())
        .isEqualTo("a:99,b:99");
  }

  @Test
  void aTargetWithoutAQuorumIsRefused() {
    assertThatThrownBy(() -> HBaseContact.of(Map.of()))
        .hasMessage("hbase.zookeeper.quorum is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"zk1:abc", "zk1:2181,zk2:", "zk1:70000", "zk1:-1"})
  void aPortThatIsNoneIsRefusedBeforeAnythingIsAsked(String servers) {
    assertThatThrownBy(() -> HBaseContact.of(servers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("ZooKeeper server zk[12]:\\S* has no valid port");
  }

  @Test
  void clientSettingsWinOverOurs() {
    Map<String, String> client = Map.of("hbase.zookeeper.quorum", "a", "hbase.client.pause", "7");

    assertThat(HBaseContact.of(client).configuration().get("hbase.client.pause")).isEqualTo("7");
  }

  @Test
  void anUnreachableClusterIsOneLineThatNamesTheHost() {
    // A port that is reserved and never served.
    HBaseContact target =
        new HBaseContact(
            Map.of("hbase.zookeeper.quorum", "127.0.0.1:1"),
            Optional.empty(),
            Duration.ofSeconds(1));

    assertThatThrownBy(() -> HBaseEngine.connect(target))
        .isInstanceOf(NoClusterException.class)
        .hasMessage("127.0.0.1:1: no ZooKeeper answers within 1 s");
  }

  /** Neither of the site files' passwords nor of the stores', which have been read. */
  @Test
  void noObjectOfAnOpenEngineShowsASecret(@TempDir Path folder) throws Exception {
    Keytool keytool = new Keytool(folder, SECRET);
    keytool.key("pages");
    Tls pages =
        new Tls(
            Optional.of(new Store(keytool.trust("pages"), () -> SECRET)),
            Optional.of(new Store(folder.resolve("pages.p12"), () -> SECRET)),
            HostNames.ADDRESS);
    assertThat(pages.context()).isNotNull();
    Kerberos user =
        new Kerberos(
            Optional.of("ann@EXAMPLE.COM"),
            Optional.of(folder.resolve("ann.keytab")),
            Optional.empty(),
            Optional.empty(),
            true);
    HBaseContact contact =
        HBaseContact.of(
                Map.of(
                    "hbase.zookeeper.quorum",
                    "zk",
                    "hbase.zookeeper.property.ssl.keyStore.password",
                    SECRET))
            .with(new Protection(Optional.of(user), Optional.of(true), Optional.of(pages)));
    Connection connection = FakeAdmin.of(Connection.class, (proxy, called, a) -> null);
    Admin admin = FakeAdmin.of(Admin.class, (proxy, called, a) -> connection);
    Cluster cluster = new Cluster(contact, Clocks.SYSTEM, connection, admin, admin);
    try (HBaseEngine engine = FakeAdmin.engine(cluster, new GivenLock())) {
      TextForms forms = TextForms.of(engine, List.of(SECRET));
      assertThat(forms.classes())
          .contains(
              HBaseContact.class.getName(),
              Kerberos.class.getName(),
              Protection.class.getName(),
              Store.class.getName(),
              "io.trimtab.host.tls.Tls$Loaded",
              "io.trimtab.hbase.pages.HttpJmx",
              "io.trimtab.hbase.zookeeper.ZooKeeperAccess");
      assertThat(forms.showing()).isEmpty();
    }
  }
}
