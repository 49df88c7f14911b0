package io.trimtab.controller.guard;

import io.trimtab.controller.health.Quarantine;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What may not be done while nodes can't be read. Each action returns the node that could not be
 * read and that it would involve; empty if there is none. In a ring any node that joins or leaves
 * changes the ranges of others, which are not known here: it involves every node of its data
 * centre, or of all where its place is not known.
 */
public final class UnreadNodes implements ActionVisitor<Optional<NodeId>, RuntimeException> {
  private final ClusterSnapshot now;
  private final Map<NodeId, NodeId> added;
  private final Set<NodeId> unread;
  private final boolean ring;

  private UnreadNodes(ClusterSnapshot now, Map<NodeId, NodeId> added) {
    this.now = now;
    this.added = added;
    this.unread = Quarantine.ids(now);
    this.ring = !PlacementModel.of(now).assignsPartitions();
  }

  /**
   * Why actions must not begin, if one of them involves a node that could not be read.
   *
   * @param added nodes that have joined by the plan's placeholders
   */
  public static Optional<Guard.Verdict.Refuse> touched(
      Iterable<PlannedAction> actions, ClusterSnapshot now, Map<NodeId, NodeId> added) {
    UnreadNodes check = new UnreadNodes(now, added);
    if (check.unread.isEmpty()) {
      return Optional.empty();
    }
    for (PlannedAction planned : actions) {
      Optional<NodeId> node = planned.action().accept(check);
      if (node.isPresent()) {
        return Optional.of(
            new Guard.Verdict.Refuse(
                "%s involves node %s, which could not be read: %s"
                    .formatted(planned.action().kind(), node.get(), why(now, node.get())),
                ""));
      }
    }
    return Optional.empty();
  }

  /**
   * Why the last step of a node's removal, restart or replacement must not be taken, as a sentence.
   */
  public static Optional<String> involved(ClusterSnapshot now, NodeId node) {
    return new UnreadNodes(now, Map.of())
        .member(node)
        .map(id -> "node %s could not be read: %s".formatted(id, why(now, id)));
  }

  private static String why(ClusterSnapshot now, NodeId node) {
    return now.node(node).flatMap(n -> n.read().failure()).orElse("");
  }

  /**
   * Why a controller that begins could only wait, without an end: of all nodes that are alive none
   * could be read, as for want of a permission or a certificate. Empty if one could, or none is
   * alive.
   */
  public static Optional<String> all(ClusterSnapshot seen) {
    List<NodeState> unread = seen.unreadNodes();
    return unread.size() < seen.liveNodes().size()
        ? Optional.empty()
        : unread.stream()
            .findFirst()
            .flatMap(node -> node.read().failure())
            .map(why -> "no node could be read; " + why);
  }

  /**
   * Why nothing may be decided: too many nodes could not be read. Where all could be read, dead
   * ones are the guard's matter alone.
   *
   * @param known dead nodes that do not count
   */
  public static Optional<Guard.Verdict.Refuse> blind(
      ClusterSnapshot seen, Set<NodeId> known, GuardSettings guard) {
    return seen.unreadNodes().isEmpty() ? Optional.empty() : tooMany(seen, known, guard);
  }

  /**
   * Why nothing may be done at all: too many nodes are dead or could not be read.
   *
   * @param known dead nodes that do not count
   */
  static Optional<Guard.Verdict.Refuse> tooMany(
      ClusterSnapshot seen, Set<NodeId> known, GuardSettings guard) {
    List<NodeState> unread = seen.unreadNodes();
    long bad =
        unread.size()
            + seen.nodes().stream().filter(n -> !n.alive() && !known.contains(n.id())).count();
    if (bad <= guard.badNodesMax() * seen.nodes().size()) {
      return Optional.empty();
    }
    String which =
        unread.isEmpty()
            ? ""
            : "; %d could not be read: %s"
                .formatted(unread.size(), unread.get(0).read().failure().orElse(""));
    return Optional.of(
        new Guard.Verdict.Refuse(
            bad + " of " + seen.nodes().size() + " nodes look unhealthy at the same time" + which,
            "guard.badNodesMax"));
  }

