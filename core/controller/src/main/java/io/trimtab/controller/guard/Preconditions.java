package io.trimtab.controller.guard;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.NodeWanted;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What an action assumes about the objects that it is about to touch. A plan is minutes old when
 * its last action begins: an operator or the engine may have moved, split or removed them since.
 */
public final class Preconditions implements ActionVisitor<Optional<String>, RuntimeException> {
  private static final Optional<String> MET = Optional.empty();

  private final ClusterSnapshot now;
  private final PlanAhead ahead;
  private final Map<NodeId, NodeId> added;

  private Preconditions(ClusterSnapshot now, Map<NodeId, NodeId> added) {
    this.now = now;
    this.ahead = new PlanAhead(now, added);
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

  /**
   * The same for all that is left of a plan, the batch that is about to begin included. Each action
   * is judged on what those before it make of the cluster.
   */
  public static Optional<String> violatedByRest(
      Iterable<PlannedAction> left, ClusterSnapshot now, Map<NodeId, NodeId> added) {
    Preconditions check = new Preconditions(now, added);
    for (PlannedAction planned : left) {
      // Whether a node may go is known when the copies on the nodes before it are.
      boolean later = planned.action().as(Action.RemoveNode.class).isPresent();
      Optional<String> violated = later ? MET : planned.action().accept(check);
      if (violated.isPresent()) {
        return violated;
      }
      planned.action().accept(check.ahead);
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
    NodeId node = ahead.id(planned);
    Optional<NodeState> state = ahead.node(node);
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
    NodeId node = ahead.id(planned);
    return ahead.node(node).filter(NodeState::alive).isPresent()
        ? MET
        : Optional.of("node " + node + " is dead or no longer in the cluster");
  }

  private static Optional<String> gone(PartitionId partition) {
    return Optional.of("partition " + partition + " no longer exists: it was split or merged");
  }

  @Override
  public Optional<String> move(Action.Move move) {
    if (!ahead.has(move.partition())) {
      return gone(move.partition());
    }
    boolean there = ahead.at(move.partition()).filter(ahead.id(move.to())::equals).isPresent();
    return (there ? MET : movedFrom(move.partition(), move.from())).or(() -> target(move.to()));
  }

  /** Where a partition is served elsewhere than planned; if its node was lost, by that. */
  private Optional<String> movedFrom(PartitionId partition, NodeId planned) {
    NodeId from = ahead.id(planned);
    return ahead
        .at(partition)
        .filter(at -> !at.equals(from))
        .map(
            at ->
                live(planned)
                    .map(lost -> "%s, and partition %s is on %s".formatted(lost, partition, at))
                    .orElse(
                        "partition %s was moved by somebody else: it is on %s, not on %s"
                            .formatted(partition, at, from)));
  }

  @Override
  public Optional<String> split(Action.Split split) {
    Optional<PartitionState> partition = now.partition(split.partition());
    if (partition.isPresent()) {
      boolean contains =
          partition.get().range().equals(KeyRange.ALL)
              || partition.get().range().splitsAt(split.key());
      // From elsewhere a half that is to leave a node could come to it instead.
      return contains
          ? movedFrom(split.partition(), split.at()).or(() -> target(split.rightTo()))
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
    boolean left = ahead.has(merge.left());
    boolean right = ahead.has(merge.right());
    if (left && right) {
      return MET;
    }
    boolean done =
        now.partitions().stream()
            .anyMatch(
                p ->
                    p.id().table().equals(merge.left().table()) && p.range().equals(merge.range()));
    return done ? MET : gone(left ? merge.right() : merge.left());
  }

  @Override
  public Optional<String> reconfigure(Action.Reconfigure change) {
    // A restart that was interrupted has left a node that is down; it is started again.
    Optional<String> absent =
        change.way() == Action.ApplyMode.RESTART ? known(change.node()) : live(change.node());
    if (absent.isPresent()) {
      return absent;
    }
    Optional<Profile> is = ahead.node(change.node()).flatMap(NodeState::profile);
    // A change that was interrupted may have changed one of both.
    boolean expected =
        is.isEmpty()
            || (same(is.get().cacheFraction(), change, Profile::cacheFraction)
                && same(is.get().memstoreFraction(), change, Profile::memstoreFraction));
    return expected
        ? MET
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the memory of node %s was changed by somebody else: block cache %.0f %%, memstore"
                    + " %.0f %%",
                ahead.id(change.node()),
                100 * is.get().cacheFraction(),
                100 * is.get().memstoreFraction()));
  }

  /** Whether a share is as before or after the change, to the precision that engines report. */
  private static boolean same(
      double share, Action.Reconfigure change, ToDoubleFunction<Profile> of) {
    return Math.abs(share - of.applyAsDouble(change.from())) < Profile.PRECISION
        || Math.abs(share - of.applyAsDouble(change.to())) < Profile.PRECISION;
  }

  private Optional<String> known(NodeId node) {
    return ahead.node(node).isPresent()
        ? MET
        : Optional.of("node " + node + " is no longer in the cluster");
  }

  @Override
  public Optional<String> setNode(Action.SetNode set) {
    Optional<String> absent = live(set.node());
    if (absent.isPresent()) {
      return absent;
    }
    Optional<Integer> is = ahead.node(set.node()).map(n -> n.settings().get(set.setting()));
    return is.isEmpty() || is.get() == set.from() || is.get() == set.to()
        ? MET
        : Optional.of(
            "the %s of node %s was changed by somebody else: it is %d, not %d"
                .formatted(set.setting().title(), ahead.id(set.node()), is.get(), set.from()));
  }

  @Override
  public Optional<String> setBlockSize(Action.SetBlockSize size) {
    Optional<PartitionState> any =
        now.partitions().stream().filter(p -> p.id().table().equals(size.table())).findFirst();
    if (any.isEmpty()) {
      return Optional.of("table " + size.table() + " no longer exists");
    }
    int is = any.get().blockSizeBytes();
    return is == size.fromBytes() || is == size.toBytes()
        ? MET
        : Optional.of(
            "the block size of table %s was changed by somebody else: it is %d bytes, not %d"
                .formatted(size.table(), is, size.fromBytes()));
  }

  @Override
  public Optional<String> compact(Action.Compact compact) {
    return ahead.has(compact.partition()) ? MET : gone(compact.partition());
  }

  @Override
  public Optional<String> addNode(Action.AddNode add) {
    return MET;
  }

  @Override
  public Optional<String> replaceNode(Action.ReplaceNode replace) {
    boolean back = ahead.node(replace.dead()).filter(NodeState::alive).isPresent();
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
    int left = now.liveNodes().size() - now.unreadNodes().size() - (alive ? 1 : 0);
    return left < now.replication()
        ? Optional.of(
            "without node %s only %d nodes would be left for %d copies"
                .formatted(remove.node(), left, now.replication()))
        : Topology.refusesNow(now, remove.node()).or(() -> elsewhere(remove.node()));
  }

  /**
   * Where a node of a ring leaves after another has joined, that one has its ranges only if it
   * stands in the same place; nobody but the provider chooses where.
   */
  private Optional<String> elsewhere(NodeId leaving) {
    Optional<String> place = now.node(leaving).map(NodeWanted::place);
    List<NodeState> joined = added.values().stream().flatMap(id -> now.node(id).stream()).toList();
    boolean isThere =
        PlacementModel.of(now).assignsPartitions()
            || place.isEmpty()
            || joined.isEmpty()
            || joined.stream().map(NodeWanted::place).anyMatch(place.get()::equals);
    return isThere
        ? MET
        : Optional.of(
            "node %s joined in %s and not in %s, so that it has not got the ranges of %s"
                .formatted(
                    joined.get(0).id(), NodeWanted.place(joined.get(0)), place.get(), leaving));
  }
}
