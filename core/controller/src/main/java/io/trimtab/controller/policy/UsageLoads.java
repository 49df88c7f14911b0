package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What the usage policy places, and around what. In a packing the nodes with partitions that stay
 * come first, in this order of their names; the others are interchangeable.
 */
final class UsageLoads {
  private final UsagePredictor model;
  private final double cacheBytes;

  /** Partitions, what they ask for, and their places if they stay; all by the same index. */
  private final List<PartitionId> ids = new ArrayList<>();

  private final List<UsagePacking.Item> items = new ArrayList<>();
  private final int[] pinned;

  private final List<NodeId> keeping;

  /** By keeping node, its usage with nothing but what stays. */
  private final double[] floors;

  /** Of the present node with the greatest usage that depends on where partitions are placed. */
  private final double now;

  /**
   * What stays on a node that is dead or about to leave is neither placed nor counted: where it
   * goes is not this policy's doing.
   *
   * @param items by partition, in the snapshot's order
   * @param nodes that are usable
   * @param cacheBytes of each node
   */
  UsageLoads(
      DecisionContext context,
      UsagePredictor model,
      Map<PartitionId, UsagePacking.Item> items,
      List<NodeState> nodes,
      double cacheBytes) {
    this.model = model;
    this.cacheBytes = cacheBytes;
    Observation.Usable seen = context.seen();
    Map<NodeId, List<UsagePacking.Item>> on = new TreeMap<>();
    Map<NodeId, List<UsagePacking.Item>> staying = new TreeMap<>();
    nodes.forEach(node -> on.put(node.id(), new ArrayList<>()));
    List<NodeId> pins = new ArrayList<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      UsagePacking.Item item = items.get(p.id());
      NodeId at = p.node().orElse(null);
      boolean usable = at != null && on.containsKey(at);
      boolean stays = context.stays(p);
      if (usable) {
        on.get(at).add(item);
      }
      if (stays && usable) {
        staying.computeIfAbsent(at, n -> new ArrayList<>()).add(item);
      }
      if (!stays || usable || at == null) {
        this.ids.add(p.id());
        this.items.add(item);
        pins.add(stays ? at : null);
      }
    }
    keeping = List.copyOf(staying.keySet());
    Map<NodeId, Integer> index = new HashMap<>();
    keeping.forEach(node -> index.put(node, index.size()));
    pinned = pins.stream().mapToInt(n -> n == null ? UsagePacking.FREE : index.get(n)).toArray();
    floors = keeping.stream().mapToDouble(node -> usage(staying.get(node))).toArray();
    now =
        on.entrySet().stream()
            .filter(e -> !full(e.getValue(), staying.get(e.getKey())))
            .mapToDouble(e -> usage(e.getValue()))
            .max()
            .orElse(0);
  }

  private static boolean full(List<UsagePacking.Item> all, List<UsagePacking.Item> staying) {
    return staying != null && staying.size() == all.size();
  }

  private double usage(List<UsagePacking.Item> held) {
    return UsagePacking.usage(model, held, cacheBytes);
  }

  List<PartitionId> ids() {
    return ids;
  }

  /** The nodes with partitions that stay: none of them can be given up. */
  List<NodeId> keeping() {
    return keeping;
  }

  double now() {
    return now;
  }

  /** Usage of a node that holds nothing. */
  double idle() {
    return usage(List.of());
  }

  /** Whether there is a partition that may be placed. */
  boolean movable() {
    return Arrays.stream(pinned).anyMatch(n -> n == UsagePacking.FREE);
  }

  /**
   * @param nodes no fewer than {@link #keeping}
   */
  UsagePacking.Packed pack(int nodes, long predictions) {
    return UsagePacking.pack(model, items, pinned, nodes, cacheBytes, predictions);
  }

  /**
   * Whether a packing may exist whose {@link UsagePacking.Packed#mostPlaced} is at most a limit.
   * Nothing can be added to a node that is above it with what stays alone.
   */
  boolean mayFit(int nodes, double limit) {
    if (!movable()) {
      return true;
    }
    int open = nodes - (int) Arrays.stream(floors).filter(usage -> usage > limit).count();
    List<UsagePacking.Item> rest =
        IntStream.range(0, pinned.length)
            .filter(i -> pinned[i] == UsagePacking.FREE || floors[pinned[i]] <= limit)
            .mapToObj(items::get)
            .toList();
    return open > 0 && UsagePacking.bound(model, rest, open, cacheBytes) <= limit;
  }
}
