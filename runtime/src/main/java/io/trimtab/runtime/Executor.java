package io.trimtab.runtime;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes a plan in its order; adjacent moves and compactions run several at a time, all other
 * actions alone. Each action is journaled before it starts and after it ends, limited in time, and
 * retried if it fails. The engine's own balancing is off meanwhile and always restored afterwards.
 */
public final class Executor {
  private static final Logger LOG = LoggerFactory.getLogger(Executor.class);
  private static final int TRIES = 3;
  private static final Duration PAUSE_BETWEEN_TRIES = Duration.ofSeconds(2);
  private static final Duration RESTORE_LIMIT = Duration.ofMinutes(2);

  /** How a plan ended. */
  public record Outcome(PlanOutcome how, String why) {
    public boolean done() {
      return how == PlanOutcome.DONE;
    }
  }

  private final LoopContext context;
  private final Journal journal;
  private final BooleanSupplier stop;

  /**
   * Creates an executor.
   *
   * @param stop polled before each batch of actions and during actions; ends the plan
   */
  public Executor(LoopContext context, Journal journal, BooleanSupplier stop) {
    this.context = context;
    this.journal = journal;
    this.stop = stop;
  }

  /** Starts a plan that is not in the journal yet. */
  public Outcome begin(Plan plan, BalancerState before, PolicyState next) {
    journal.append(new Entry.PlanStarted(now(), plan, before, next));
    reached("plan-started");
    return run(plan, before, Set.of(), new TreeMap<>());
  }

  /** Continues an unfinished plan of an earlier controller. */
  public Outcome resume(Journal.Unfinished left) {
    return run(left.plan(), left.before(), left.ended(), left.added());
  }

  /** Abandons an unfinished plan: no further action is executed, and the cluster is restored. */
  public Outcome abandon(Journal.Unfinished left, String why) {
    return end(left.plan(), left.before(), left.added(), new Outcome(PlanOutcome.ABANDONED, why));
  }

  private Outcome run(
      Plan plan, BalancerState before, Set<Integer> ended, Map<NodeId, NodeId> added) {
    Outcome outcome = new Outcome(PlanOutcome.DONE, "every action has ended");
    try {
      context.engine().setBalancer(BalancerState.PAUSED);
      reached("balancer-paused");
      for (List<PlannedAction> batch : batches(plan, ended)) {
        if (stop.getAsBoolean()) {
          throw new Stopped();
        }
        batch(plan, batch, added);
      }
    } catch (Stopped e) {
      outcome = new Outcome(PlanOutcome.STOPPED, "a stop was requested");
    } catch (EngineException e) {
      LOG.warn("plan {} is abandoned", plan.id(), e);
      outcome = new Outcome(PlanOutcome.ABANDONED, e.getMessage());
    }
    return end(plan, before, added, outcome);
  }

  private Outcome end(Plan plan, BalancerState before, Map<NodeId, NodeId> added, Outcome outcome) {
    reached("before-restore");
    Outcome reported = outcome;
    try {
      if (!outcome.done()) {
        ClusterSnapshot now = context.engine().snapshot();
        undrain(plan, now);
        giveBack(now, added);
        keep(plan, now);
      }
      restore(before);
    } catch (EngineException e) {
      // Left open in the journal, so that the next controller puts it right.
      LOG.error("plan {}: the clean-up of the cluster failed", plan.id(), e);
      return new Outcome(PlanOutcome.UNFINISHED, "clean-up failed: " + e.getMessage());
    }
    reached("restored");
    journal.append(new Entry.PlanEnded(now(), plan.id(), reported.how(), reported.why()));
    reached("plan-ended");
    context.listener().planEnded(plan, reported.how(), reported.why());
    return reported;
  }

  private void restore(BalancerState before) throws EngineException {
    long begun = context.ports().time().nanos();
    while (true) {
      try {
        context.engine().setBalancer(before);
        return;
      } catch (EngineException e) {
        if (context.ports().time().nanos() - begun > RESTORE_LIMIT.toNanos()) {
          throw e;
        }
        LOG.warn("the balancer could not be put back yet", e);
        pause();
      }
    }
  }

  /** Reopens nodes that were draining and are still live. */
  private void undrain(Plan plan, ClusterSnapshot now) throws EngineException {
    for (Action.DrainNode drain : plan.actions(Action.DrainNode.class)) {
      if (now.node(drain.node()).filter(NodeState::alive).isPresent()) {
        context.engine().setDraining(drain.node(), false);
      }
    }
  }

