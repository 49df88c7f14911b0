package io.trimtab.runtime;

import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link ControlStep} every period; a dry run unless {@code act} is set. Ends at the kill
 * switch, when its thread is interrupted, when it loses control of the cluster, and after {@code
 * plansMax} plans.
 */
public final class ControlLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);

  private final LoopContext context;
  private final Inputs inputs;
  private volatile boolean stopAsked;
  private volatile boolean stopSeen;

  /**
   * @throws io.trimtab.config.UserError where the settings name a model that can't be read
   */
  public ControlLoop(
      Engine engine,
      Optional<NodeProvider> provider,
      Settings settings,
      LoopListener listener,
      Ports ports,
      FaultPoints faults) {
    this.context = new LoopContext(engine, provider, settings, listener, ports, faults);
    this.inputs = new Inputs(engine, settings);
  }

  /** Requests the end of the loop, from another thread. */
  public void stop() {
    stopAsked = true;
  }

  /** Whether it ended because of a request, and not because the cluster was lost. */
  public boolean endedOnRequest() {
    return stopSeen;
  }

  /** The port for clients' reports while the loop runs with an agreement; −1 otherwise. */
  public int reportPort() {
    return inputs.reportPort();
  }

  /** As {@link #run(boolean, int, boolean, boolean)}, without waiting for control. */
  public Optional<Executor.Outcome> run(boolean act, int plansMax, boolean abandon)
      throws EngineException {
    return run(act, plansMax, abandon, false);
  }

  /**
   * Runs the loop.
   *
   * @param act whether plans are executed; false is a dry run
   * @param plansMax number of plans (including resumed ones; proposed ones in a dry run) after
   *     which it ends; 0 = never
   * @param abandon whether an unfinished plan of a killed controller is abandoned instead of
   *     resumed
   * @param standby whether it waits while another controller is in charge, and takes over when that
   *     one ends, dies or stands still; also after it has lost control itself
   * @return outcome of the last plan; empty if there was none
   * @throws io.trimtab.engineapi.ControlTakenException without {@code standby}, if another
   *     controller is in charge
   * @throws LostControlException without {@code standby}, if control was lost; the cluster is left
   *     as it is
   */
  public Optional<Executor.Outcome> run(boolean act, int plansMax, boolean abandon, boolean standby)
      throws EngineException {
    try (Inputs open = inputs.open(context.ports())) {
      // First of all: whoever asks for a stop from now on means this controller, too.
      Set<String> earlierStops = act ? context.engine().shared().stopRequests() : Set.of();
      String cluster = context.engine().snapshot().clusterId();
      ClusterState state = context.ports().states().apply(cluster);
      if (!act) {
        return dry(open, state, plansMax);
      }
      Succession succession =
          new Succession(context, Succession.RUN, state, earlierStops, () -> stopping(state));
      Count plans = new Count(plansMax);
      while (true) {
        Optional<Tenure> tenure = succession.begin(abandon, standby);
        if (tenure.isEmpty()) {
          return plans.last;
        }
        try (Tenure held = tenure.get()) {
          return acting(open, state, succession, held, plans, abandon);
        } catch (LostControlException e) {
          if (!standby) {
            throw e;
          }
          LOG.warn("waiting for control again", e);
        }
      }
    }
  }

  private Optional<Executor.Outcome> dry(Inputs open, ClusterState state, int plansMax)
      throws EngineException {
    try (Journal journal = state.dryJournal()) {
      ControlStep step = new ControlStep(context, open, journal, Optional.empty());
      return loop(step, new Count(plansMax), () -> stopping(state));
    }
  }

  private Optional<Executor.Outcome> acting(
      Inputs open,
      ClusterState state,
      Succession succession,
      Tenure tenure,
      Count plans,
      boolean abandon)
      throws EngineException {
    state.register();
    try {
      BooleanSupplier asked = () -> stopping(state) || asked(succession, tenure);
      BalancerHold hold =
          new BalancerHold(
              context.heldBy(tenure).engine(),
              tenure,
              context.settings().balancer() == BalancerMode.HOLD,
              context.ports());
      Executor executor =
          new Executor(
              context,
              tenure,
              asked,
              () -> state.undoAsked() || succession.undo(tenure.lock().stopRequests()),
              () -> succession.askedBy(tenure.lock().stopRequests()),
              hold::between);
      try {
        plans.resumed(recover(tenure.journal(), executor, abandon));
        hold.begin();
        ControlStep step =
            new ControlStep(
                context,
                open,
                tenure.journal(),
                Optional.of(new ControlStep.Acting(tenure, executor, hold)));
        loop(step, plans, () -> asked.getAsBoolean() || !tenure.lock().held());
      } finally {
        giveBack(tenure, hold);
      }
      if (!stopSeen) {
        tenure.lock().require();
      }
      return plans.last;
    } catch (LostControlException e) {
      tenure.lost(context.ports().clock().instant(), e.getMessage());
      throw e;
    } finally {
      state.unregister();
    }
  }

  /** Also after an error, since no controller is left here; a successor would hold it itself. */
  private static void giveBack(Tenure tenure, BalancerHold hold) {
    if (!tenure.lock().held()) {
      return;
    }
    try {
      hold.release();
    } catch (EngineException | RuntimeException e) {
      LOG.error("the engine's own balancing stays off; to restore it: trimtab release", e);
    }
  }

  /** Whether somebody asked for a stop through the cluster. */
  private boolean asked(Succession succession, Tenure tenure) {
    boolean asked = succession.asked(tenure.lock().stopRequests());
    stopSeen |= asked;
    return asked;
  }

  /** Plans so far. */
  private static final class Count {
    private final int max;
    private int plans;
    private Optional<Executor.Outcome> last = Optional.empty();

    Count(int max) {
      this.max = max;
    }

    void resumed(Optional<Executor.Outcome> outcome) {
      plans += outcome.isPresent() ? 1 : 0;
      last = outcome;
    }

    void add(ControlStep.Turn turn) {
      plans += turn.planned() ? 1 : 0;
      last = turn.outcome().or(() -> last);
    }

    boolean enough() {
      return max > 0 && plans >= max;
    }
  }

  private boolean stopping(ClusterState state) {
    boolean asked = stopAsked || state.stopAsked() || context.ports().waiter().interrupted();
    if (asked) {
      stopSeen = true;
    }
    return asked;
  }

  /** Handles an unfinished plan; returns its outcome if it was resumed. */
  private Optional<Executor.Outcome> recover(Journal journal, Executor executor, boolean abandon) {
    Optional<Journal.Unfinished> left = journal.unfinished();
    if (left.isEmpty()) {
      return Optional.empty();
    }
    Duration age = Duration.between(left.get().startedAt(), context.ports().clock().instant());
    if (abandon) {
      executor.abandon(left.get(), "--abandon was given");
    } else if (age.compareTo(context.settings().guard().planLimit()) > 0) {
      executor.abandon(left.get(), "it was started " + age.toMinutes() + " minutes ago");
    } else {
      context.listener().planned(left.get().plan(), true);
      return Optional.of(executor.resume(left.get()));
    }
    return Optional.empty();
  }

  private Optional<Executor.Outcome> loop(ControlStep step, Count plans, BooleanSupplier end)
      throws LostControlException {
    Ports ports = context.ports();
    Duration period = context.settings().observe().period();
    while (!plans.enough() && !end.getAsBoolean()) {
      long begun = ports.time().nanos();
      plans.add(step.step(ports.clock().instant()));
      if (!plans.enough()) {
        Duration spent = Duration.ofNanos(ports.time().nanos() - begun);
        ports.waiter().pause(period.minus(spent), end);
      }
    }
    return plans.last;
  }
}
