package io.trimtab.simulator;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** The wall clock of a controller's host, which steps. */
final class SteppedClock extends Clock {
  private final Supplier<Instant> wall;

  SteppedClock(Supplier<Instant> wall) {
    this.wall = wall;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("virtual time is UTC");
  }

  @Override
  public Instant instant() {
    return wall.get();
  }
}
