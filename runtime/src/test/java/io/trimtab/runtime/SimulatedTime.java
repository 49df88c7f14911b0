package io.trimtab.runtime;

import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.MonotonicTime;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.runtime.ports.Waiter;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Time that passes when somebody waits, and only then. */
public record SimulatedTime(VirtualClock clock) implements MonotonicTime, Waiter {
  /** With journals and kill switches in the home folder. */
  public static Ports ports(VirtualClock clock, Workers workers) {
    return ports(clock, workers, StateDir::of);
  }

  public static Ports ports(
      VirtualClock clock, Workers workers, Function<String, ClusterState> states) {
    SimulatedTime time = new SimulatedTime(clock);
    // Reports come over real sockets, in a simulation too; their server needs a thread.
    Executor listeners = SystemPorts.ports().listeners();
    return new Ports(clock, time, time, workers, listeners, "simulated", "1", states);
  }

  @Override
  public long nanos() {
    return Duration.between(VirtualClock.START, clock.instant()).toNanos();
  }

  @Override
  public boolean pause(Duration time, BooleanSupplier stop) {
    if (stop.getAsBoolean()) {
      return false;
    }
    if (!time.isNegative()) {
      clock.advance(time);
    }
    return true;
  }

  @Override
  public boolean interrupted() {
    return Thread.currentThread().isInterrupted();
  }
}
