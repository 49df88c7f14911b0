package io.trimtab.runtime;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a cluster right after a plan: nodes that were draining or leaving stay, nodes that never
 * served are released, and the engine's own balancing is restored. Each step is tried even if one
 * before it failed.
 */
final class Tidying {
  private static final Logger LOG = LoggerFactory.getLogger(Tidying.class);
  private static final Duration RESTORE_LIMIT = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final LoopContext context;
  private final Tenure tenure;
  private EngineException failed;

  Tidying(LoopContext context, Tenure tenure) {
    this.context = context;
    this.tenure = tenure;
  }

  @FunctionalInterface
  private interface Step {
    void run() throws EngineException;
  }

  private void step(String what, Step step) throws LostControlException {
    try {
      step.run();
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      LOG.error("{} failed", what, e);
      failed = failed == null ? e : failed;
    } catch (RuntimeException e) {
      LOG.error("{} failed", what, e);
      failed =
          failed == null ? new EngineException(what + " failed: " + e.getMessage(), e) : failed;
    }
  }

  /**
   * After a plan that was not done.
   *
   * @throws LostControlException if control is lost meanwhile; then the rest is left alone
   * @throws EngineException the first failure, after all steps were tried
   */
  void afterPart(Journal.Unfinished open, BalancerState before) throws EngineException {
    Plan plan = tried(open);
    Map<NodeId, NodeId> added = open.added();
    pass(plan, before, added);
    // A request that was given up, as failed or stopped, may take effect only now.
    Duration unsure = unsure(before);
    boolean longer = unsure.compareTo(BalancerHold.LATE_EFFECTS) > 0;
    context.ports().waiter().pause(longer ? unsure : BalancerHold.LATE_EFFECTS, () -> false);
    pass(plan, before, added);
    if (failed != null) {
      throw failed;
    }
  }

  /** Nodes of steps that were never begun are as others have left them since. */
  private Plan tried(Journal.Unfinished open) {
    Journal.Unfinished now =
        tenure
            .journal()
            .unfinished()
            .filter(left -> left.plan().id().equals(open.plan().id()))
            .orElse(open);
    return open.plan()
        .with(
            open.plan().actions().stream()
                .filter(
                    planned ->
                        now.begun().containsKey(planned.step())
                            || now.ended().contains(planned.step()))
                .toList());
  }

  private void pass(Plan plan, BalancerState before, Map<NodeId, NodeId> added)
      throws LostControlException {
    failed = null;
    step(
        "tidying up the nodes",
        () -> {
          ClusterSnapshot now = look(concerned(plan, added));
          for (Action.DrainNode drain : plan.actions(Action.DrainNode.class)) {
            step("reopening node " + drain.node(), () -> undrain(drain.node(), now));
          }
          for (NodeId node : added.values()) {
            step("releasing node " + node, () -> giveBack(node, now));
          }
          for (NodeId placeholder : unanswered(plan, added)) {
            withdraw(Performer.request(plan.id(), placeholder), now);
          }
          for (Action.RemoveNode remove : plan.actions(Action.RemoveNode.class)) {
            step("keeping node " + remove.node(), () -> keep(remove.node(), now));
          }
          for (Action.Reconfigure change : plan.actions(Action.Reconfigure.class)) {
            step("persisting the profile of node " + change.node(), () -> persist(change, now));
          }
        });
    step("restoring the balancer", () -> restore(before));
  }

  /**
   * A look at the whole cluster as it is now. A partial or old one could take a node that serves
   * for one that never did: without HBase's master there are no nodes in it at all. Nodes that the
   * plan did not touch need not be read.
   *
   * @param concerned nodes that are to be tidied up
   * @throws EngineException if there is none
   */
  private ClusterSnapshot look(Set<NodeId> concerned) throws EngineException {
    long begun = context.ports().time().nanos();
    while (true) {
      Instant asked = context.ports().clock().instant();
      ClusterSnapshot now = context.engine().snapshot();
      Optional<String> problem = problem(now, concerned, asked, context.ports().clock().instant());
      if (problem.isEmpty()) {
        return now;
      }
      if (context.ports().time().nanos() - begun > RESTORE_LIMIT.toNanos()) {
        throw new EngineException(problem.get());
      }
      LOG.warn("tidying up waits: {}", problem.get());
      if (!context.ports().waiter().pause(PAUSE, () -> false)) {
        throw new EngineException("interrupted: " + problem.get());
      }
    }
  }

  /**
   * A look from before it was asked for, however young, may not show what the plan has done. Where
   * the wall clock was set back meanwhile, such a look seems to come from the future.
   */
  private static Optional<String> problem(
      ClusterSnapshot now, Set<NodeId> concerned, Instant asked, Instant answered) {
    Optional<String> gap =
        now.unreadNodes().stream()
            .filter(node -> concerned.contains(node.id()))
            .flatMap(node -> node.read().failure().stream())
            .findFirst()
            .or(() -> now.clusterGaps().stream().findFirst());
    if (gap.isPresent()) {
      return Optional.of("the snapshot is partial: " + gap.get());
    }
    return now.takenAt().isBefore(asked) || now.takenAt().isAfter(answered)
        ? Optional.of("the snapshot of " + now.takenAt() + " was not taken now")
        : Optional.empty();
  }

