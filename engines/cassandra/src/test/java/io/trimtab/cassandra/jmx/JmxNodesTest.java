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
    JmxNodes.add("192.0.2.7", Optional.empty());
    assertThatCode(() -> JmxNodes.require("192.0.2.7")).doesNotThrowAnyException();
    assertThatThrownBy(() -> JmxNodes.require("192.0.2.8"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("192.0.2.8, which is no node's address")
        .hasMessageContaining("java.rmi.server.hostname");
  }

  @Test
  void aCallThatAForgedAnswerSendsElsewhereIsNotMade() {
    assertThatThrownBy(
            () ->
                JmxSockets.within(
                    Duration.ofSeconds(5), () -> JmxSockets.connect("198.51.100.1", 7199)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("198.51.100.1, which is no node's address");
  }

  @Test
  void eachNodeHasItsOwnClustersTls() throws IOException {
    Tls one = new Tls(Optional.empty(), Optional.empty(), HostNames.ADDRESS);
    JmxNodes.add("192.0.2.21", Optional.of(one));
    JmxNodes.add("192.0.2.22", Optional.empty());
    assertThat(JmxNodes.tls("192.0.2.21")).containsSame(one);
    assertThat(JmxNodes.tls("192.0.2.22")).isEmpty();
    assertThat(JmxNodes.tls("192.0.2.23")).isEmpty();
  }
}
