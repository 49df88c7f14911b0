package io.trimtab.runtime;

import io.trimtab.controller.observe.CacheWarmup;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.ring.TokenAllocator;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of the control loop: observe, decide, guard, execute. It does not wait and does not read
 * the clock for decisions; its state between turns is the history since the last plan and the
 * journal.
 */
final class ControlStep {
  private static final Logger LOG = LoggerFactory.getLogger(ControlStep.class);
  private static final Duration RING_WATCH = Duration.ofSeconds(10);

  /**
   * The result of a turn.
   *
   * @param planned whether there was a plan that passed the guard
   * @param outcome of the plan; empty if it was not executed
   */
  record Turn(boolean planned, Optional<Executor.Outcome> outcome) {
    static final Turn HELD = new Turn(false, Optional.empty());
  }

  private final LoopContext context;
  private final Settings settings;
  private final Inputs inputs;
  private final Journal journal;
  private final Optional<Executor> executor;
  private final DeadNodes dead = new DeadNodes();
  private final UsageReadings readings = new UsageReadings();
  private History history = History.EMPTY;

  /**
   * @param executor of plans; empty in a dry run
   */
  ControlStep(LoopContext context, Inputs inputs, Journal journal, Optional<Executor> executor) {
    this.context = context;
    this.settings = context.settings();
    this.inputs = inputs;
    this.journal = journal;
    this.executor = executor;
  }

  /** Runs a turn; {@code now} is the time used by the decision. */
  Turn step(Instant now) {
    observe(now);
    context.listener().sampled(history.samples(), settings.observe().samples());
    if (history.samples() < settings.observe().samples()) {
      return Turn.HELD;
    }
    Observation seen = Observation.of(history, now, settings.observe());
    if (seen instanceof Observation.Unusable bad) {
      hold(new Decider.Refusal("observe", bad.reason(), bad.setting()));
      return Turn.HELD;
    }
    Observation.Usable usable = inputs.gather((Observation.Usable) seen);
    if (executor.isPresent()) {
      measure(usable);
      warmed(now);
    }
    Decider.NextStep verdict = Decider.decide(context(usable, now));
    if (verdict instanceof Decider.Refusal refusal) {
      hold(refusal);
      return Turn.HELD;
    }
    Decider.Go go = (Decider.Go) verdict;
    return carryOut(go.asksRing() ? go.with(ring()).act() : go.act());
  }

  private void observe(Instant now) {
    try {
      ClusterSnapshot seen = context.engine().snapshot(readings);
      history = history.append(seen, settings.observe());
      dead.observe(seen, now);
      inputs.observe(seen);
    } catch (EngineException e) {
      LOG.warn("no snapshot", e);
      hold(new Decider.Refusal("observe", e.getMessage(), ""));
    }
  }

  private Decider.Context context(Observation.Usable seen, Instant now) {
    Optional<NodeProvider> provider = context.provider();
    return new Decider.Context(
        seen,
        dead.at(now),
        journal.policyState(),
        settings,
        new Decider.Past(
            journal.lastPlanEnded(), journal.lastAdded(), journal.recentError(inputs.modelId())),
        provider.isPresent() ? OptionalInt.of(provider.get().spare()) : OptionalInt.empty(),
        executor.isPresent(),
        now);
  }

  private Turn carryOut(Decision.Act decision) {
    Plan plan = decision.plan();
    context.listener().planned(plan, executor.isPresent());
    Optional<Executor.Outcome> outcome = Optional.empty();
    if (executor.isPresent()) {
      outcome =
          Optional.of(
              executor.get().begin(plan, history.last().orElseThrow().balancer(), decision.next()));
      predict(decision, outcome.get());
    } else {
      journal.append(new Entry.Proposed(clock(), plan));
    }
    history = History.EMPTY;
    inputs.reset();
    return new Turn(true, outcome);
  }

  /** Sampled only if a node is about to join, because sampling costs the nodes CPU. */
  private RingRequests ring() {
    try {
      return context.engine().ringRequests(TokenAllocator.TOKENS_MAX, RING_WATCH);
    } catch (EngineException e) {
      LOG.warn("it is not known which tokens are asked for", e);
      return RingRequests.unknown(e.getMessage());
    }
  }

  /** Records the model's prediction for the cluster after the plan. */
  private void predict(Decision.Act decision, Executor.Outcome outcome) {
    if (outcome.done() && decision.predicted().isPresent()) {
      List<String> kinds =
          decision.plan().actions().stream().map(a -> a.action().kind()).distinct().toList();
      journal.append(
          new Entry.Predicted(
              clock(),
              decision.plan().id(),
              inputs.modelId(),
              kinds,
              decision.predicted().getAsDouble()));
    }
  }

  /**
   * Caches are cold after a node was added; the time until they are full is shown with the next
   * plan that adds one.
   */
  private void warmed(Instant now) {
    Optional<String> cold = journal.cold();
    if (cold.isPresent() && CacheWarmup.full(history)) {
      journal.append(new Entry.Warmed(now, cold.get()));
    }
  }

  /** Compares the last prediction with the first usable snapshot after the plan. */
  private void measure(Observation.Usable seen) {
    Optional<String> plan = journal.unmeasured();
    if (plan.isPresent()) {
      double most = seen.usage().values().stream().mapToDouble(u -> u).max().orElse(Double.NaN);
      journal.append(new Entry.Measured(clock(), plan.get(), most));
    }
  }

  private void hold(Decider.Refusal refusal) {
    journal.hold(new Entry.Held(clock(), refusal.by(), refusal.reason(), refusal.setting()));
    context.listener().held(refusal.by(), refusal.reason(), refusal.setting());
  }

  private Instant clock() {
    return context.ports().clock().instant();
  }
}
