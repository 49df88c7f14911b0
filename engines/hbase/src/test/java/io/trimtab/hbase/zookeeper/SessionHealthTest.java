package io.trimtab.hbase.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionHealthTest {
  private static final long TRUST_NS = Duration.ofSeconds(10).toNanos();
  private final SessionHealth health = new SessionHealth();

  @BeforeEach
  void connect() {
    health.agreed(Duration.ofSeconds(15));
  }

  @Test
  void aShortInterruptionIsBorne() {
    health.follow(KeeperState.SyncConnected, 0);
    health.follow(KeeperState.Disconnected, 100);

    assertThat(health.alive(100 + TRUST_NS - 1)).isTrue();
    assertThat(health.alive(100 + TRUST_NS)).isFalse();
    health.follow(KeeperState.SyncConnected, 100 + TRUST_NS);
    assertThat(health.alive(100 + 2 * TRUST_NS)).isTrue();
  }

  @Test
  void repeatedNewsOfTheSameInterruptionDoNotProlongIt() {
    health.follow(KeeperState.Disconnected, 0);
    health.follow(KeeperState.Disconnected, TRUST_NS - 1);

    assertThat(health.alive(TRUST_NS)).isFalse();
  }

  @Test
  void anExpiredSessionStaysLost() {
    health.follow(KeeperState.Expired, 0);
    health.follow(KeeperState.SyncConnected, 1);

    assertThat(health.alive(2)).isFalse();
  }
}