  /**
   * Releases nodes that were started but never served; otherwise they would join, or fail, some
   * time after the plan.
   */
  private void giveBack(ClusterSnapshot now, Map<NodeId, NodeId> added) throws EngineException {
    for (NodeId node : added.values()) {
      if (now.node(node).isEmpty()) {
        provider().remove(node, limit());
      }
    }
  }

  /**
   * Restarts a node that was leaving the ring but can't, or is to stay, so that it keeps its
   * tokens; until then all other nodes wait for it to leave.
   */
  private void keep(Plan plan, ClusterSnapshot now) throws EngineException {
    if (!PlacementModel.of(now).staysOnlyByRestart()) {
      return;
    }
    for (Action.RemoveNode remove : plan.actions(Action.RemoveNode.class)) {
      Optional<NodeState> node = now.node(remove.node()).filter(n -> n.alive() && n.draining());
      if (node.isPresent()) {
        provider().restart(remove.node(), limit());
        context.engine().awaitNode(remove.node(), node.get().incarnation(), limit());
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
              && last.get(0).action().kind().equals(planned.action().kind())
              && last.size() < Math.min(atOnce(last.get(0).action()), atOnce(planned.action()));
      if (joins) {
        last.add(planned);
      } else {
        batches.add(new ArrayList<>(List.of(planned)));
      }
    }
    return batches;
  }

  /** Number of actions like this one that may run at the same time. */
  private int atOnce(Action action) {
    return action.accept(new Concurrency(context.settings().guard()));
  }

  private void batch(Plan plan, List<PlannedAction> batch, Map<NodeId, NodeId> added)
      throws EngineException, Stopped {
    int of = plan.actions().size();
    Performer performer = new Performer(context, journal, plan.id(), added, before(batch));
    List<Workers.Task<Performer.Performed>> tasks = new ArrayList<>();
    try {
      for (PlannedAction planned : batch) {
        journal.append(new Entry.ActionStarted(now(), planned.step()));
        reached("action-started-" + planned.step());
        context.listener().started(planned, of);
        tasks.add(context.ports().workers().begin(() -> tried(planned.action(), performer)));
      }
      EngineException failed = null;
      for (int i = 0; i < batch.size(); i++) {
        PlannedAction planned = batch.get(i);
        Performer.Performed came;
        try {
          came = await(tasks.get(i));
        } catch (EngineException e) {
          failed = e;
          came = new Performer.Performed(ActionOutcome.FAILED, e.getMessage());
        }
        reached("action-performed-" + planned.step());
        journal.append(new Entry.ActionEnded(now(), planned.step(), came.outcome(), came.detail()));
        reached("action-ended-" + planned.step());
        context.listener().ended(planned, of, came.outcome(), came.detail());
      }
      if (failed != null) {
        throw failed;
      }
    } finally {
      tasks.forEach(Workers.Task::cancel);
    }
  }

  /** The cluster before the batch, if its actions depend on the current state. */
  private Optional<ClusterSnapshot> before(List<PlannedAction> batch) throws EngineException {
    return batch.get(0).action().as(Action.Compact.class).isPresent()
        ? Optional.of(context.engine().snapshot())
        : Optional.empty();
  }

  private Performer.Performed await(Workers.Task<Performer.Performed> task)
      throws EngineException, Stopped {
    try {
      return task.await(stop).orElseThrow(Stopped::new);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EngineException engineException) {
        throw engineException;
      }
      throw new EngineException("an action failed: " + e.getCause(), e.getCause());
    }
  }

  private Performer.Performed tried(Action action, Performer performer) throws EngineException {
    for (int attempt = 1; ; attempt++) {
      try {
        return action.accept(performer);
      } catch (EngineException e) {
        if (attempt == TRIES || context.ports().waiter().interrupted()) {
          throw e;
        }
        LOG.warn("{} failed, try {} of {}", action, attempt, TRIES, e);
        pause();
      }
    }
  }

  private void pause() throws EngineException {
    if (!context.ports().waiter().pause(PAUSE_BETWEEN_TRIES, () -> false)) {
      throw new EngineException("interrupted");
    }
  }

  private Instant now() {
    return context.ports().clock().instant();
  }

  private void reached(String point) {
    context.faults().reached(point);
  }

  private Duration limit() {
    return context.settings().guard().actionLimit();
  }

  private NodeProvider provider() throws EngineException {
    return Performer.provider(context);
  }
}
