package io.trimtab.hbase.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.Test;

class SessionHealthTest {
  private static final long TRUST_NS = Duration.ofSeconds(10).toNanos();
  private final SessionHealth health = new SessionHealth(Duration.ofSeconds(15), 0);

  @Test
  void aShortInterruptionIsBorne() {
    health.answered(100);
    health.follow(KeeperState.Disconnected);

    assertThat(health.alive(100 + TRUST_NS - 1)).isTrue();
    assertThat(health.alive(100 + TRUST_NS)).isFalse();
    health.follow(KeeperState.SyncConnected);
    assertThat(health.alive(100 + TRUST_NS)).as("connected, but nothing was answered").isFalse();
    health.answered(100 + TRUST_NS);
    assertThat(health.alive(100 + 2 * TRUST_NS - 1)).isTrue();
  }

  /** No event reaches a process while it is frozen, and none at once when it wakes up. */
  @Test
  void afterAFreezeItIsNotAliveThoughNothingWasHeardOfItsEnd() {
    health.answered(5);

    assertThat(health.alive(5 + 2 * TRUST_NS)).isFalse();
  }

  /** The answer to a request from before a freeze may be read after it. */
  @Test
  void anAnswerCountsFromWhenItsRequestWasSent() {
    health.answered(50);
    health.answered(20);

    assertThat(health.alive(50 + TRUST_NS - 1)).isTrue();
    assertThat(health.alive(50 + TRUST_NS)).isFalse();
  }

  @Test
  void anExpiredSessionStaysLost() {
    health.follow(KeeperState.Expired);
    health.answered(1);

    assertThat(health.alive(2)).isFalse();
  }
}
