package io.trimtab.controller.place;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The cluster that a policy wants: where each partition is and how each node is configured. By the
 * indexes of what it is made of.
 */
public final class TargetState {
  /** Moving a partition costs its bytes; an empty one still closes for a moment. */
  private static final double MOVE_BYTES_MIN = 1 << 20;

  /** What another profile costs, in bytes that could be moved instead. */
  private static final double RESTART_BYTES = 1L << 30;

  private static final double ONLINE_BYTES = 1 << 20;

  private final PlacementInput in;
  private final int[] nodeOf;
  private final int[] placed;
  private final Map<NodeId, Profile> profiles;

  /**
   * @param nodeOf by partition; -1 for none
   * @param placed the partitions that have a node, in the order in which sums over them are rounded
   * @param profiles by node; a node that is missing keeps its profile
   */
  TargetState(PlacementInput in, int[] nodeOf, int[] placed, Map<NodeId, Profile> profiles) {
    this.in = in;
    this.nodeOf = nodeOf;
    this.placed = placed;
    this.profiles = profiles;
  }

  /**
   * The cluster that is told.
   *
   * @param nodeOf by partition, by the input's indexes; −1 for none
   * @param profiles by node; a node that is missing keeps its profile
   */
  public static TargetState of(PlacementInput in, int[] nodeOf, Map<NodeId, Profile> profiles) {
    int[] placed = IntStream.range(0, nodeOf.length).filter(p -> nodeOf[p] >= 0).toArray();
    return new TargetState(in, nodeOf.clone(), placed, new TreeMap<>(profiles));
  }

  /** What it is made of, whose indexes it has. */
  public PlacementInput in() {
    return in;
  }

  /** The node that a partition is to get to; -1 for none. */
  public int node(int partition) {
    return nodeOf[partition];
  }

  /** The partitions that have a node, in the order in which sums over them are rounded. */
  int[] placed() {
    return placed;
  }

  /** By node; nodes to be added go by their placeholders. */
  public Map<NodeId, Profile> profiles() {
    return profiles;
  }

  /** Places everything from scratch, then gives sets to nodes so that little changes. */
  public static TargetState fromScratch(PlacementInput in) {
    Grouping grouping = Grouping.of(weights(in), in.nodes().size());
    List<int[]> sets = new ArrayList<>();
    List<Profile> profiles = new ArrayList<>();
    grouping
        .nodes()
        .forEach(
            (host, bins) -> {
              Profile profile = Classifier.profile(host);
              sets.addAll(split(in, hosted(in.partitions(), grouping, host), profile, bins));
              profiles.addAll(Collections.nCopies(bins, profile));
            });
    while (sets.size() < in.nodes().size()) {
      sets.add(new int[0]);
      profiles.add(null);
    }
    return match(in, sets, profiles);
  }

  /** The partitions of all classes that a class's nodes hold, by id. */
  private static int[] hosted(Partitions partitions, Grouping grouping, AccessClass host) {
    IntList hosted = new IntList();
    for (int p = 0; p < partitions.size(); p++) {
      if (grouping.host().get(partitions.accessClass(p)) == host) {
        hosted.add(p);
      }
    }
    return hosted.toArray();
  }

  private static List<int[]> split(PlacementInput in, int[] list, Profile profile, int bins) {
    int[] bin = in.balancer().assign(list, profile, bins);
    IntList[] parts = new IntList[bins];
    Arrays.setAll(parts, b -> new IntList());
    for (int i = 0; i < bin.length; i++) {
      parts[bin[i]].add(list[i]);
    }
    return Arrays.stream(parts).map(IntList::toArray).toList();
  }

  /** The share of each class that has partitions, in requests per second or in partitions. */
  static Map<AccessClass, Double> weights(PlacementInput in) {
    Partitions partitions = in.partitions();
    Map<AccessClass, IntList> byClass = new EnumMap<>(AccessClass.class);
    for (int p : partitions.asListed()) {
      byClass.computeIfAbsent(partitions.accessClass(p), c -> new IntList()).add(p);
    }
    Map<AccessClass, Double> weights = new EnumMap<>(AccessClass.class);
    byClass.forEach(
        (c, list) ->
            weights.put(
                c,
                in.settings().weighByLoad()
                    ? Arrays.stream(list.toArray()).mapToDouble(partitions::load).sum()
                    : list.size()));
    return weights;
  }

