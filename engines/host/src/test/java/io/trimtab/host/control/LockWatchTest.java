package io.trimtab.host.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For how long a lock is relied on, by a clock that the test moves. */
class LockWatchTest {
  private static final LockWatch.Renewal SILENT =
      new LockWatch.Renewal() {
        @Override
        public void renew() throws EngineException {
          throw new EngineException("no answer");
        }

        @Override
        public Set<String> stops() {
          return Set.of();
        }
      };

  private final AtomicLong nowNs = new AtomicLong();

  private void pass(long seconds) {
    nowNs.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void aLockIsReliedOnForTwoThirdsOfItsLeaseAfterTheLastAnsweredRequest() {
    try (LockWatch watch = watch()) {
      pass(7);
      assertThat(watch.held()).isTrue();
      long sentAtNs = nowNs.get();
      pass(3);
      // The answer came, and the request is three seconds old.
      watch.answered(sentAtNs);
      assertThat(watch.held()).isTrue();
      pass(4);
      assertThat(watch.held()).isTrue();
      pass(1);
      assertThat(watch.held()).isFalse();
    }
  }

  /** As after a suspension: the answer of before does not make it held again. */
  @Test
  void aLockThatWasLostIsNotRegained() {
    try (LockWatch watch = watch()) {
      pass(9);
      assertThat(watch.held()).isFalse();
      watch.answered(nowNs.get());
      assertThat(watch.held()).isFalse();
    }
  }

  /** As where a process has no file handles left: it must not go on as if no time passed. */
  @Test
  void aLockIsGivenUpWhereTheTimeCanNotBeTold() {
    boolean[] unreadable = {false};
    LongSupplier time =
        () -> {
          if (unreadable[0]) {
            throw new IllegalStateException("/proc/uptime can't be read");
          }
          return nowNs.get();
        };
    try (LockWatch watch =
        new LockWatch("test-lock", SILENT, Duration.ofSeconds(12), time, nowNs.get())) {
      assertThat(watch.held()).isTrue();
      unreadable[0] = true;
      assertThat(watch.held()).isFalse();
    }
  }

  private LockWatch watch() {
    return new LockWatch("test-lock", SILENT, Duration.ofSeconds(12), nowNs::get, nowNs.get());
  }

  @Test
  void timeGoesOnWhileTheMachineIsSuspended(@TempDir Path proc) throws Exception {
    Files.writeString(proc.resolve("uptime"), "100.50 190.00\n");
    SuspendAwareTime time = new SuspendAwareTime(proc, () -> 1);
    long before = time.getAsLong();
    // The kernel counts a suspension in its uptime.
    Files.writeString(proc.resolve("uptime"), "3700.50 190.00\n");
    assertThat(Duration.ofNanos(time.getAsLong() - before)).isEqualTo(Duration.ofHours(1));
    assertThat(new SuspendAwareTime(proc.resolve("none"), () -> 7).getAsLong()).isEqualTo(7);
    assertThat(new SuspendAwareTime(Path.of("/proc"), () -> -1).getAsLong()).isPositive();
  }
}
