package io.trimtab.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until somebody advances it; never goes back. Thread-safe. */
public final class VirtualClock extends Clock {
  /** Where virtual time begins unless a test says otherwise. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicReference<Instant> now;

  public VirtualClock() {
    this(START);
  }

  public VirtualClock(Instant start) {
    now = new AtomicReference<>(start);
  }

  /**
   * @param by ≥ 0
   */
  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + by);
    }
    now.updateAndGet(t -> t.plus(by));
  }

  /** Nothing where that moment has passed. */
  public void advanceTo(Instant then) {
    now.updateAndGet(t -> then.isAfter(t) ? then : t);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("virtual time is UTC");
  }
}
