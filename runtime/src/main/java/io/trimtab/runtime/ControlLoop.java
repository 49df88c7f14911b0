package io.trimtab.runtime;

import io.trimtab.controller.guard.UnreadNodes;
import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.emptied.PutBack;
import io.trimtab.runtime.fleet.SharedUsage;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.journal.PlanOutcome;
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

  /** At a cluster whose nodes can't be read, before it is given up, and how long after another. */
  private static final int LOOKS = 3;

  private static final Duration AGAIN = Duration.ofSeconds(2);

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
    this(engine, provider, settings, listener, ports, faults, SharedUsage.NOBODY);
  }

  /**
   * The same of a cluster that shares machines with others.
   *
   * @param machines its part of them
   * @throws io.trimtab.config.UserError where the settings name a model that can't be read
   */
  public ControlLoop(
      Engine engine,
      Optional<NodeProvider> provider,
      Settings settings,
      LoopListener listener,
      Ports ports,
      FaultPoints faults,
      SharedUsage.Member machines) {
    this.inputs = new Inputs(engine, settings);
    this.context =
        new LoopContext(engine, provider, settings, listener, ports, faults)
            .with(inputs::clientsMs, machines);
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
   * @param plansMax number of plans (including resumed and abandoned ones; proposed ones in a dry
   *     run) after which it ends; 0 = never
   * @param abandon whether an unfinished plan of a killed controller is abandoned instead of
   *     resumed
   * @param standby whether it waits while another controller is in charge, and takes over when that
   *     one ends, dies or stands still; also after it has lost control itself
   * @return outcome of the last plan, or {@link PlanOutcome#UNFINISHED} if something of it, or the
   *     engine's own balancing, could not be put back; empty if there was none, or the last one was
   *     abandoned on request
   * @throws EngineException also if none of the nodes can be read at its beginning: nobody waits
   *     for a permission that lacks
   * @throws io.trimtab.engineapi.ControlTakenException without {@code standby}, if another
   *     controller is in charge
   * @throws LostControlException without {@code standby}, if control was lost; the cluster is left
   *     as it is
   */
  public Optional<Executor.Outcome> run(boolean act, int plansMax, boolean abandon, boolean standby)
      throws EngineException {
    try (Inputs open = inputs.open(context.ports())) {
      open.tooFewNodes().ifPresent(what -> context.listener().agreement("warning: " + what));
      // First of all: whoever asks for a stop from now on means this controller, too.
      Set<String> earlierStops = act ? context.engine().shared().stopRequests() : Set.of();
      String cluster = begin().clusterId();
      ClusterState state = context.ports().states().apply(cluster);
      if (!act) {
        return dry(open, state, plansMax);
      }
      Succession succession =
          new Succession(context, Succession.RUN, state, earlierStops, () -> stopping(state));
      // Also while it waits: who stops all of this machine means those that wait, too.
      state.register();
      try {
        return inTurn(open, state, succession, new Count(plansMax), abandon, standby);
      } finally {
        state.unregister();
      }
    }
  }

  /**
   * The first look. Where no node can be read, though the cluster could be changed, it is for want
   * of a permission or a certificate, unless one of the next looks is better.
   */
  private ClusterSnapshot begin() throws EngineException {
    for (int look = 1; true; look++) {
      ClusterSnapshot seen = context.engine().snapshot();
      Optional<String> unread = UnreadNodes.all(seen);
      if (unread.isEmpty() || !seen.blockers().isEmpty()) {
        return seen;
      }
      if (look == LOOKS || !context.ports().waiter().pause(AGAIN, () -> stopAsked)) {
        throw new EngineException(unread.get());
      }
    }
  }

  /** Acts when it is in control, and waits for that with {@code standby}. */
  private Optional<Executor.Outcome> inTurn(
      Inputs open,
      ClusterState state,
      Succession succession,
      Count plans,
      boolean abandon,
      boolean standby)
      throws EngineException {
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

  private Optional<Executor.Outcome> dry(Inputs open, ClusterState state, int plansMax)
      throws EngineException {
    open.recall(state).ifPresent(context.listener()::discarded);
    try (Journal journal = state.dryJournal(known(state))) {
      ControlStep step = new ControlStep(context, open, journal, Optional.empty());
      Optional<Executor.Outcome> last = loop(step, new Count(plansMax), () -> stopping(state));
      open.keep();
      return last;
    }
  }

  /**
   * What an acting controller would begin with; whoever may not read what is kept with the cluster
   * gets advice all the same.
   */
  private JournalState known(ClusterState state) {
    try {
      return ControlDocuments.read(context.engine().shared()).orRecorded(state);
    } catch (EngineException e) {
      LOG.warn("a dry run knows only what was recorded on this host", e);
      context
          .listener()
          .discarded(
              "it knows only what this host has recorded of earlier plans: " + e.getMessage());
      return JournalState.of(state.recorded());
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
    open.recall(state).ifPresent(context.listener()::discarded);
    try {
      BooleanSupplier asked = () -> stopping(state) || asked(succession, tenure);
      BalancerHold hold =
          new BalancerHold(
              context.heldBy(tenure).engine(),
              tenure,
              context.settings().balancer() == BalancerMode.HOLD,
              context.heldBy(tenure).pause(() -> asked.getAsBoolean() || !tenure.lock().held()),
              context.ports());
      Executor executor =
          new Executor(
              context,
              tenure,
              asked,
              () -> state.undoAsked() || succession.undo(tenure.lock().stopRequests()),
              () -> succession.askedBy(tenure.lock().stopRequests()),
              hold::between);
      executor.urgency().resume(open.busyBefore());
      try {
        // First of all: whatever is decided, or resumed, counts with all nodes.
        new PutBack(context, tenure, asked, hold::between).beforeDecisions();
        recover(tenure.journal(), executor, abandon)
            .ifPresent(outcome -> plans.resumed(outcome, abandon));
        hold.begin();
        ControlStep step =
            new ControlStep(
                context,
                open,
                tenure.journal(),
                Optional.of(new ControlStep.Acting(tenure, executor, hold)));
        loop(step, plans, () -> asked.getAsBoolean() || !tenure.lock().held());
        if (tenure.lock().held()) {
          step.end();
          open.keep();
        }
      } finally {
        giveBack(tenure, hold, plans);
      }
      if (!stopSeen) {
        tenure.lock().require();
      }
      return plans.last;
    } catch (LostControlException e) {
      tenure.lost(context.ports().clock().instant(), e.getMessage());
      throw e;
    }
  }

  /** Also after an error, since no controller is left here; a successor would hold it itself. */
  private void giveBack(Tenure tenure, BalancerHold hold, Count plans) {
    if (!tenure.lock().held()) {
      return;
    }
    try {
      hold.release();
    } catch (EngineException | RuntimeException e) {
      String kept = "the database's own balancing stays off: %s; to restore it: trimtab release";
      LOG.error("the engine's own balancing stays off", e);
      plans.last =
          Optional.of(new Executor.Outcome(PlanOutcome.UNFINISHED, kept.formatted(e.getMessage())));
    }
    plans
        .last
        .filter(outcome -> outcome.how() == PlanOutcome.UNFINISHED)
        .ifPresent(outcome -> leftUndone(tenure, outcome.why()));
  }

  /** For whoever has asked for the stop, and for {@code why}. */
  private void leftUndone(Tenure tenure, String what) {
    try {
      tenure
          .journal()
          .append(new Entry.Held(context.ports().clock().instant(), Entry.CLEAN_UP, what, ""));
    } catch (RuntimeException e) {
      LOG.warn("the journal does not say what was left undone", e);
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

    /** An earlier controller's plan has ended; if that was asked for, nothing went wrong. */
    void resumed(Executor.Outcome outcome, boolean abandon) {
      plans++;
      last =
          abandon && outcome.how() == PlanOutcome.ABANDONED
              ? Optional.empty()
              : Optional.of(outcome);
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

  /** Handles an unfinished plan; returns its outcome. */
  private Optional<Executor.Outcome> recover(Journal journal, Executor executor, boolean abandon) {
    Optional<Journal.Unfinished> left = journal.unfinished();
    if (left.isEmpty()) {
      return Optional.empty();
    }
    Duration age = Duration.between(left.get().startedAt(), context.ports().clock().instant());
    if (abandon) {
      return Optional.of(executor.abandon(left.get(), "--abandon was given"));
    }
    if (age.compareTo(context.settings().guard().planLimit()) > 0
        && !Underway.of(left.get()).any(left.get().plan().actions())) {
      return Optional.of(
          executor.abandon(left.get(), "it was started " + age.toMinutes() + " minutes ago"));
    }
    context.listener().planned(left.get().plan(), true);
    context.faults().reached("plan-started");
    return Optional.of(executor.resume(left.get()));
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
