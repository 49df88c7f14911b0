package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.NoClusterException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraContactTest {
  @Test
  void hostsHaveCassandrasPortsUnlessOthersAreGiven() {
    CassandraContact contact = CassandraContact.of("127.0.0.1, 127.0.0.2:9999", 0);

    assertThat(contact.points())
        .containsExactly(
            new InetSocketAddress("127.0.0.1", 9042), new InetSocketAddress("127.0.0.2", 9999));
    assertThat(contact.jmxPort()).isEqualTo(7199);
    assertThat(contact.text()).isEqualTo("127.0.0.1:9042,127.0.0.2:9999");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "a,,b", ":1", "a:b", "a:-1", "a:70000"})
  void badHostsAreRefused(String hosts) {
    assertThatThrownBy(() -> CassandraContact.of(hosts, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .startsWith("not ");
  }

  /** A name that is given to another machine while this process runs is that machine's. */
  @Test
  void aNameIsLookedUpAnewForEachSession() {
    CassandraContact contact =
        new CassandraContact(
            List.of(InetSocketAddress.createUnresolved("localhost", 9042)),
            7199,
            Optional.empty(),
            Optional.empty());

    assertThat(contact.resolved()).noneMatch(InetSocketAddress::isUnresolved);
  }

  @Test
  void whereNobodyListensThereIsNoClusterAndElseNobodyKnows() throws IOException {
    CassandraContact refused = CassandraContact.of("127.0.0.1:1", 0);
    assertThatThrownBy(refused::session)
        .isInstanceOf(NoClusterException.class)
        .hasMessageStartingWith("Cassandra at 127.0.0.1:1: ");

    // It takes the connection, and says nothing.
    try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getByName("127.0.0.1"))) {
      CassandraContact unknown = CassandraContact.of("127.0.0.1:" + silent.getLocalPort(), 0);
      assertThatThrownBy(unknown::session)
          .isInstanceOf(EngineException.class)
          .isNotInstanceOf(NoClusterException.class);
    }
  }

  @Test
  void aFailureIsOneLineOfWhatItComesFrom() {
    Exception inner = new IllegalStateException("node is down\nand more");
    assertThat(CassandraErrors.line(new RuntimeException((String) null, inner)))
        .isEqualTo("node is down");
    assertThat(CassandraErrors.line(new RuntimeException(" "))).isEqualTo("RuntimeException");
    assertThat(NodeMode.of("127.0.0.1", 1)).isEqualTo(Optional.empty());
  }
}
