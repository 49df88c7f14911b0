package io.trimtab.simulator.days;

import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Waiter;
import io.trimtab.runtime.ports.Workers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Ports of a loop that lives in virtual time, with its actions one after another. */
final class VirtualPorts {
  private VirtualPorts() {}

  /**
   * @param passes lets so much time pass, and stops the loop once its time is over
   */
  static Ports of(Clock clock, ClusterState state, Consumer<Duration> passes) {
    return new Ports(
        clock,
        () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos(),
        new Waits(passes),
        Workers.IN_TURN,
        Runnable::run,
        "days",
        "simulated",
        id -> state);
  }

  private record Waits(Consumer<Duration> passes) implements Waiter {
    @Override
    public boolean pause(Duration time, BooleanSupplier stop) {
      if (stop.getAsBoolean()) {
        return false;
      }
      passes.accept(time.isNegative() ? Duration.ZERO : time);
      return !stop.getAsBoolean();
    }

    @Override
    public boolean interrupted() {
      return false;
    }
  }
}
