package io.trimtab.runtime.provision;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * A cluster of which there may be nothing yet, or nothing any more, as its provider sees it: always
 * by the mark of its machines, whatever id it gives itself meanwhile. Thread-safe.
 */
public final class FoundedCluster implements AutoCloseable {

  /** Connects with the cluster at its address. */
  @FunctionalInterface
  public interface Connect {
    Engine now() throws EngineException;
  }

  private final Connect connect;
  private final String mark;
  private final Clock clock;
  private Engine engine;
  private boolean running;

  public FoundedCluster(Connect connect, String mark, Clock clock) {
    this.connect = connect;
    this.mark = mark;
    this.clock = clock;
  }

  /**
   * From now on one that does not answer is no empty one: a node that was started with no other in
   * sight would found a second cluster.
   */
  synchronized void runs() {
    running = true;
  }

  /** The cluster as it is; without nodes if nobody answers and none is known to run. */
  public synchronized ClusterSnapshot look() throws EngineException {
    try {
      return engine().snapshot().named(mark);
    } catch (EngineException e) {
      if (running) {
        throw e;
      }
      return new ClusterSnapshot(
          clock.instant(),
          mark,
          "",
          Ownership.TOKENS,
          "",
          1,
          List.of(),
          List.of(),
          0,
          List.of(),
          BalancerState.PAUSED,
          List.of());
    }
  }

  /** A connection, which lasts until this is closed. */
  synchronized Engine engine() throws EngineException {
    if (engine == null) {
      engine = connect.now();
    }
    return engine;
  }

  /** The same if the cluster answers. */
  Optional<Engine> answering() {
    try {
      return Optional.of(engine());
    } catch (EngineException e) {
      return Optional.empty();
    }
  }

  /** May be connected again. */
  @Override
  public synchronized void close() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }
}
