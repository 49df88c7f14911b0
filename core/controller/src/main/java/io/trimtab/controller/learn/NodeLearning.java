package io.trimtab.controller.learn;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.models.usage.NodeKind;
import io.trimtab.models.usage.UsageModel;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What requests cost, learned for each kind of node: of as many cores, as much heap, the same limit
 * of its disk, and whose I/O wait is computed from the same source. A node of which one of these
 * changes is of another kind from then on, and nothing of its former kind is forgotten. Immutable,
 * of constant size for the same kinds.
 */
public final class NodeLearning {
  public static final NodeLearning NOTHING = new NodeLearning(new TreeMap<>(), Map.of());

  /** Samples below which a kind without nodes is forgotten. */
  private static final double GONE = 0.5;

  /**
   * Nodes that are alike.
   *
   * @param node what they are, by the keys of fingerprints
   */
  private record Kind(SortedMap<String, String> node, CostLearner learner) {
    private Kind with(CostLearner more) {
      return new Kind(node, more);
    }

    /** What one of them does not tell is not compared; the source of its I/O wait always is. */
    private boolean isOf(Map<String, String> its) {
      return NodeKind.difference(node, its).isEmpty() && source(node).equals(source(its));
    }

    /** With what a node tells that those before did not. */
    private Kind completed(Map<String, String> its) {
      SortedMap<String, String> all = new TreeMap<>(its);
      all.putAll(node);
      return new Kind(all, learner);
    }

    private static String source(Map<String, String> node) {
      return node.getOrDefault(UsageModel.WAIT_SOURCE, "");
    }
  }

  /** By a number that a kind keeps. */
  private final SortedMap<Integer, Kind> kinds;

  /** The kind that a node was of when its usage was last known. */
  private final Map<NodeId, Integer> kindOf;

  private NodeLearning(SortedMap<Integer, Kind> kinds, Map<NodeId, Integer> kindOf) {
    this.kinds = kinds;
    this.kindOf = kindOf;
  }

  /**
   * With what nodes have used for what they served since the last snapshot.
   *
   * @param earlier empty if it is the first one
   * @param unexplained nodes whose usage is not explained by what they served
   */
  public NodeLearning with(
      Optional<ClusterSnapshot> earlier, ClusterSnapshot next, Set<NodeId> unexplained) {
    SortedMap<Integer, Kind> all = new TreeMap<>(kinds);
    Map<NodeId, Integer> now = new HashMap<>();
    for (NodeState node : next.nodes()) {
      if (node.usage().known()) {
        now.put(node.id(), kind(node, kindOf.get(node.id()), all));
      } else if (kindOf.containsKey(node.id())) {
        now.put(node.id(), kindOf.get(node.id()));
      }
    }
    if (earlier.isEmpty()) {
      return new NodeLearning(all, now);
    }
    CostSamples.between(earlier.get(), next)
        .forEach(
            (node, sample) -> {
              if (!unexplained.contains(node)) {
                all.computeIfPresent(
                    now.getOrDefault(node, -1), (k, of) -> of.with(of.learner().with(sample)));
              }
            });
    double seconds = Math.max(0, next.secondsSince(earlier.get()));
    return new NodeLearning(all, now).after(Duration.ofMillis((long) (1000 * seconds)));
  }

  /** The kind of a node, which is a new one if it is like none. */
  private static int kind(NodeState node, Integer before, SortedMap<Integer, Kind> all) {
    Map<String, String> its = told(node);
    if (before != null && all.containsKey(before) && all.get(before).isOf(its)) {
      all.computeIfPresent(before, (k, of) -> of.completed(its));
      return before;
    }
    for (Map.Entry<Integer, Kind> kind : all.entrySet()) {
      if (kind.getValue().isOf(its)) {
        kind.setValue(kind.getValue().completed(its));
        return kind.getKey();
      }
    }
    int added = all.isEmpty() ? 0 : all.lastKey() + 1;
    all.put(added, new Kind(new TreeMap<>(its), CostLearner.NOTHING));
    return added;
  }

  private static Map<String, String> told(NodeState node) {
    Map<String, String> told = new HashMap<>();
    told.put(UsageModel.WAIT_SOURCE, node.usage().waitSource().name());
    put(told, NodeKind.CORES, node.usage().limits().cores(), 0.001);
    put(told, NodeKind.HEAP, node.gauges().heapMaxBytes(), 1);
    put(told, NodeKind.DISK_READS, node.usage().limits().readsPerSecond(), 0);
    return told;
  }

