package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What a plan changes of which node serves what, and with which memory and files. Settings of nodes
 * and cleanups are no part of it, nor are drains, whose effect is that of the plan's moves, nor is
 * the replacement of a dead node, of which nothing is predicted.
 */
final class PlanEffects implements ActionVisitor<Void, RuntimeException> {
  /** In a layout, of what no usable node serves. */
  private static final int NOWHERE = -1;

  private final Map<PartitionId, NodeId> moves = new HashMap<>();
  private final List<Action.Split> splits = new ArrayList<>();
  private final List<Action.Merge> merges = new ArrayList<>();
  private final SortedMap<NodeId, Profile> profiles = new TreeMap<>();
  private final Map<String, Integer> blockBytes = new HashMap<>();
  private final List<PartitionId> rewritten = new ArrayList<>();

  /** By ordinal. */
  private final SortedMap<Integer, Profile> added = new TreeMap<>();

  private final List<NodeId> removed = new ArrayList<>();

  private PlanEffects() {}

  static PlanEffects of(Plan plan) {
    PlanEffects effects = new PlanEffects();
    for (PlannedAction planned : plan.actions()) {
      planned.action().accept(effects);
    }
    return effects;
  }

  /** Whether there are none. */
  boolean isEmpty() {
    return moves.isEmpty()
        && splits.isEmpty()
        && merges.isEmpty()
        && profiles.isEmpty()
        && blockBytes.isEmpty()
        && rewritten.isEmpty()
        && added.isEmpty()
        && removed.isEmpty();
  }

  /** The cluster as the plan leaves it; empty if it is about partitions that were not seen. */
  Optional<Layout> on(ClusterLoad load) {
    Layout layout = Layout.now(load);
    added.values().forEach(layout::add);
    Map<NodeId, Integer> nodes = new HashMap<>();
    layout.present().forEach(n -> nodes.put(layout.name(n), n));
    Optional<int[]> at = places(load, nodes);
    if (at.isEmpty()) {
      return Optional.empty();
    }
    profiles.forEach(
        (node, profile) -> {
          if (nodes.containsKey(node)) {
            layout.configure(nodes.get(node), profile);
          }
        });
    layout.placeAll(at.get());
    for (Action.Split split : splits) {
      int p = load.partitions().indexOf(split.partition());
      int to = nodes.getOrDefault(split.rightTo(), NOWHERE);
      layout.split(p, split.key(), split.leftShare(), to);
    }
    rewrite(layout);
    removed.stream().filter(nodes::containsKey).forEach(node -> layout.remove(nodes.get(node)));
    layout.predictCaches();
    return Optional.of(layout);
  }

  /**
   * By partition, the node that it is on before it is split; merged ones are together. Empty if a
   * partition was not seen.
   */
  private Optional<int[]> places(ClusterLoad load, Map<NodeId, Integer> nodes) {
    int[] at = IntStream.range(0, load.partitions().size()).map(load::at).toArray();
    boolean seen = splits.stream().allMatch(s -> load.partitions().indexOf(s.partition()) >= 0);
    for (Map.Entry<PartitionId, NodeId> move : moves.entrySet()) {
      int p = load.partitions().indexOf(move.getKey());
      seen &= p >= 0;
      if (p >= 0) {
        at[p] = nodes.getOrDefault(move.getValue(), NOWHERE);
      }
    }
    for (Action.Merge merge : merges) {
      int left = load.partitions().indexOf(merge.left());
      int right = load.partitions().indexOf(merge.right());
      seen &= left >= 0 && right >= 0;
      if (left >= 0 && right >= 0) {
        at[right] = at[left];
      }
    }
    return seen ? Optional.of(at) : Optional.empty();
  }

  private void rewrite(Layout layout) {
    ClusterLoad load = layout.load();
    SortedMap<String, List<Integer>> resized = new TreeMap<>();
    List<Integer> others = new ArrayList<>();
    for (PartitionId id : rewritten) {
      int p = load.partitions().indexOf(id);
      // Of one that was split the halves are, of which nothing is known.
      if (p >= 0 && layout.nodeOf(p) >= 0) {
        List<Integer> of =
            blockBytes.containsKey(id.table())
                ? resized.computeIfAbsent(id.table(), table -> new ArrayList<>())
                : others;
        of.add(p);
      }
    }
    resized.forEach((table, of) -> BlockSizes.resize(layout, of, blockBytes.get(table)));
    LocalFiles.rewrite(layout, others);
  }

  @Override
  public Void move(Action.Move move) {
    moves.put(move.partition(), move.to());
    return null;
  }

  @Override
  public Void split(Action.Split split) {
    splits.add(split);
    return null;
  }

  @Override
  public Void merge(Action.Merge merge) {
    merges.add(merge);
    return null;
  }

  @Override
  public Void reconfigure(Action.Reconfigure change) {
    profiles.put(change.node(), change.to());
    return null;
  }

  @Override
  public Void setNode(Action.SetNode set) {
    return null;
  }

  @Override
  public Void setBlockSize(Action.SetBlockSize size) {
    blockBytes.put(size.table(), size.toBytes());
    return null;
  }

  @Override
  public Void compact(Action.Compact compact) {
    rewritten.add(compact.partition());
    return null;
  }

  @Override
  public Void addNode(Action.AddNode add) {
    added.put(add.ordinal(), add.profile());
    return null;
  }

  @Override
  public Void replaceNode(Action.ReplaceNode replace) {
    return null;
  }

  @Override
  public Void cleanup(Action.Cleanup cleanup) {
    return null;
  }

  @Override
  public Void drainNode(Action.DrainNode drain) {
    return null;
  }

  @Override
  public Void removeNode(Action.RemoveNode remove) {
    removed.add(remove.node());
    return null;
  }
}
