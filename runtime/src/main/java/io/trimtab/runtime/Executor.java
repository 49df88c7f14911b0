package io.trimtab.runtime;

import io.trimtab.controller.GuardSettings;
import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ClusterSnapshot;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeState;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionState;
import io.trimtab.engineapi.Plan;
import io.trimtab.engineapi.PlannedAction;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a plan: in its order, moves and compactions that stand next to each other a few at a
 * time, everything else alone. Each action is journaled before it starts and after it ends, limited
 * in time, and tried again when it fails. The engine's own movers rest meanwhile and are put back
 * afterwards, whatever happens.
 */
public final class Executor {
  private static final Logger LOG = LoggerFactory.getLogger(Executor.class);
  private static final int TRIES = 3;
  private static final Duration PAUSE_BETWEEN_TRIES = Duration.ofSeconds(2);
  private static final Duration RESTORE_LIMIT = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 100;

  /** How a plan ended. */
  public record Outcome(PlanOutcome how, String why) {
    public boolean done() {
      return how == PlanOutcome.DONE;
    }
  }

  private final Engine engine;
  private final Optional<NodeProvider> provider;
  private final Journal journal;
  private final GuardSettings guard;
  private final Clock clock;
  private final BooleanSupplier stop;
  private final LoopListener listener;
  private final FaultPoints faults;

  public Executor(
      Engine engine,
      Optional<NodeProvider> provider,
      Journal journal,
      GuardSettings guard,
      Clock clock,
      BooleanSupplier stop,
      LoopListener listener,
      FaultPoints faults) {
    this.engine = engine;
    this.provider = provider;
    this.journal = journal;
    this.guard = guard;
    this.clock = clock;
    this.stop = stop;
    this.listener = listener;
    this.faults = faults;
  }

  /** Begins a plan that the journal does not know yet. */
  public Outcome begin(Plan plan, BalancerState before, io.trimtab.controller.PolicyState next) {
    journal.append(new Entry.PlanStarted(clock.instant(), plan, before, next));
    faults.reached("plan-started");
    return run(plan, before, Set.of(), new HashMap<>());
  }

  /** Goes on with a plan that a controller before this one left. */
  public Outcome resume(Journal.Unfinished left) {
    return run(left.plan(), left.before(), left.ended(), left.added());
  }

  /** Gives up a plan that was left: nothing more of it is done, and the cluster is tidied. */
  public Outcome abandon(Journal.Unfinished left, String why) {
    return end(left.plan(), left.before(), left.added(), new Outcome(PlanOutcome.ABANDONED, why));
  }

  private Outcome run(
      Plan plan, BalancerState before, Set<Integer> ended, Map<NodeId, NodeId> added) {
    Outcome outcome = new Outcome(PlanOutcome.DONE, "every action has ended");
    ExecutorService workers = Executors.newCachedThreadPool();
    try {
      engine.setBalancer(BalancerState.PAUSED);
      faults.reached("balancer-paused");
      for (List<PlannedAction> batch : batches(plan, ended)) {
        if (stop.getAsBoolean()) {
          throw new Stopped();
        }
        batch(plan, batch, added, workers);
      }
    } catch (Stopped e) {
      outcome = new Outcome(PlanOutcome.STOPPED, "it was asked to stop");
    } catch (EngineException e) {
      LOG.warn("plan {} is abandoned", plan.id(), e);
      outcome = new Outcome(PlanOutcome.ABANDONED, e.getMessage());
    } finally {
      workers.shutdownNow();
    }
    return end(plan, before, added, outcome);
  }

  private Outcome end(Plan plan, BalancerState before, Map<NodeId, NodeId> added, Outcome outcome) {
    faults.reached("before-restore");
    Outcome told = outcome;
    try {
      if (!outcome.done()) {
        ClusterSnapshot now = engine.snapshot();
        undrain(plan, now);
        giveBack(now, added);
        keep(plan, now);
      }
      restore(before);
    } catch (EngineException e) {
      // Left open in the journal, so that the next controller puts it right.
      LOG.error("plan {}: the cluster could not be tidied", plan.id(), e);
      return new Outcome(PlanOutcome.UNFINISHED, "tidying failed: " + e.getMessage());
    }
    faults.reached("restored");
    journal.append(new Entry.PlanEnded(clock.instant(), plan.id(), told.how(), told.why()));
    faults.reached("plan-ended");
    listener.planEnded(plan, told.how(), told.why());
    return told;
  }

  private void restore(BalancerState before) throws EngineException {
    long deadline = System.nanoTime() + RESTORE_LIMIT.toNanos();
    while (true) {
      try {
        engine.setBalancer(before);
        return;
      } catch (EngineException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LOG.warn("the balancer could not be put back yet", e);
        pause();
      }
    }
  }

  /** Nodes that were to leave and are still there take partitions again. */
  private void undrain(Plan plan, ClusterSnapshot now) throws EngineException {
    for (PlannedAction planned : plan.actions()) {
      if (planned.action() instanceof Action.DrainNode drain
          && now.node(drain.node()).filter(NodeState::alive).isPresent()) {
        engine.setDraining(drain.node(), false);
      }
    }
  }