  /**
   * Gives sets to nodes so that few bytes move; nodes keep their profiles. A set with a partition
   * that stays goes to its node, with all that was to share its cache.
   *
   * @param sets as many as nodes, each with partitions that stay of one node at most, and those of
   *     a node all in one set
   */
  public static TargetState matched(PlacementInput in, List<List<PartitionId>> sets) {
    List<int[]> indexes =
        sets.stream()
            .map(set -> set.stream().mapToInt(in.partitions()::indexOf).toArray())
            .toList();
    List<Profile> profiles = Collections.nCopies(sets.size(), null);
    double[][] costs = costs(in, indexes, profiles);
    int[] column = columns(in);
    int[] held = new int[indexes.size()];
    for (int s = 0; s < held.length; s++) {
      held[s] =
          Arrays.stream(indexes.get(s))
              .filter(in::stays)
              .map(p -> column[in.at(p)])
              .findFirst()
              .orElse(Matching.ANY);
    }
    return match(in, indexes, profiles, Matching.exact(costs, held));
  }

  private static TargetState match(PlacementInput in, List<int[]> sets, List<Profile> profiles) {
    return match(in, sets, profiles, Matching.exact(costs(in, sets, profiles)));
  }

  private static TargetState match(
      PlacementInput in, List<int[]> sets, List<Profile> profiles, int[] nodeOfSet) {
    int[] nodeOf = new int[in.partitions().size()];
    Arrays.fill(nodeOf, -1);
    IntList placed = new IntList();
    Map<NodeId, Profile> targetProfiles = new TreeMap<>();
    for (int s = 0; s < sets.size(); s++) {
      NodeId node = in.nodes().get(nodeOfSet[s]);
      int index = in.indexOf(node);
      for (int p : sets.get(s)) {
        nodeOf[p] = in.stays(p) ? in.at(p) : index;
        placed.add(p);
      }
      boolean same = profiles.get(s) == null || restartsInVain(in, node) || in.keepsProfile(node);
      Profile profile = same ? in.current(node) : profiles.get(s);
      if (profile != null) {
        targetProfiles.put(node, profile);
      }
    }
    return new TargetState(in, nodeOf, placed.toArray(), targetProfiles);
  }

  /** By node, its place among those that there shall be; -1 for one that leaves. */
  private static int[] columns(PlacementInput in) {
    int[] column = new int[in.nodeCount()];
    Arrays.fill(column, -1);
    for (int i = 0; i < in.nodes().size(); i++) {
      column[in.indexOf(in.nodes().get(i))] = i;
    }
    return column;
  }

  /** By set and node, in bytes to be moved. */
  private static double[][] costs(PlacementInput in, List<int[]> sets, List<Profile> profiles) {
    int n = in.nodes().size();
    int[] column = columns(in);
    double[][] cost = new double[n][n];
    Map<Profile, double[]> changes = new HashMap<>();
    for (int s = 0; s < n; s++) {
      Profile target = profiles.get(s);
      double[] change =
          target == null
              ? new double[n]
              : changes.computeIfAbsent(
                  target,
                  p -> in.nodes().stream().mapToDouble(id -> profileCost(in, id, p)).toArray());
      double all = 0;
      double[] there = new double[n];
      for (int p : sets.get(s)) {
        if (in.stays(p)) {
          continue;
        }
        double bytes = Math.max(MOVE_BYTES_MIN, in.partitions().state(p).sizeBytes());
        all += bytes;
        int at = in.at(p) < 0 ? -1 : column[in.at(p)];
        if (at >= 0) {
          there[at] += bytes;
        }
      }
      for (int i = 0; i < n; i++) {
        cost[s][i] = all - there[i] + change[i];
      }
    }
    return cost;
  }

  private static double profileCost(PlacementInput in, NodeId id, Profile target) {
    NodeState node = in.node(id).orElse(null);
    if (node == null || node.profile().map(target::sameMemory).orElse(false)) {
      return 0;
    }
    return online(in, node) ? ONLINE_BYTES : RESTART_BYTES;
  }

  private static boolean online(PlacementInput in, NodeState node) {
    return node.onlineProfile() && in.settings().way() == Action.ApplyMode.ONLINE;
  }

  /** Whether a node could only be configured by a restart, for which it can't be emptied. */
  private static boolean restartsInVain(PlacementInput in, NodeId id) {
    return in.node(id).filter(node -> !online(in, node)).isPresent()
        && in.holdsFixed(in.indexOf(id));
  }

  /**
   * Keeps every node's class and moves no partition between two nodes that stay, where what is
   * there is a grouping; else places everything from scratch.
   */
  public static TargetState incremental(PlacementInput in, List<NodeId> joining) {
    return new IncrementalPlacement(in, joining).place().orElseGet(() -> fromScratch(in));
  }
}
