package io.trimtab.host;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clocks of adapters, which do not read the system's time themselves.
 *
 * @param wall for display and files only; it may jump
 * @param nanos for durations: nanoseconds since an arbitrary moment, monotonic
 * @param sleeper waits
 */
public record Clocks(InstantSource wall, LongSupplier nanos, Sleeper sleeper) {
  public static final Clocks SYSTEM =
      new Clocks(
          InstantSource.system(),
          System::nanoTime,
          duration -> TimeUnit.NANOSECONDS.sleep(duration.toNanos()));

  /** Waits for a duration. */
  @FunctionalInterface
  public interface Sleeper {
    void sleep(Duration duration) throws InterruptedException;
  }

  public long nowNs() {
    return nanos.getAsLong();
  }

  /**
   * The remaining part of a time limit that started at {@code sinceNs}; at least 1 ns, as waits
   * require a positive time.
   */
  public Duration left(long sinceNs, Duration limit) {
    return Duration.ofNanos(Math.max(1, limit.toNanos() - (nowNs() - sinceNs)));
  }

  /**
   * Waits.
   *
   * @throws InterruptedIOException when the thread is interrupted; its interrupt status stays set
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
