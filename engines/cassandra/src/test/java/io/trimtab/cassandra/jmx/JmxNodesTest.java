package io.trimtab.cassandra.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Addresses of documentation (RFC 5737): nothing is connected. */
class JmxNodesTest {
  @Test
  void onlyNodesAreCalled() throws IOException {
    JmxNodes.add("192.0.2.7", 7199, Optional.empty());
    assertThatCode(() -> JmxNodes.require("192.0.2.7")).doesNotThrowAnyException();
    assertThatThrownBy(() -> JmxNodes.require("192.0.2.8"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("192.0.2.8, which is no node's address")
        .hasMessageContaining("java.rmi.server.hostname");
  }

  @Test
  void aNodeThatIsGoneIsNotCalledAnyMore() throws IOException {
    JmxNodes.add("192.0.2.31", 7199, Optional.empty());
    JmxNodes.add("192.0.2.31", 7299, Optional.empty());
    JmxNodes.remove("192.0.2.31", 7199);
    assertThatCode(() -> JmxNodes.require("192.0.2.31")).doesNotThrowAnyException();
    JmxNodes.remove("192.0.2.31", 7299);
    JmxNodes.remove("192.0.2.31", 7299);
    assertThatThrownBy(() -> JmxNodes.require("192.0.2.31")).isInstanceOf(IOException.class);
  }

  @Test
  void aCallThatAForgedAnswerSendsElsewhereIsNotMade() {
    assertThatThrownBy(
            () ->
                JmxSockets.within(
                    Duration.ofSeconds(5), 7199, () -> JmxSockets.connect("198.51.100.1", 7199)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("198.51.100.1, which is no node's address");
  }

  @Test
  void eachNodeHasItsOwnClustersTls() throws IOException {
    Tls one = new Tls(Optional.empty(), Optional.empty(), HostNames.ADDRESS);
    JmxNodes.add("192.0.2.21", 7199, Optional.of(one));
    JmxNodes.add("192.0.2.22", 7199, Optional.empty());
    assertThat(JmxNodes.tls("192.0.2.21", 7199)).containsSame(one);
    assertThat(JmxNodes.tls("192.0.2.21", 40_000)).as("its beans'").containsSame(one);
    assertThat(JmxNodes.tls("192.0.2.22", 7199)).isEmpty();
    assertThat(JmxNodes.tls("192.0.2.23", 7199)).isEmpty();
  }

  @Test
  void nodesOfTwoClustersAtOneAddressEachHaveTheirOwn() throws Exception {
    Tls one = new Tls(Optional.empty(), Optional.empty(), HostNames.ADDRESS);
    Tls two = new Tls(Optional.empty(), Optional.empty(), HostNames.NONE);
    JmxNodes.add("192.0.2.41", 7199, Optional.of(one));
    JmxNodes.add("192.0.2.41", 7299, Optional.of(two));
    JmxNodes.add("192.0.2.41", 7399, Optional.empty());
    assertThat(JmxNodes.tls("192.0.2.41", 7199)).containsSame(one);
    assertThat(JmxNodes.tls("192.0.2.41", 7299)).containsSame(two);
    assertThat(JmxNodes.tls("192.0.2.41", 7399)).isEmpty();

    Duration limit = Duration.ofSeconds(5);
    assertThat(JmxSockets.within(limit, 7199, () -> JmxNodes.tls("192.0.2.41", 40_000)))
        .as("its beans'")
        .containsSame(one);
    assertThat(JmxSockets.within(limit, 7299, () -> JmxNodes.tls("192.0.2.41", 40_000)))
        .containsSame(two);
  }
}
