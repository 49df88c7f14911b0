package io.trimtab.runtime.provision;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.connect.NoClusterException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of which there may be nothing yet, or nothing any more, as its provider sees it: always
 * by the mark of its machines, whatever id it gives itself meanwhile. Thread-safe.
 */
public final class FoundedCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FoundedCluster.class);

  /** Connects with the cluster at its address. */
  @FunctionalInterface
  public interface Connect {
    Engine now() throws EngineException;
  }

  /** What it means that the cluster can't be asked. */
  private enum Silence {
    /** That there is none, where it is known that nobody listens at its address. */
    NOT_FOUNDED,
    /** Nothing. */
    AWAY,
    /** That it has ended. */
    ENDED
  }

  private final Connect connect;
  private final String mark;
  private final Clock clock;
  private Engine engine;
  private Silence silence = Silence.NOT_FOUNDED;

  public FoundedCluster(Connect connect, String mark, Clock clock) {
    this.connect = connect;
    this.mark = mark;
    this.clock = clock;
  }

  /**
   * From now on one that does not answer is no empty one: a node that was started with no other in
   * sight would found a second cluster, and one that can't be asked for is not known to be stopped.
   */
  synchronized void runs() {
    silence = Silence.AWAY;
  }

  /** From now on one that does not answer has ended: its last machine is being given back. */
  synchronized void ends() {
    silence = Silence.ENDED;
  }

  /**
   * The cluster as it is; without nodes if there is none.
   *
   * @throws EngineException if that is not known
   */
  public synchronized ClusterSnapshot look() throws EngineException {
    try {
      return seen();
    } catch (NoClusterException e) {
      if (silence == Silence.AWAY) {
        throw e;
      }
    } catch (EngineException e) {
      if (silence == Silence.AWAY) {
        throw e;
      }
      if (silence == Silence.NOT_FOUNDED) {
        throw new EngineException("whether there is a cluster is not known: " + e.getMessage(), e);
      }
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

  /** An earlier connection that fails does not tell whether anybody listens now. */
  private ClusterSnapshot seen() throws EngineException {
    if (engine != null) {
      try {
        return engine.snapshot().named(mark);
      } catch (EngineException e) {
        LOG.info("connected anew, as the connection has failed", e);
        close();
      }
    }
    return engine().snapshot().named(mark);
  }

  /** A connection, which lasts until this is closed. */
  synchronized Engine engine() throws EngineException {
    if (engine == null) {
      engine = connect.now();
    }
    return engine;
  }

  /** The same, but the caller's, who closes it: others connect anew; empty if nobody answers. */
  synchronized Optional<Engine> handedOver() {
    try {
      Engine own = engine();
      engine = null;
      return Optional.of(own);
    } catch (EngineException e) {
      LOG.info("the cluster does not answer", e);
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