  private static Set<NodeId> concerned(Plan plan, Map<NodeId, NodeId> added) {
    Set<NodeId> nodes = new TreeSet<>(added.values());
    plan.actions(Action.DrainNode.class).forEach(drain -> nodes.add(drain.node()));
    plan.actions(Action.RemoveNode.class).forEach(remove -> nodes.add(remove.node()));
    plan.actions(Action.Reconfigure.class).forEach(change -> nodes.add(change.node()));
    return nodes;
  }

  /** After a plan that was done; as {@link #afterPart}. */
  void after(BalancerState before) throws EngineException {
    Duration unsure = unsure(before);
    if (!unsure.isZero()) {
      // Not on at once and once more: the balancer would undo meanwhile what the plan has done.
      LOG.info("the engine's balancing is given back in {} s", unsure.toSeconds() + 1);
      context.ports().waiter().pause(unsure, () -> false);
    }
    step("restoring the balancer", () -> restore(before));
    if (failed != null) {
      throw failed;
    }
  }

  /** For how long a request to switch the balancer off may still come, where it is to be on. */
  private Duration unsure(BalancerState before) {
    return before.equals(BalancerState.PAUSED)
        ? Duration.ZERO
        : tenure.balancerUnsure(context.ports());
  }

  private void restore(BalancerState before) throws EngineException {
    long begun = context.ports().time().nanos();
    while (true) {
      try {
        context.engine().setBalancer(before);
        return;
      } catch (LostControlException e) {
        throw e;
      } catch (EngineException e) {
        if (context.ports().time().nanos() - begun > RESTORE_LIMIT.toNanos()) {
          throw e;
        }
        LOG.warn("the balancer could not be put back yet", e);
        if (!context.ports().waiter().pause(PAUSE, () -> false)) {
          throw new EngineException("interrupted", e);
        }
      }
    }
  }

  /** Reopens a node that was draining and is still live. */
  private void undrain(NodeId node, ClusterSnapshot now) throws EngineException {
    if (now.node(node).filter(NodeState::alive).isPresent()) {
      context.engine().setDraining(node, false);
    }
  }

  /**
   * Releases a node that was started but never served; otherwise it would join, or fail, some time
   * after the plan.
   */
  private void giveBack(NodeId node, ClusterSnapshot now) throws EngineException {
    if (now.node(node).isEmpty()) {
      Performer.provider(context).remove(node, limit());
    }
  }

  /** The nodes that were asked for, and of which nobody has heard. */
  private static Set<NodeId> unanswered(Plan plan, Map<NodeId, NodeId> added) {
    Set<NodeId> placeholders = new TreeSet<>();
    plan.actions(Action.AddNode.class).forEach(add -> placeholders.add(add.placeholder()));
    plan.actions(Action.ReplaceNode.class).forEach(one -> placeholders.add(one.placeholder()));
    placeholders.removeAll(added.keySet());
    return placeholders;
  }

  /** A provider that can't be asked is no reason to leave the plan open: node sweep finds it. */
  private void withdraw(String request, ClusterSnapshot now) throws LostControlException {
    Set<NodeId> members = new TreeSet<>();
    now.nodes().forEach(node -> members.add(node.id()));
    try {
      Performer.provider(context).withdraw(request, members, limit());
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException | RuntimeException e) {
      LOG.warn("request {} could not be withdrawn; trimtab node sweep finds it", request, e);
    }
  }

  /**
   * Restarts a node that was leaving the ring but can't, or is to stay, so that it keeps its
   * tokens; until then all other nodes wait for it to leave. One that has left meanwhile is
   * released as planned: its process would run on for nothing.
   */
  private void keep(NodeId leaving, ClusterSnapshot now) throws EngineException {
    if (!PlacementModel.of(now).staysOnlyByRestart()) {
      return;
    }
    if (now.node(leaving).isEmpty()) {
      Performer.provider(context).remove(leaving, limit());
      return;
    }
    Optional<NodeState> node = now.node(leaving).filter(n -> n.alive() && n.draining());
    if (node.isPresent()) {
      Performer.provider(context).restart(leaving, limit());
      context.engine().awaitNode(leaving, node.get().incarnation(), limit());
    }
  }

  /**
   * The profile that a node has now is that of its next start: a plan may end between the two steps
   * of a change. A node that is not the provider's was not restarted, and nothing is stored of it.
   */
  private void persist(Action.Reconfigure change, ClusterSnapshot now) throws EngineException {
    Optional<Profile> profile =
        now.node(change.node()).filter(NodeState::alive).flatMap(NodeState::profile);
    if (profile.isEmpty() || context.provider().isEmpty()) {
      return;
    }
    Performer.persist(context.provider().get(), change.node(), profile.get())
        .ifPresent(e -> LOG.info("the profile of node {} is not stored", change.node(), e));
  }

  private Duration limit() {
    return context.settings().guard().actionLimit();
  }
}
