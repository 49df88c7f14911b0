package io.trimtab.providers;

import io.trimtab.engineapi.EngineException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for what a provider can only ask about again and again. */
public final class Pause {
  private final long endNs;
  private final Duration between;

  /**
   * @param limit until the wait has failed
   * @param between time between two questions
   */
  public Pause(Duration limit, Duration between) {
    this.endNs = System.nanoTime() + limit.toNanos();
    this.between = between;
  }

  /** Whether the limit is not reached yet. */
  public boolean more() {
    return left().compareTo(Duration.ZERO) > 0;
  }

  /** Time until the limit; may be negative. */
  public Duration left() {
    return Duration.ofNanos(endNs - System.nanoTime());
  }

  /**
   * Lets the time between two questions pass.
   *
   * @param what is waited for, for the message of an interrupt
   */
  public void pass(String what) throws EngineException {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.max(0, Math.min(between.toNanos(), left().toNanos())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted: " + what, e);
    }
  }
}
