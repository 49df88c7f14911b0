package io.trimtab.runtime.provision;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;

/** Waits while a cluster is made. */
record Control(Ports ports) {
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** The lock; that of a command that was killed is waited for. */
  ControlLock take(Engine engine) throws EngineException {
    long begunNs = ports.time().nanos();
    while (true) {
      try {
        return engine.takeControl(ports.owner());
      } catch (ControlTakenException e) {
        Duration most = e.endsWithin();
        if (most.isZero() || passed(begunNs).compareTo(most.plus(AGAIN)) > 0) {
          throw e;
        }
        pause();
      }
    }
  }

  /** A connection with a cluster whose first node has just been started. */
  Engine reach(FoundedCluster cluster, Duration limit) throws EngineException {
    long begunNs = ports.time().nanos();
    while (true) {
      try {
        return cluster.engine();
      } catch (EngineException e) {
        if (passed(begunNs).compareTo(limit) >= 0) {
          throw e;
        }
        pause();
      }
    }
  }

  private Duration passed(long begunNs) {
    return Duration.ofNanos(ports.time().nanos() - begunNs);
  }

  private void pause() throws EngineException {
    if (!ports.waiter().pause(AGAIN, () -> false)) {
      throw new EngineException("interrupted");
    }
  }
}
