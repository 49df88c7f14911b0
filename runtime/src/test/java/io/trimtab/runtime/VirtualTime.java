package io.trimtab.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Time that passes when somebody waits, and only then. */
final class VirtualTime extends Clock implements MonotonicTime, Waiter {
  private final Instant start;
  private final AtomicLong nanos = new AtomicLong();

  VirtualTime(Instant start) {
    this.start = start;
  }

  /** With journals and kill switches in the home folder. */
  Ports ports(Workers workers) {
    return ports(workers, StateDir::of);
  }

  Ports ports(Workers workers, Function<String, ClusterState> states) {
    return new Ports(this, this, this, workers, Runnable::run, "virtual", states);
  }

  @Override
  public Instant instant() {
    return start.plusNanos(nanos.get());
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public boolean pause(Duration time, BooleanSupplier stop) {
    if (stop.getAsBoolean()) {
      return false;
    }
    nanos.addAndGet(Math.max(0, time.toNanos()));
    return true;
  }

  @Override
  public boolean interrupted() {
    return Thread.currentThread().isInterrupted();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException();
  }
}