  /**
   * Why nodes must not leave: what nodes that could not be read serve may come to the others, and
   * would be too much for those that are left.
   */
  static Optional<Guard.Verdict.Refuse> tooLittleLeft(
      Set<NodeId> leaving, ClusterSnapshot seen, HealthSettings health) {
    List<NodeState> unread = seen.unreadNodes();
    if (leaving.isEmpty() || unread.isEmpty()) {
      return Optional.empty();
    }
    double load = 0;
    int left = 0;
    for (NodeState node : seen.liveNodes()) {
      load += Quarantine.usage(node, health);
      boolean stays = node.readable() && !node.draining() && !leaving.contains(node.id());
      left += stays ? 1 : 0;
    }
    if (left > 0 && load / left <= health.high()) {
      return Optional.empty();
    }
    NodeState first = unread.get(0);
    return Optional.of(
        new Guard.Verdict.Refuse(
            String.format(
                Locale.ROOT,
                "node %s could not be read and counts as %.2f used; if its load came to the nodes"
                    + " that would be left, they would be at %s",
                first.id(),
                Quarantine.usage(first, health),
                left == 0 ? "infinity" : String.format(Locale.ROOT, "%.2f", load / left)),
            "health.unreadGrowth"));
  }

  private NodeId id(NodeId planned) {
    return added.getOrDefault(planned, planned);
  }

  private Optional<NodeId> node(NodeId planned) {
    return Optional.of(id(planned)).filter(unread::contains);
  }

  private Optional<NodeId> partition(PartitionId id) {
    return now.partition(id).flatMap(PartitionState::node).filter(unread::contains);
  }

  /** The node itself; in a ring any of its data centre. */
  private Optional<NodeId> member(NodeId planned) {
    Optional<NodeState> state = now.node(id(planned));
    if (!ring || state.isEmpty()) {
      return ring ? any() : node(planned);
    }
    String dataCentre = state.get().dataCentre();
    return now.unreadNodes().stream()
        .filter(n -> n.dataCentre().equals(dataCentre))
        .map(NodeState::id)
        .findFirst();
  }

  private Optional<NodeId> any() {
    return unread.stream().findFirst();
  }

  @Override
  public Optional<NodeId> move(Action.Move move) {
    return partition(move.partition()).or(() -> node(move.from())).or(() -> node(move.to()));
  }

  @Override
  public Optional<NodeId> split(Action.Split split) {
    return partition(split.partition()).or(() -> node(split.rightTo()));
  }

  @Override
  public Optional<NodeId> merge(Action.Merge merge) {
    return partition(merge.left()).or(() -> partition(merge.right()));
  }

  @Override
  public Optional<NodeId> reconfigure(Action.Reconfigure change) {
    return change.way() == Action.ApplyMode.RESTART ? member(change.node()) : node(change.node());
  }

  @Override
  public Optional<NodeId> setNode(Action.SetNode set) {
    return node(set.node());
  }

  /** Every partition of the table is reopened, and takes the size with its next compaction. */
  @Override
  public Optional<NodeId> setBlockSize(Action.SetBlockSize size) {
    return now.partitions().stream()
        .filter(p -> p.id().table().equals(size.table()))
        .flatMap(p -> p.node().stream())
        .filter(unread::contains)
        .findFirst();
  }

  @Override
  public Optional<NodeId> compact(Action.Compact compact) {
    return partition(compact.partition());
  }

  @Override
  public Optional<NodeId> addNode(Action.AddNode add) {
    return ring ? any() : Optional.empty();
  }

  @Override
  public Optional<NodeId> replaceNode(Action.ReplaceNode replace) {
    return member(replace.dead());
  }

  @Override
  public Optional<NodeId> cleanup(Action.Cleanup cleanup) {
    return node(cleanup.node());
  }

  @Override
  public Optional<NodeId> drainNode(Action.DrainNode drain) {
    return node(drain.node());
  }

  @Override
  public Optional<NodeId> removeNode(Action.RemoveNode remove) {
    return member(remove.node());
  }
}
