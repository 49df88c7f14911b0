package io.trimtab.controller.plan;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a plan makes of a snapshot when all of it goes well. */
public final class PlanApplier {
  private PlanApplier() {}

  public static ClusterSnapshot apply(Plan plan, ClusterSnapshot before) {
    List<NodeState> nodes = new ArrayList<>(before.nodes());
    Map<PartitionId, PartitionState> byId = new LinkedHashMap<>();
    before.partitions().forEach(p -> byId.put(p.id(), p));
    Effects effects = new Effects(nodes, byId);
    for (PlannedAction planned : plan.actions()) {
      planned.action().accept(effects);
    }
    nodes.sort(Comparator.comparing(NodeState::id));
    List<PartitionState> partitions = new ArrayList<>(byId.values());
    if (!plan.actions(Action.Split.class).isEmpty()
        || !plan.actions(Action.Merge.class).isEmpty()) {
      partitions.sort(Comparator.comparing(PartitionState::id));
    }
    return before.with(nodes, partitions, before.gaps()).settled();
  }

  /** Changes both as each action would; new partitions are last. */
  private record Effects(List<NodeState> nodes, Map<PartitionId, PartitionState> partitions)
      implements ActionVisitor<Void, RuntimeException> {
    @Override
    public Void move(Action.Move move) {
      partitions.computeIfPresent(
          move.partition(), (id, p) -> placed(p, move.to(), p.blockSizeBytes()));
      return null;
    }

    @Override
    public Void split(Action.Split split) {
      PlanApplier.split(partitions, split);
      return null;
    }

    @Override
    public Void merge(Action.Merge merge) {
      PlanApplier.merge(partitions, merge);
      return null;
    }

    @Override
    public Void reconfigure(Action.Reconfigure change) {
      nodes.replaceAll(n -> n.id().equals(change.node()) ? n.with(change.to()) : n);
      return null;
    }

    @Override
    public Void setNode(Action.SetNode set) {
      nodes.replaceAll(n -> n.id().equals(set.node()) ? with(n, set.setting(), set.to()) : n);
      return null;
    }

    @Override
    public Void setBlockSize(Action.SetBlockSize size) {
      partitions.replaceAll(
          (id, p) -> id.table().equals(size.table()) ? placed(p, null, size.toBytes()) : p);
      return null;
    }

    /** What it makes of the locality is not known before. */
    @Override
    public Void compact(Action.Compact compact) {
      return null;
    }

    @Override
    public Void addNode(Action.AddNode add) {
      nodes.add(started(add.placeholder(), add.profile()));
      return null;
    }

    @Override
    public Void replaceNode(Action.ReplaceNode replace) {
      nodes.replaceAll(
          n ->
              n.id().equals(replace.dead())
                  ? started(replace.placeholder(), replace.profile())
                  : n);
      return null;
    }

    /** No-op: a snapshot does not contain the disk space that this frees. */
    @Override
    public Void cleanup(Action.Cleanup cleanup) {
      return null;
    }

    /** The plan's moves empty the node, and it is removed or opened again before the plan ends. */
    @Override
    public Void drainNode(Action.DrainNode drain) {
      return null;
    }

    @Override
    public Void removeNode(Action.RemoveNode remove) {
      nodes.removeIf(n -> n.id().equals(remove.node()));
      return null;
    }
  }

  private static NodeState started(NodeId id, Profile profile) {
    return new NodeState(
        id,
        1,
        true,
        false,
        Optional.of(profile),
        true,
        new NodeUsage(0, 0, 0, 0),
        NodeGauges.UNKNOWN);
  }

  /** The halves get names that no engine would give. */
  private static void split(Map<PartitionId, PartitionState> partitions, Action.Split split) {
    PartitionState whole = take(partitions, split.partition());
    PartitionId left = new PartitionId(whole.id().table(), whole.id().name() + "-left");
    PartitionId right = new PartitionId(whole.id().table(), whole.id().name() + "-right");
    KeyRange range = whole.range();
    partitions.put(left, half(whole, left, split.at(), new KeyRange(range.start(), split.key())));
    partitions.put(
        right, half(whole, right, split.rightTo(), new KeyRange(split.key(), range.end())));
  }

  private static PartitionState half(
      PartitionState whole, PartitionId id, NodeId node, KeyRange range) {
    return new PartitionState(
        id,
        Optional.of(node),
        PartitionCounters.ZERO,
        whole.sizeBytes() / 2,
        whole.locality(),
        whole.blockSizeBytes(),
        range);
  }

  private static void merge(Map<PartitionId, PartitionState> partitions, Action.Merge merge) {
    PartitionState left = take(partitions, merge.left());
    PartitionState right = take(partitions, merge.right());
    PartitionId id = new PartitionId(left.id().table(), left.id().name() + "-merged");
    partitions.put(
        id,
        new PartitionState(
            id,
            left.node(),
            PartitionCounters.ZERO,
            left.sizeBytes() + right.sizeBytes(),
            left.locality(),
            left.blockSizeBytes(),
            merge.range()));
  }

  private static PartitionState take(Map<PartitionId, PartitionState> partitions, PartitionId id) {
    return Optional.ofNullable(partitions.remove(id)).orElseThrow();
  }

  private static PartitionState placed(PartitionState p, NodeId node, int blockSize) {
    return new PartitionState(
        p.id(),
        node == null ? p.node() : Optional.of(node),
        p.counters(),
        p.sizeBytes(),
        p.locality(),
        blockSize,
        p.range());
  }

  private static NodeState with(NodeState n, NodeSetting setting, int value) {
    Map<NodeSetting, Integer> settings = new EnumMap<>(NodeSetting.class);
    settings.putAll(n.settings());
    settings.put(setting, value);
    return n.with(settings);
  }
}
