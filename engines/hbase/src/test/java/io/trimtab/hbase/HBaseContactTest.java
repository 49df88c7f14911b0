package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.connect.NoClusterException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HBaseContactTest {

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
}
