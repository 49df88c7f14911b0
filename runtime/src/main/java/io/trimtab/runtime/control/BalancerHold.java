package io.trimtab.runtime.control;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the engine's own balancing off while this controller is in charge, because it would undo a
 * placement within minutes, and gives it back in its earlier state. That state is kept with the
 * cluster, so that a successor, or {@code trimtab release}, gives it back too.
 */
public final class BalancerHold {
  private static final Logger LOG = LoggerFactory.getLogger(BalancerHold.class);

  /** How late a request that was given up may take effect. */
  public static final Duration LATE_EFFECTS = Duration.ofSeconds(10);

  /**
   * How long a request of an earlier controller may be under way after control was taken over,
   * before it is given up: more than the 15 s that HBase's client waits for an answer.
   */
  private static final Duration EARLIER_REQUESTS = Duration.ofSeconds(20);

  private final Engine engine;
  private final Tenure tenure;
  private final boolean wanted;
  private final BalancerPause pause;
  private final Ports ports;
  private Optional<BalancerState> before;

  /**
   * @param engine which changes nothing once control is lost
   * @param wanted whether balancing is to be off between plans, too
   * @param pause switches it off
   */
  public BalancerHold(
      Engine engine, Tenure tenure, boolean wanted, BalancerPause pause, Ports ports)
      throws EngineException {
    this.engine = engine;
    this.tenure = tenure;
    this.wanted = wanted;
    this.pause = pause;
    this.ports = ports;
    this.before = ControlDocuments.hold(engine.shared());
    // An earlier controller's request, too, may take effect late.
    if (before.isPresent() || tenure.journal().unfinished().isPresent()) {
      tenure.balancerUnsure(ports, EARLIER_REQUESTS.plus(LATE_EFFECTS));
    }
  }

  /** Ends what an earlier controller has begun, if it is not wanted any more. */
  public void begin() throws EngineException {
    if (!wanted) {
      release();
    }
  }

  /**
   * Switches balancing off again if somebody has switched it on. Nothing is held until the first
   * plan on a cluster: there is no placement yet to be undone.
   *
   * @throws EngineException as {@link #engageFor}
   */
  public void check(ClusterSnapshot seen) throws EngineException {
    if (before.isPresent() || tenure.journal().lastPlanEnded().isPresent()) {
      engageFor(seen);
    }
  }

  /**
   * Switches balancing off before something is done that was, or is to be, decided on what was
   * seen, if it is to be off between plans.
   *
   * @throws EngineException also if that is old by now
   */
  public void engageFor(ClusterSnapshot seen) throws EngineException {
    if (engage(seen)) {
      throw new EngineException(
          "the database was still moving partitions by itself; deciding again");
    }
  }

  /**
   * Switches balancing off, if it is to be off between plans.
   *
   * @return whether it was waited for the end of what the engine was moving, so that what was seen
   *     is old
   */
  public boolean engage(ClusterSnapshot seen) throws EngineException {
    if (!wanted || seen.balancer().equals(BalancerState.PAUSED)) {
      return false;
    }
    boolean again = before.isPresent();
    if (!again) {
      // First the record, so that a controller that is killed in between leaves it to be restored.
      tenure.lock().write(ControlDocuments.HOLD, ControlDocuments.hold(seen.balancer()));
      before = Optional.of(seen.balancer());
    }
    engine.setBalancer(BalancerState.PAUSED);
    tenure.record(new Entry.BalancerHeld(ports.clock().instant(), before.get(), again));
    LOG.info("the engine's own balancing was switched off{}", again ? " again" : "");
    BalancerPause.End end = pause.run();
    if (end == BalancerPause.End.STOPPED) {
      tenure.lock().require();
      throw new EngineException(
          "a stop was requested while the database may still have been moving partitions");
    }
    return end == BalancerPause.End.AFTER_A_WAIT;
  }

  /**
   * The state of balancing before anything was held.
   *
   * @param otherwise if it is not held
   */
  public BalancerState original(BalancerState otherwise) {
    return before.orElse(otherwise);
  }

  /**
   * The state of balancing between plans.
   *
   * @param otherwise if it is not held
   */
  public BalancerState between(BalancerState otherwise) {
    return before.isPresent() ? BalancerState.PAUSED : otherwise;
  }

  /** Gives balancing back in its earlier state; does nothing if it is not held. */
  public void release() throws EngineException {
    if (before.isEmpty()) {
      return;
    }
    engine.setBalancer(before.get());
    Duration unsure = tenure.balancerUnsure(ports);
    if (!unsure.isZero()) {
      ports.waiter().pause(unsure, () -> false);
      engine.setBalancer(before.get());
    }
    tenure.lock().write(ControlDocuments.HOLD, new byte[0]);
    BalancerState now = before.get();
    before = Optional.empty();
    try {
      tenure.record(new Entry.BalancerReleased(ports.clock().instant(), now));
    } catch (UserError e) {
      // It is given back all the same, and whoever is told otherwise would do it again.
      LOG.error("the journal does not have that balancing was given back", e);
    }
  }
}
