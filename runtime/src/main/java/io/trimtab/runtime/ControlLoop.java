package io.trimtab.runtime;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs a {@link ControlStep} every period; a dry run unless {@code act} is set. Ends at the kill
 * switch, when its thread is interrupted, when it loses the control lock, and after {@code
 * plansMax} plans.
 */
public final class ControlLoop {
  /** A plan left by a killed controller is resumed only while it is younger than this. */
  static final Duration RESUME_AGE_MAX = Duration.ofMinutes(30);

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

  /**
   * Runs the loop.
   *
   * @param act whether plans are executed; false is a dry run
   * @param plansMax number of plans (including resumed ones; proposed ones in a dry run) after
   *     which it ends; 0 = never
   * @param abandon whether an unfinished plan of a killed controller is abandoned instead of
   *     resumed
   * @return outcome of the last plan; empty if there was none
   */
  public Optional<Executor.Outcome> run(boolean act, int plansMax, boolean abandon)
      throws EngineException {
    try (Inputs open = inputs.open(context.ports())) {
      String cluster = context.engine().snapshot().clusterId();
      ClusterState state = context.ports().states().apply(cluster);
      return act ? acting(open, state, plansMax, abandon) : dry(open, state, plansMax);
    }
  }

  private Optional<Executor.Outcome> dry(Inputs open, ClusterState state, int plansMax) {
    try (Journal journal = state.dryJournal()) {
      ControlStep step = new ControlStep(context, open, journal, Optional.empty());
      return loop(step, new Count(plansMax), () -> stopping(state));
    }
  }

  private Optional<Executor.Outcome> acting(
      Inputs open, ClusterState state, int plansMax, boolean abandon) throws EngineException {
    try (ControlLock lock = context.engine().takeControl(context.ports().owner());
        Journal journal = state.journal()) {
      state.register();
      try {
        BooleanSupplier end = () -> stopping(state) || !lock.held();
        Executor executor = new Executor(context, journal, end);
        Count plans = new Count(plansMax);
        plans.resumed(recover(journal, executor, abandon));
        return loop(new ControlStep(context, open, journal, Optional.of(executor)), plans, end);
      } finally {
        state.unregister();
      }
    }
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
    } else if (age.compareTo(RESUME_AGE_MAX) > 0) {
      executor.abandon(left.get(), "it was started " + age.toMinutes() + " minutes ago");
    } else {
      context.listener().planned(left.get().plan(), true);
      return Optional.of(executor.resume(left.get()));
    }
    return Optional.empty();
  }

  private Optional<Executor.Outcome> loop(ControlStep step, Count plans, BooleanSupplier end) {
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
