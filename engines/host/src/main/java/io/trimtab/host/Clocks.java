package io.trimtab.host;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time, as adapters are given it: none of them asks the system by itself.
 *
 * @param wall for people and files only; it may jump
 * @param nanos for durations: nanoseconds since some moment, never going back
 * @param sleeper waits
 */
public record Clocks(InstantSource wall, LongSupplier nanos, Sleeper sleeper) {
  public static final Clocks SYSTEM =
      new Clocks(
          InstantSource.system(),
          System::nanoTime,
          duration -> TimeUnit.NANOSECONDS.sleep(duration.toNanos()));

  /** Waits for so long. */
  @FunctionalInterface
  public interface Sleeper {
    void sleep(Duration duration) throws InterruptedException;
  }

  public long nowNs() {
    return nanos.getAsLong();
  }

  /** What is left of a limit that was set then; at least 1 ns, as waits demand it. */
  public Duration left(long sinceNs, Duration limit) {
    return Duration.ofNanos(Math.max(1, limit.toNanos() - (nowNs() - sinceNs)));
  }

  /**
   * Waits.
   *
   * @throws InterruptedIOException when the thread is interrupted; its mark stays
   */
  public void sleep(Duration duration) throws InterruptedIOException {
    try {
      sleeper.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
