package io.trimtab.controller.guard;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cluster as it is when the actions that were visited have ended. Only what they change is
 * kept, so that a plan can be walked before each of its batches in a cluster of any size.
 */
final class PlanAhead implements ActionVisitor<Void, RuntimeException> {
  private final ClusterSnapshot now;
  private final Map<NodeId, NodeId> added;
  private final Map<NodeId, Optional<NodeState>> nodes = new HashMap<>();
  private final Map<PartitionId, NodeId> moved = new HashMap<>();
  private final Set<PartitionId> gone = new HashSet<>();

  /**
   * @param added nodes by the plan's placeholders
   */
  PlanAhead(ClusterSnapshot now, Map<NodeId, NodeId> added) {
    this.now = now;
    this.added = added;
  }

  /** The node's own id, if the plan only has a placeholder for it. */
  NodeId id(NodeId planned) {
    return added.getOrDefault(planned, planned);
  }

  Optional<NodeState> node(NodeId planned) {
    NodeId id = id(planned);
    return nodes.containsKey(id) ? nodes.get(id) : now.node(id);
  }

  boolean has(PartitionId partition) {
    return !gone.contains(partition) && now.partition(partition).isPresent();
  }

  /** The node that serves a partition; empty if none does now. */
  Optional<NodeId> at(PartitionId partition) {
    return Optional.ofNullable(moved.get(partition))
        .or(() -> now.partition(partition).flatMap(PartitionState::node));
  }

  private void put(NodeState state) {
    nodes.put(state.id(), Optional.of(state));
  }

  private void start(NodeId placeholder, Profile profile) {
    // One that was started before a crash may be in the snapshot already, with all that it has.
    if (node(placeholder).filter(NodeState::alive).isEmpty()) {
      put(
          new NodeState(
              id(placeholder),
              1,
              true,
              false,
              Optional.of(profile),
              true,
              new NodeUsage(0, 0, 0, 0),
              NodeGauges.UNKNOWN));
    }
  }

  private static NodeState open(NodeState n, boolean alive, boolean draining) {
    return new NodeState(
        n.id(),
        n.incarnation(),
        alive,
        draining,
        n.profile(),
        n.onlineProfile(),
        n.usage(),
        n.gauges(),
        n.settings(),
        n.dataCentre(),
        n.rack());
  }

  @Override
  public Void move(Action.Move move) {
    moved.put(move.partition(), id(move.to()));
    return null;
  }

  @Override
  public Void split(Action.Split split) {
    gone.add(split.partition());
    return null;
  }

  @Override
  public Void merge(Action.Merge merge) {
    gone.add(merge.left());
    gone.add(merge.right());
    return null;
  }

  /** A node that was emptied for a restart is open again afterwards. */
  @Override
  public Void reconfigure(Action.Reconfigure change) {
    boolean restart = change.way() == Action.ApplyMode.RESTART;
    node(change.node())
        .map(n -> n.with(change.to()))
        .map(n -> restart ? open(n, true, false) : n)
        .ifPresent(this::put);
    return null;
  }

  @Override
  public Void setNode(Action.SetNode set) {
    node(set.node())
        .map(
            n -> {
              Map<NodeSetting, Integer> settings = new EnumMap<>(NodeSetting.class);
              settings.putAll(n.settings());
              settings.put(set.setting(), set.to());
              return n.with(settings);
            })
        .ifPresent(this::put);
    return null;
  }

  @Override
  public Void setBlockSize(Action.SetBlockSize size) {
    return null;
  }

  @Override
  public Void compact(Action.Compact compact) {
    return null;
  }

  @Override
  public Void addNode(Action.AddNode add) {
    start(add.placeholder(), add.profile());
    return null;
  }

  @Override
  public Void replaceNode(Action.ReplaceNode replace) {
    nodes.put(replace.dead(), Optional.empty());
    start(replace.placeholder(), replace.profile());
    return null;
  }

  @Override
  public Void cleanup(Action.Cleanup cleanup) {
    return null;
  }

  @Override
  public Void drainNode(Action.DrainNode drain) {
    node(drain.node()).map(n -> open(n, n.alive(), true)).ifPresent(this::put);
    return null;
  }

  @Override
  public Void removeNode(Action.RemoveNode remove) {
    nodes.put(id(remove.node()), Optional.empty());
    return null;
  }
}