  /** Nodes that were started and never served would join, or fail, some time after the plan. */
  private void giveBack(ClusterSnapshot now, Map<NodeId, NodeId> added) throws EngineException {
    for (NodeId node : added.values()) {
      if (now.node(node).isEmpty()) {
        provider().remove(node, guard.actionLimit());
      }
    }
  }

  /**
   * A node that has begun to leave the ring and can't, or shall not, goes on owning its tokens
   * after a restart; until then every other node waits for it to go.
   */
  private void keep(Plan plan, ClusterSnapshot now) throws EngineException {
    for (PlannedAction planned : plan.actions()) {
      if (now.ownership() == Ownership.TOKENS
          && planned.action() instanceof Action.RemoveNode remove) {
        Optional<NodeState> node = now.node(remove.node()).filter(n -> n.alive() && n.draining());
        if (node.isPresent()) {
          provider().restart(remove.node(), guard.actionLimit());
          engine.awaitNode(remove.node(), node.get().incarnation(), guard.actionLimit());
        }
      }
    }
  }

  private static final class Stopped extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private List<List<PlannedAction>> batches(Plan plan, Set<Integer> ended) {
    List<List<PlannedAction>> batches = new ArrayList<>();
    for (PlannedAction planned : plan.actions()) {
      if (ended.contains(planned.step())) {
        continue;
      }
      List<PlannedAction> last = batches.isEmpty() ? null : batches.get(batches.size() - 1);
      boolean joins =
          last != null
              && last.get(0).action().getClass() == planned.action().getClass()
              && last.size() < Math.min(atOnce(last.get(0).action()), atOnce(planned.action()));
      if (joins) {
        last.add(planned);
      } else {
        batches.add(new ArrayList<>(List.of(planned)));
      }
    }
    return batches;
  }

  /** How many actions like this one may go on at the same time. */
  private int atOnce(Action action) {
    if (action instanceof Action.Reconfigure change) {
      return change.way() == Action.Way.RESTART ? guard.maxRestarting() : 1;
    }
    boolean parallel = action instanceof Action.Move || action instanceof Action.Compact;
    return parallel ? guard.maxConcurrentMoves() : 1;
  }

  private void batch(
      Plan plan, List<PlannedAction> batch, Map<NodeId, NodeId> added, ExecutorService workers)
      throws EngineException, Stopped {
    int of = plan.actions().size();
    ClusterSnapshot now =
        batch.get(0).action() instanceof Action.Compact ? engine.snapshot() : null;
    List<Future<String>> futures = new ArrayList<>();
    for (PlannedAction planned : batch) {
      journal.append(new Entry.ActionStarted(clock.instant(), planned.step()));
      faults.reached("action-started-" + planned.step());
      listener.started(planned, of);
      futures.add(workers.submit(() -> tried(plan.id(), planned.action(), now, added)));
    }
    EngineException failed = null;
    for (int i = 0; i < batch.size(); i++) {
      PlannedAction planned = batch.get(i);
      String detail;
      ActionOutcome how;
      try {
        detail = await(futures, i);
        how = detail.startsWith("skipped") ? ActionOutcome.SKIPPED : ActionOutcome.DONE;
      } catch (EngineException e) {
        failed = e;
        detail = e.getMessage();
        how = ActionOutcome.FAILED;
      }
      faults.reached("action-performed-" + planned.step());
      journal.append(new Entry.ActionEnded(clock.instant(), planned.step(), how, detail));
      faults.reached("action-ended-" + planned.step());
      listener.ended(planned, of, how, detail);
    }
    if (failed != null) {
      throw failed;
    }
  }

