package io.trimtab.runtime;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.guard.Preconditions;
import io.trimtab.controller.guard.UnreadNodes;
import io.trimtab.controller.health.Loss;
import io.trimtab.controller.observe.CacheWarmup;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.ring.TokenAllocator;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.NodeUsages;
import io.trimtab.runtime.journal.NodesWatch;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.service.AgreedClients;
import io.trimtab.runtime.service.TenantWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
  private final Optional<Acting> acting;
  private final Urgency urgency;
  private final NodesWatch nodes;
  private final TenantWatch tenants;
  private final UsageReadings readings = new UsageReadings();
  private History history;
  private final Set<String> otherModels = new HashSet<>();

  /** What carries out plans. */
  record Acting(Tenure tenure, Executor executor, BalancerHold hold) {}

  /**
   * @param acting empty in a dry run
   */
  ControlStep(LoopContext context, Inputs inputs, Journal journal, Optional<Acting> acting) {
    this.context = context;
    this.settings = context.settings();
    this.inputs = inputs;
    this.journal = journal;
    this.acting = acting;
    this.history = History.after(journal.lastPlanEnded());
    this.nodes = new NodesWatch(settings, journal, told(context.listener()));
    this.tenants =
        new TenantWatch(
            settings,
            journal,
            acting.isPresent(),
            context.listener()::clientsAbove,
            context.listener()::agreement);
    this.urgency =
        acting
            .map(by -> by.executor().urgency())
            .orElseGet(() -> new Urgency(context).resume(inputs.busyBefore()));
  }

  private static NodesWatch.Listeners told(LoopListener by) {
    return new NodesWatch.Listeners(by::lost, by::slow, by::usageFrom, by::unread);
  }

  /**
   * Runs a turn; {@code now} is the time used by the decision.
   *
   * @throws LostControlException if control was lost before a plan was begun
   */
  Turn step(Instant now) throws LostControlException {
    Optional<Executor.Outcome> tidied = acting.flatMap(by -> by.executor().tidyAgain());
    if (tidied.isPresent()) {
      if (tidied.get().how() == PlanOutcome.UNFINISHED) {
        hold(new Decider.Refusal(Entry.CLEAN_UP, tidied.get().why(), ""));
      }
      return new Turn(false, tidied);
    }
    if (!observe()) {
      return Turn.HELD;
    }
    context.listener().sampled(history.samples(), settings.observe().samples());
    ClusterSnapshot last = history.last().orElseThrow();
    if (urgency.due(last).isPresent()) {
      // It depends on no rates, so that one sample is enough.
      return decide(new Observation.Usable(last, Map.of(), Map.of(), Map.of(), List.of()), now);
    }
    Optional<Loss.Wait> lost = nodes.lost().waits();
    if (lost.isPresent()) {
      hold(new Decider.Refusal("observe", lost.get().reason(), lost.get().setting()));
      return Turn.HELD;
    }
    if (history.samples() < settings.observe().samples()) {
      return Turn.HELD;
    }
    Observation seen = Observation.of(history, now, settings.observe());
    if (seen instanceof Observation.Unusable bad) {
      hold(new Decider.Refusal("observe", bad.reason(), bad.setting()));
      return Turn.HELD;
    }
    Observation.Usable usable =
        inputs
            .gather((Observation.Usable) seen)
            .withSlow(nodes.slow())
            .withSlowPeers(nodes.slowPeers())
            .with(urgency.busy())
            .withMachines(context.machines().now());
    if (acting.isPresent()) {
      measure(usable, now);
      warmed(now);
    }
    return decide(usable, now);
  }

  private Turn decide(Observation.Usable usable, Instant now) throws LostControlException {
    Decider.NextStep verdict = Decider.decide(context(usable, now));
    if (verdict instanceof Decider.Go go && go.asksRing()) {
      // What is guarded is what is executed, the tokens included. The cluster is looked at once
      // more before it begins, since sampling took its time.
      verdict = Decider.again(go.with(ring()), context(usable, now));
    }
    if (!verdict.weighed().isEmpty()) {
      context.listener().weighed(verdict.weighed());
    }
    if (verdict instanceof Decider.Refusal refusal) {
      refusal.next().ifPresent(journal::remember);
      hold(refusal);
      return Turn.HELD;
    }
    return carryOut((Decider.Go) verdict, usable);
  }

  /** Returns whether there is a new snapshot; without one there is nothing to decide on. */
  private boolean observe() throws LostControlException {
    try {
      ClusterSnapshot seen = context.engine().snapshot(readings);
      if (history.last().filter(last -> seen.secondsSince(last) < 0).isPresent()) {
        // Decided on what was seen before, a plan would be begun after a look that failed.
        throw old(seen);
      }
      history = nodes.observe(history, seen, clock()).append(seen, settings.observe());
      if (nodes.lost().beginsAnew()) {
        inputs.reset();
      }
      context.machines().seen(seen);
      urgency.observe(seen);
      inputs.observe(seen, history.cold().unexplained());
      urgency.avoided(nodes.slow());
      countClients(inputs.clientsNow());
      tellOtherModel(seen);
      // Switching the engine's own balancing off is an action, too.
      if (acting.isPresent()
          && !acting.get().executor().ending()
          && Guard.unsafe(seen, settings, clock(), Set.of()).isEmpty()) {
        acting.get().hold().check(seen);
      }
      return true;
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      LOG.warn("no snapshot", e);
      hold(new Decider.Refusal("observe", e.getMessage(), ""));
      return false;
    }
  }

  private void countClients(List<AgreedClients.Seen> seen) throws LostControlException {
    keep(tenants.gone(seen, inputs.services(), clock()));
    keep(tenants.observe(seen, inputs.services(), clock()));
  }

  /** Leaves to the next controller what it has to go on with. */
  void end() throws LostControlException {
    keep(tenants.end(clock()));
  }

  /** What is to be paid, and kept, is known to the next controller, on whatever host. */
  private void keep(List<Entry> counted) throws LostControlException {
    for (Entry entry : counted) {
      if (acting.isPresent()) {
        note(entry);
      } else {
        journal.append(entry);
      }
    }
  }

  /** Each once: what nodes do not tell in every snapshot would be told ever again. */
  private void tellOtherModel(ClusterSnapshot seen) {
    inputs.otherModel(seen).filter(otherModels::add).ifPresent(context.listener()::otherModel);
  }

  private static EngineException old(ClusterSnapshot seen) {
    return new EngineException("the snapshot of " + seen.takenAt() + " is an old one");
  }

  private Decider.Context context(Observation.Usable seen, Instant now) {
    return new Decider.Context(
        seen,
        urgency.dead(),
        journal.policyState(),
        settings,
        journal.past(inputs.modelId()),
        context.offer(),
        acting.isPresent(),
        now);
  }

  private Turn carryOut(Decider.Go go, Observation.Usable seen) throws LostControlException {
    Decision.Act decision = go.act();
    Optional<Executor.Outcome> outcome = Optional.empty();
    if (acting.isPresent()) {
      try {
        outcome = execute(go, seen.withOffer(context.offer()));
      } finally {
        context.machines().ended();
      }
      if (outcome.isEmpty()) {
        return Turn.HELD;
      }
      predict(go, outcome.get());
    } else {
      context.listener().planned(decision.plan(), false);
      journal.append(new Entry.Proposed(clock(), decision.plan()));
    }
    history = history.again();
    nodes.planEnded();
    inputs.reset();
    return new Turn(true, outcome);
  }

  /**
   * Executes a plan if a fresh look at the cluster still permits it.
   *
   * @return empty if it does not
   */
  private Optional<Executor.Outcome> execute(Decider.Go go, Observation.Usable seen)
      throws LostControlException {
    Decision.Act decision = go.act();
    ClusterSnapshot decidedOn = history.last().orElseThrow();
    Acting by = acting.orElseThrow();
    try {
      // The state of the balancer, too: an older one would be restored after the plan.
      ClusterSnapshot now = context.engine().snapshot();
      // Not by the wall clock, which may have been set back meanwhile.
      if (now.secondsSince(decidedOn) < 0) {
        throw old(now);
      }
      Optional<Guard.Verdict.Refuse> unsafe =
          Guard.unsafe(
                  now,
                  settings,
                  clock(),
                  // One that is to leave and was alive has died since.
                  Preconditions.expectedDead(decision.plan())
                      .filter(n -> decidedOn.node(n).filter(NodeState::alive).isEmpty())
                      .collect(Collectors.toSet()))
              .or(() -> UnreadNodes.touched(decision.plan().actions(), now, Map.of()))
              .or(() -> Guard.forbids(decision.plan().actions(), now, Map.of(), settings))
              .or(() -> context.machines().claim(go, seen, clock()));
      if (unsafe.isPresent()) {
        hold(new Decider.Refusal("guard", unsafe.get().reason(), unsafe.get().setting()));
        return Optional.empty();
      }
      if (by.executor().ending()) {
        return Optional.empty();
      }
      by.hold().engageFor(now);
      by.tenure().lock().require();
      context.listener().planned(decision.plan(), true);
      return Optional.of(
          by.executor()
              .begin(
                  decision,
                  by.hold().original(now.balancer()),
                  Optional.of(nodes.lost().usual(history, inputs.worst(history)))));
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      LOG.warn("plan {} is not begun", decision.plan().id(), e);
      hold(new Decider.Refusal("observe", e.getMessage(), ""));
      return Optional.empty();
    }
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

  /** Records what was predicted for the cluster after the plan. */
  private void predict(Decider.Go go, Executor.Outcome outcome) throws LostControlException {
    if (outcome.done() && go.usage().isPresent()) {
      Plan plan = go.act().plan();
      List<String> kinds = plan.actions().stream().map(a -> a.action().kind()).distinct().toList();
      UsagePrediction predicted = go.usage().get();
      note(
          new Entry.Predicted(
              clock(),
              plan.id(),
              predicted.from() == UsagePrediction.Origin.BUILT ? inputs.modelId() : "",
              kinds,
              predicted.most(),
              predicted.from(),
              NodeUsages.noted(predicted.usage(), journal.added())));
    }
  }

  /**
   * Caches are cold after a node was added; the time until they are full is shown with the next
   * plan that adds one.
   */
  private void warmed(Instant now) throws LostControlException {
    Optional<String> cold = journal.cold();
    if (cold.isPresent() && CacheWarmup.full(history)) {
      note(new Entry.Warmed(now, cold.get()));
    }
  }

  /** Compares the last prediction with what nodes use when they have warmed up after the plan. */
  private void measure(Observation.Usable seen, Instant now) throws LostControlException {
    // Of the nodes that plans count on, as it was predicted.
    List<NodeId> nodes = UsableNodes.ids(seen);
    Optional<String> plan = journal.due(now, history.cold().haveFilled(nodes));
    if (plan.isPresent()) {
      Map<NodeId, Double> usable = new HashMap<>(seen.usage());
      usable.keySet().retainAll(nodes);
      double most = usable.values().stream().mapToDouble(u -> u).max().orElse(Double.NaN);
      note(new Entry.Measured(clock(), plan.get(), most, NodeUsages.noted(usable, Map.of())));
    }
  }

  /** Records a finding; if the cluster can't keep it for the next controller, this one does. */
  private void note(Entry entry) throws LostControlException {
    try {
      acting.orElseThrow().tenure().record(entry);
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      LOG.warn("the cluster does not keep {}", entry, e);
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
