package io.trimtab.runtime.ports;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** How time is let pass. */
public interface Waiter {
  /**
   * Waits.
   *
   * @param stop ends the wait early when it says so; asked now and then
   * @return whether the whole time has passed; false where {@code stop} or an interrupt came first
   */
  boolean pause(Duration time, BooleanSupplier stop);

  /** Whether the calling thread was interrupted, which asks for an end like a kill switch. */
  boolean interrupted();
}
