package io.trimtab.controller.guard;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an action assumes about the objects that it is about to touch. A plan is minutes old when
 * its last action begins: an operator or the engine may have moved, split or removed them since.
 */
public final class Preconditions implements ActionVisitor<Optional<String>, RuntimeException> {
  private static final Optional<String> MET = Optional.empty();

  private final ClusterSnapshot now;
  private final Map<NodeId, NodeId> added;

  private Preconditions(ClusterSnapshot now, Map<NodeId, NodeId> added) {
    this.now = now;
    this.added = added;
  }

  /**
   * The first assumption of actions that are about to begin that no longer holds, as a sentence;
   * empty if all hold, or the action has been done already.
   *
   * @param now taken after all earlier actions of the plan have ended
   * @param added nodes by the plan's placeholders
   */
  public static Optional<String> violated(
      Iterable<PlannedAction> batch, ClusterSnapshot now, Map<NodeId, NodeId> added) {
    Preconditions check = new Preconditions(now, added);
    for (PlannedAction planned : batch) {
      Optional<String> violated = planned.action().accept(check);
      if (violated.isPresent()) {
        return violated;
      }
    }
    return MET;
  }

  /** The same for one action. */
  public static Optional<String> violated(
      Action action, ClusterSnapshot now, Map<NodeId, NodeId> added) {
    return action.accept(new Preconditions(now, added));
  }

  /** Dead nodes that a plan replaces or removes, and that are no reason not to continue it. */
  public static Stream<NodeId> expectedDead(Plan plan) {
    return Stream.concat(
        plan.actions(Action.ReplaceNode.class).stream().map(Action.ReplaceNode::dead),
        plan.actions(Action.RemoveNode.class).stream().map(Action.RemoveNode::node));
  }

  private Optional<String> target(NodeId planned) {
    NodeId node = added.getOrDefault(planned, planned);
    Optional<NodeState> state = now.node(node);
    if (state.isEmpty()) {
      return Optional.of("node " + node + " is no longer in the cluster");
    }
    if (!state.get().alive()) {
      return Optional.of("node " + node + " is dead");
    }
    return state.get().draining()
        ? Optional.of("node " + node + " was closed for new partitions")
        : MET;
  }

  private Optional<String> live(NodeId planned) {
    NodeId node = added.getOrDefault(planned, planned);
    return now.node(node).filter(NodeState::alive).isPresent()
        ? MET
        : Optional.of("node " + node + " is dead or no longer in the cluster");
  }

  private static Optional<String> gone(PartitionId partition) {
    return Optional.of("partition " + partition + " no longer exists: it was split or merged");
  }

  @Override
  public Optional<String> move(Action.Move move) {
    Optional<PartitionState> partition = now.partition(move.partition());
    if (partition.isEmpty()) {
      return gone(move.partition());
    }
    Optional<NodeId> at = partition.get().node();
    NodeId from = added.getOrDefault(move.from(), move.from());
    NodeId to = added.getOrDefault(move.to(), move.to());
    if (at.isPresent() && !at.get().equals(from) && !at.get().equals(to)) {
      return Optional.of(
          "partition "
              + move.partition()
              + " was moved by somebody else: it is on "
              + at.get()
              + ", not on "
              + from);
    }
    return target(move.to());
  }

  @Override
  public Optional<String> split(Action.Split split) {
    Optional<PartitionState> partition = now.partition(split.partition());
    if (partition.isPresent()) {
      return partition.get().range().equals(KeyRange.ALL)
              || partition.get().range().splitsAt(split.key())
          ? target(split.rightTo())
          : Optional.of("partition " + split.partition() + " does not contain the key any more");
    }
    boolean done =
        now.partitions().stream()
            .anyMatch(
                p ->
                    p.id().table().equals(split.partition().table())
                        && p.range().start().equals(split.key()));
    return done ? target(split.rightTo()) : gone(split.partition());
  }

  @Override
  public Optional<String> merge(Action.Merge merge) {
    boolean left = now.partition(merge.left()).isPresent();
    boolean right = now.partition(merge.right()).isPresent();
    boolean done =
        now.partitions().stream()
            .anyMatch(
                p ->
                    p.id().table().equals(merge.left().table()) && p.range().equals(merge.range()));
    if (done || (left && right)) {
      return MET;
    }
    return gone(left ? merge.right() : merge.left());
  }

  @Override
  public Optional<String> reconfigure(Action.Reconfigure change) {
    // A restart that was interrupted has left a node that is down; it is started again.
    return change.way() == Action.ApplyMode.RESTART ? known(change.node()) : live(change.node());
  }

  private Optional<String> known(NodeId node) {
    return now.node(node).isPresent()
        ? MET
        : Optional.of("node " + node + " is no longer in the cluster");
  }

  @Override
  public Optional<String> setNode(Action.SetNode set) {
    return live(set.node());
  }

  @Override
  public Optional<String> setBlockSize(Action.SetBlockSize size) {
    return now.partitions().stream().anyMatch(p -> p.id().table().equals(size.table()))
        ? MET
        : Optional.of("table " + size.table() + " no longer exists");
  }

  @Override
  public Optional<String> compact(Action.Compact compact) {
    return now.partition(compact.partition()).isPresent() ? MET : gone(compact.partition());
  }

  @Override
  public Optional<String> addNode(Action.AddNode add) {
    return MET;
  }

  @Override
  public Optional<String> replaceNode(Action.ReplaceNode replace) {
    boolean back = now.node(replace.dead()).filter(NodeState::alive).isPresent();
    return back && !added.containsKey(replace.placeholder())
        ? Optional.of("node " + replace.dead() + " is back, and is not replaced")
        : MET;
  }

  @Override
  public Optional<String> cleanup(Action.Cleanup cleanup) {
    return live(cleanup.node());
  }

  @Override
  public Optional<String> drainNode(Action.DrainNode drain) {
    return live(drain.node());
  }

  @Override
  public Optional<String> removeNode(Action.RemoveNode remove) {
    boolean alive = now.node(remove.node()).filter(NodeState::alive).isPresent();
    int left = now.liveNodes().size() - (alive ? 1 : 0);
    return left < now.replication()
        ? Optional.of(
            "without node %s only %d nodes would be left for %d copies"
                .formatted(remove.node(), left, now.replication()))
        : Topology.refusesNow(now, remove.node());
  }
}