  /** Where it is known. */
  private static void put(Map<String, String> told, NodeKind kind, double value, double least) {
    if (Double.isFinite(value) && value >= least) {
      told.put(kind.key(), BigDecimal.valueOf(value).toPlainString());
    }
  }

  /** After some time has passed; kinds of which hardly anything is left are forgotten. */
  public NodeLearning after(Duration time) {
    SortedMap<Integer, Kind> left = new TreeMap<>();
    kinds.forEach((k, kind) -> left.put(k, kind.with(kind.learner().after(time))));
    left.entrySet()
        .removeIf(
            kind ->
                kind.getValue().learner().weight() < GONE && !kindOf.containsValue(kind.getKey()));
    return new NodeLearning(left, kindOf);
  }

  /** What is known of the nodes that there are; empty before anything was seen of them. */
  public Optional<LearnedNodes> learned() {
    Map<Integer, LearnedCosts> costs = new HashMap<>();
    Map<String, LearnedCosts> nodes = new HashMap<>();
    kindOf.forEach(
        (node, k) ->
            Optional.ofNullable(kinds.get(k))
                .ifPresent(
                    kind ->
                        nodes.put(
                            node.name(), costs.computeIfAbsent(k, x -> kind.learner().costs()))));
    CostLearner together = together();
    return together.weight() > 0
        ? Optional.of(
            new LearnedNodes(
                nodes, costs.size() == 1 ? costs.values().iterator().next() : together.costs()))
        : Optional.empty();
  }

  /** All nodes whose I/O wait is computed from the source that most of them have. */
  private CostLearner together() {
    Map<String, Integer> nodes = new TreeMap<>();
    Map<String, Set<Integer>> sources = new TreeMap<>();
    for (int k : kindOf.values()) {
      if (kinds.containsKey(k)) {
        String source = Kind.source(kinds.get(k).node());
        nodes.merge(source, 1, Integer::sum);
        sources.computeIfAbsent(source, x -> new HashSet<>()).add(k);
      }
    }
    return nodes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(most -> sources.get(most.getKey()))
        .map(
            those ->
                those.stream()
                    .map(k -> kinds.get(k).learner())
                    .reduce(CostLearner.NOTHING, CostLearner::plus))
        .orElse(CostLearner.NOTHING);
  }

  /**
   * What is kept of a kind on disk.
   *
   * @param node what its nodes are, by the keys of fingerprints
   */
  public record KeptKind(Map<String, String> node, CostLearner.Kept costs) {
    public KeptKind {
      if (node == null || costs == null) {
        throw new IllegalArgumentException("a kind of node must have what it is, and costs");
      }
      node = Map.copyOf(node);
    }
  }

  /**
   * What is kept on disk.
   *
   * @param kinds by a number
   * @param nodes the number of the kind of each, by the node's name
   */
  public record Kept(Map<Integer, KeptKind> kinds, Map<String, Integer> nodes) {
    public static final Kept NOTHING = new Kept(Map.of(), Map.of());

    public Kept {
      if (kinds == null || nodes == null) {
        throw new IllegalArgumentException("what is learned must have kinds and nodes");
      }
      kinds = Map.copyOf(kinds);
      nodes = Map.copyOf(nodes);
    }
  }

  /** The same, as it is kept. */
  public Kept kept() {
    Map<Integer, KeptKind> all = new HashMap<>();
    kinds.forEach((k, kind) -> all.put(k, new KeptKind(kind.node(), kind.learner().kept())));
    Map<String, Integer> nodes = new HashMap<>();
    kindOf.forEach((node, k) -> nodes.put(node.name(), k));
    return new Kept(all, nodes);
  }

  /** One that was kept, which goes on. */
  public static NodeLearning of(Kept kept) {
    SortedMap<Integer, Kind> kinds = new TreeMap<>();
    kept.kinds()
        .forEach(
            (k, kind) ->
                kinds.put(k, new Kind(new TreeMap<>(kind.node()), CostLearner.of(kind.costs()))));
    Map<NodeId, Integer> kindOf = new HashMap<>();
    kept.nodes().forEach((node, k) -> kindOf.put(new NodeId(node), k));
    return new NodeLearning(kinds, kindOf);
  }
}