  private String await(List<Future<String>> futures, int index) throws EngineException, Stopped {
    while (true) {
      try {
        return futures.get(index).get(POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (stop.getAsBoolean()) {
          futures.forEach(f -> f.cancel(true));
          throw new Stopped();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof EngineException engineException) {
          throw engineException;
        }
        throw new EngineException("an action broke: " + e.getCause(), e.getCause());
      } catch (CancellationException e) {
        throw new Stopped();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        futures.forEach(f -> f.cancel(true));
        throw new Stopped();
      }
    }
  }

  private String tried(String planId, Action action, ClusterSnapshot now, Map<NodeId, NodeId> added)
      throws EngineException {
    for (int attempt = 1; ; attempt++) {
      try {
        return perform(planId, action, now, added);
      } catch (EngineException e) {
        if (attempt == TRIES || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LOG.warn("{} failed, try {} of {}", action, attempt, TRIES, e);
        pause();
      }
    }
  }

  private static void pause() throws EngineException {
    try {
      Thread.sleep(PAUSE_BETWEEN_TRIES.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted", e);
    }
  }

  /** Performs one action; says what it found. */
  private String perform(
      String planId, Action action, ClusterSnapshot now, Map<NodeId, NodeId> added)
      throws EngineException {
    Duration limit = guard.actionLimit();
    if (action instanceof Action.Move move) {
      engine.move(move.partition(), real(move.to(), added), limit);
    } else if (action instanceof Action.Split split) {
      engine.split(split.partition(), split.key(), real(split.rightTo(), added), limit);
    } else if (action instanceof Action.Merge merge) {
      engine.merge(merge.left(), merge.right(), merge.range(), limit);
    } else if (action instanceof Action.Reconfigure change) {
      reconfigure(change, limit);
    } else if (action instanceof Action.SetNode set) {
      engine.set(set.node(), set.setting(), set.to(), limit);
    } else if (action instanceof Action.SetBlockSize size) {
      engine.setBlockSize(size.table(), size.toBytes());
    } else if (action instanceof Action.Compact compact) {
      double locality =
          now.partition(compact.partition()).map(PartitionState::locality).orElse(0.0);
      if (locality >= compact.belowLocality()) {
        return "skipped: locality is %.2f".formatted(locality);
      }
      engine.compact(compact.partition(), limit);
    } else if (action instanceof Action.AddNode add) {
      add(planId, add, limit, added);
    } else if (action instanceof Action.ReplaceNode replace) {
      replace(planId, replace, limit, added);
    } else if (action instanceof Action.Cleanup cleanup) {
      engine.cleanup(cleanup.node(), limit);
    } else if (action instanceof Action.DrainNode drain) {
      engine.setDraining(drain.node(), true);
    } else if (action instanceof Action.RemoveNode remove) {
      remove(remove.node(), limit);
    }
    return "";
  }

  private static NodeId real(NodeId node, Map<NodeId, NodeId> added) {
    return added.getOrDefault(node, node);
  }

  private void reconfigure(Action.Reconfigure change, Duration limit) throws EngineException {
    if (change.way() == Action.Way.ONLINE) {
      engine.applyProfile(change.node(), change.to(), limit);
      if (provider.isPresent()) {
        provider.get().persist(change.node(), change.to());
      }
      return;
    }
    ClusterSnapshot now = engine.snapshot();
    NodeState node =
        now.node(change.node())
            .orElseThrow(() -> new EngineException("node " + change.node() + " is gone"));
    if (node.alive() && node.profile().filter(p -> p.sameMemory(change.to())).isPresent()) {
      return;
    }
    refuseIfServing(now, change.node());
    provider().persist(change.node(), change.to());
    provider().restart(change.node(), limit);
    engine.awaitNode(change.node(), node.incarnation(), limit);
  }

  private void add(String planId, Action.AddNode add, Duration limit, Map<NodeId, NodeId> added)
      throws EngineException {
    NodeId node = added.get(add.placeholder());
    if (node == null) {
      node = provider().add(planId + "/" + add.placeholder(), add.profile(), add.tokens(), limit);
      started(add.placeholder(), node, added);
    }
    engine.awaitNode(node, 0, limit);
  }

  private void started(NodeId placeholder, NodeId node, Map<NodeId, NodeId> added) {
    journal.append(new Entry.NodeAdded(clock.instant(), placeholder, node));
    added.put(placeholder, node);
  }

  private void replace(
      String planId, Action.ReplaceNode replace, Duration limit, Map<NodeId, NodeId> added)
      throws EngineException {
    NodeId node = added.get(replace.placeholder());
    if (node == null) {
      if (engine.snapshot().node(replace.dead()).filter(NodeState::alive).isPresent()) {
        throw new EngineException("node " + replace.dead() + " is back, and is not replaced");
      }
      node =
          provider()
              .replace(
                  planId + "/" + replace.placeholder(), replace.dead(), replace.profile(), limit);
      started(replace.placeholder(), node, added);
    }
    engine.awaitNode(node, 0, limit);
    // What the dead one's machine still holds is nobody's any more.
    provider().remove(replace.dead(), limit);
  }

  private void remove(NodeId node, Duration limit) throws EngineException {
    ClusterSnapshot now = engine.snapshot();
    boolean tokens = now.ownership() == Ownership.TOKENS;
    // A dead node still owns its tokens.
    if (now.node(node).filter(n -> n.alive() || tokens).isPresent()) {
      refuseIfServing(now, node);
      engine.vacate(node, limit);
    }
    // Also where its process is gone: a controller that was killed here left the rest of it.
    provider().remove(node, limit);
  }

  private static void refuseIfServing(ClusterSnapshot now, NodeId node) throws EngineException {
    if (now.ownership() == Ownership.TOKENS) {
      return;
    }
    long serving =
        now.partitions().stream().filter(p -> p.node().filter(node::equals).isPresent()).count();
    if (serving > 0) {
      throw new EngineException("node " + node + " still serves " + serving + " partitions");
    }
  }

  private NodeProvider provider() throws EngineException {
    return provider.orElseThrow(
        () -> new EngineException("nothing here can start or stop nodes of this cluster"));
  }
}
