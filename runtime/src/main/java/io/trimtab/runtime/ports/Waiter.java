package io.trimtab.runtime.ports;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for durations. */
public interface Waiter {
  /**
   * Waits.
   *
   * @param stop polled; the wait ends early when it is true
   * @return whether the full time has passed; false if {@code stop} or an interrupt ended the wait
   */
  boolean pause(Duration time, BooleanSupplier stop);

  /** Whether the calling thread was interrupted, which has the effect of a kill switch. */
  boolean interrupted();
}
