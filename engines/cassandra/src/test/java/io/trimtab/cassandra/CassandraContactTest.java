package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
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

  @Test
  void aFailureIsOneLineOfWhatItComesFrom() {
    Exception inner = new IllegalStateException("node is down\nand more");
    assertThat(CassandraErrors.line(new RuntimeException((String) null, inner)))
        .isEqualTo("node is down");
    assertThat(CassandraErrors.line(new RuntimeException(" "))).isEqualTo("RuntimeException");
    assertThat(NodeMode.of("127.0.0.1", 1)).isEqualTo(Optional.empty());
  }
}
