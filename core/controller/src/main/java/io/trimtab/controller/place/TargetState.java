package io.trimtab.controller.place;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The cluster that a policy wants: where each partition is and how each node is configured.
 *
 * @param placement by partition; nodes to be added go by their placeholders
 * @param profiles by node
 * @param classes by partition
 */
public record TargetState(
    Map<PartitionId, NodeId> placement,
    Map<NodeId, Profile> profiles,
    Map<PartitionId, AccessClass> classes) {

  /** Moving a partition costs its bytes; an empty one still closes for a moment. */
  private static final double MOVE_BYTES_MIN = 1 << 20;

  /** What another profile costs, in bytes that could be moved instead. */
  private static final double RESTART_BYTES = 1L << 30;

  private static final double ONLINE_BYTES = 1 << 20;

  /** What the cluster can be made of; {@code partitions} and {@code states} index the snapshot. */
  public record Input(
      ClusterSnapshot snapshot,
      Map<PartitionId, Rates> rates,
      Map<PartitionId, AccessClass> classes,
      List<NodeId> nodes,
      PlaceSettings settings,
      Map<PartitionId, PartitionState> partitions,
      Map<NodeId, NodeState> states) {
    public static Input of(
        ClusterSnapshot snapshot,
        Map<PartitionId, Rates> rates,
        Map<PartitionId, AccessClass> classes,
        List<NodeId> nodes,
        PlaceSettings settings) {
      Map<PartitionId, PartitionState> partitions = new HashMap<>();
      snapshot.partitions().forEach(p -> partitions.put(p.id(), p));
      Map<NodeId, NodeState> states = new HashMap<>();
      snapshot.nodes().forEach(n -> states.put(n.id(), n));
      return new Input(snapshot, rates, classes, nodes, settings, partitions, states);
    }

    public Optional<NodeState> node(NodeId id) {
      return Optional.ofNullable(states.get(id));
    }

    /** Where a partition is served now. */
    Optional<NodeId> at(PartitionId id) {
      return Optional.ofNullable(partitions.get(id)).flatMap(PartitionState::node);
    }

    public double load(PartitionId id) {
      return rates.getOrDefault(id, Rates.ZERO).total();
    }
  }

  /** Places everything from scratch, then gives sets to nodes so that little changes. */
  public static TargetState fromScratch(Input in) {
    Map<AccessClass, List<PartitionId>> byClass = byClass(in);
    Grouping grouping = Grouping.of(weights(in, byClass), in.nodes().size());
    Map<AccessClass, List<PartitionId>> byHost = new EnumMap<>(AccessClass.class);
    byClass.forEach(
        (c, list) ->
            byHost.computeIfAbsent(grouping.host().get(c), h -> new ArrayList<>()).addAll(list));
    List<List<PartitionId>> sets = new ArrayList<>();
    List<Profile> profiles = new ArrayList<>();
    byHost.forEach(
        (host, list) -> {
          int bins = grouping.nodes().get(host);
          List<List<PartitionId>> parts = split(in, list, bins);
          parts.forEach(
              part -> {
                sets.add(part);
                profiles.add(Classifier.profile(host));
              });
        });
    while (sets.size() < in.nodes().size()) {
      sets.add(List.of());
      profiles.add(null);
    }
    return match(in, sets, profiles);
  }

  private static List<List<PartitionId>> split(Input in, List<PartitionId> list, int bins) {
    list.sort(Comparator.naturalOrder());
    double[] loads = list.stream().mapToDouble(in::load).toArray();
    int[] bin = Assignment.assign(loads, bins);
    List<List<PartitionId>> parts = new ArrayList<>();
    for (int b = 0; b < bins; b++) {
      parts.add(new ArrayList<>());
    }
    for (int i = 0; i < bin.length; i++) {
      parts.get(bin[i]).add(list.get(i));
    }
    return parts;
  }

  private static Map<AccessClass, List<PartitionId>> byClass(Input in) {
    Map<AccessClass, List<PartitionId>> byClass = new EnumMap<>(AccessClass.class);
    for (PartitionState p : in.snapshot().partitions()) {
      byClass.computeIfAbsent(in.classes().get(p.id()), c -> new ArrayList<>()).add(p.id());
    }
    return byClass;
  }

  private static Map<AccessClass, Double> weights(
      Input in, Map<AccessClass, List<PartitionId>> byClass) {
    Map<AccessClass, Double> weights = new EnumMap<>(AccessClass.class);
    byClass.forEach(
        (c, list) ->
            weights.put(
                c,
                in.settings().weighByLoad()
                    ? list.stream().mapToDouble(in::load).sum()
                    : list.size()));
    return weights;
  }

  /** Gives sets to nodes so that few bytes move; nodes keep their profiles. */
  public static TargetState matched(Input in, List<List<PartitionId>> sets) {
    return match(in, sets, java.util.Collections.nCopies(sets.size(), null));
  }

  private static TargetState match(Input in, List<List<PartitionId>> sets, List<Profile> profiles) {
    int n = in.nodes().size();
    Map<NodeId, Integer> index = new HashMap<>();
    for (int i = 0; i < n; i++) {
      index.put(in.nodes().get(i), i);
    }
    double[][] cost = new double[n][n];
    Map<Profile, double[]> changes = new HashMap<>();
    for (int s = 0; s < n; s++) {
      Profile wanted = profiles.get(s);
      double[] change =
          wanted == null
              ? new double[n]
              : changes.computeIfAbsent(
                  wanted,
                  p -> in.nodes().stream().mapToDouble(id -> profileCost(in, id, p)).toArray());
      double all = 0;
      double[] there = new double[n];
      for (PartitionId id : sets.get(s)) {
        PartitionState state = in.partitions().get(id);
        double bytes = Math.max(MOVE_BYTES_MIN, state.sizeBytes());
        all += bytes;
        Integer at = state.node().map(index::get).orElse(null);
        if (at != null) {
          there[at] += bytes;
        }
      }
      for (int i = 0; i < n; i++) {
        cost[s][i] = all - there[i] + change[i];
      }
    }
    int[] nodeOfSet = Matching.exact(cost);
    Map<PartitionId, NodeId> placement = new LinkedHashMap<>();
    Map<NodeId, Profile> wantedProfiles = new TreeMap<>();
    for (int s = 0; s < n; s++) {
      NodeId node = in.nodes().get(nodeOfSet[s]);
      sets.get(s).forEach(id -> placement.put(id, node));
      Profile profile = profiles.get(s);
      if (profile == null) {
        profile = current(in, node);
      }
      if (profile != null) {
        wantedProfiles.put(node, profile);
      }
    }
    return new TargetState(placement, wantedProfiles, in.classes());
  }

  private static Profile current(Input in, NodeId node) {
    return in.node(node).flatMap(NodeState::profile).orElse(null);
  }

  private static double profileCost(Input in, NodeId id, Profile wanted) {
    NodeState node = in.node(id).orElse(null);
    if (wanted == null || node == null || node.profile().map(wanted::sameMemory).orElse(false)) {
      return 0;
    }
    boolean online =
        node.onlineProfile()
            && in.settings().way() == io.trimtab.engineapi.plan.Action.ApplyMode.ONLINE;
    return online ? ONLINE_BYTES : RESTART_BYTES;
  }

  /**
   * Keeps every node's class and moves no partition between two nodes that stay: nodes that join
   * take the class that is shortest of nodes, and relieve that class's nodes down to their fair
   * number and load; partitions without a home go to the least loaded node of their class.
   */
  public static TargetState incremental(Input in, List<NodeId> joining) {
    Map<NodeId, Profile> profiles = new TreeMap<>();
    for (NodeId id : in.nodes()) {
      Profile now = current(in, id);
      if (now != null) {
        profiles.put(id, now);
      }
    }
    Map<AccessClass, List<PartitionId>> byClass = byClass(in);
    Map<AccessClass, List<NodeId>> nodesOf = new EnumMap<>(AccessClass.class);
    Map<NodeId, Map<AccessClass, Integer>> contents = contents(in);
    for (NodeId id : in.nodes()) {
      AccessClass own = joining.contains(id) ? null : nodeClass(profiles.get(id), contents.get(id));
      if (own != null) {
        nodesOf.computeIfAbsent(own, c -> new ArrayList<>()).add(id);
      }
    }
    if (nodesOf.values().stream().mapToInt(List::size).sum() < in.nodes().size() - joining.size()) {
      // Some node has no class: what is there is not a grouping that could be kept.
      return fromScratch(in);
    }
    Map<AccessClass, Double> weights = weights(in, byClass);
    for (NodeId id : joining) {
      AccessClass shortest =
          weights.keySet().stream()
              .max(
                  Comparator.comparingDouble(
                      (AccessClass c) ->
                          nodesOf.containsKey(c)
                              ? weights.get(c) / nodesOf.get(c).size()
                              : Double.MAX_VALUE))
              .orElse(AccessClass.READ_WRITE);
      nodesOf.computeIfAbsent(shortest, c -> new ArrayList<>()).add(id);
      profiles.put(id, Classifier.profile(shortest));
    }
    Map<PartitionId, NodeId> placement = new LinkedHashMap<>();
    Map<AccessClass, List<PartitionId>> byHost = new EnumMap<>(AccessClass.class);
    byClass.forEach(
        (c, list) ->
            byHost
                .computeIfAbsent(host(c, list, in, nodesOf), h -> new ArrayList<>())
                .addAll(list));
    byHost.forEach((c, list) -> place(in, list, nodesOf.get(c), joining, placement));
    return new TargetState(placement, profiles, in.classes());
  }

  /** The class whose nodes hold a class's partitions: its own, or where most of them are. */
  private static AccessClass host(
      AccessClass own, List<PartitionId> list, Input in, Map<AccessClass, List<NodeId>> nodesOf) {
    if (nodesOf.containsKey(own)) {
      return own;
    }
    Comparator<AccessClass> most =
        Comparator.comparingLong(
            c ->
                list.stream()
                    .filter(id -> in.at(id).filter(nodesOf.get(c)::contains).isPresent())
                    .count());
    return nodesOf.keySet().stream().max(most).orElseThrow();
  }

  private static Map<NodeId, Map<AccessClass, Integer>> contents(Input in) {
    Map<NodeId, Map<AccessClass, Integer>> contents = new HashMap<>();
    for (PartitionState p : in.snapshot().partitions()) {
      p.node()
          .ifPresent(
              n ->
                  contents
                      .computeIfAbsent(n, x -> new EnumMap<>(AccessClass.class))
                      .merge(in.classes().get(p.id()), 1, Integer::sum));
    }
    return contents;
  }

  /**
   * What a node is there for. READ and SCAN split memory alike, so a live node does not tell which
   * it is: what it holds does.
   */
  private static AccessClass nodeClass(Profile profile, Map<AccessClass, Integer> content) {
    AccessClass best = null;
    int most = -1;
    for (AccessClass c : AccessClass.values()) {
      int count = content == null ? 0 : content.getOrDefault(c, 0);
      if (profile != null && profile.sameMemory(Classifier.profile(c)) && count > most) {
        most = count;
        best = c;
      }
    }
    return best;
  }

  private static void place(
      Input in,
      List<PartitionId> list,
      List<NodeId> nodes,
      List<NodeId> joining,
      Map<PartitionId, NodeId> placement) {
    Map<NodeId, Double> load = new TreeMap<>();
    Map<NodeId, List<PartitionId>> on = new TreeMap<>();
    nodes.forEach(
        n -> {
          load.put(n, 0.0);
          on.put(n, new ArrayList<>());
        });
    List<PartitionId> homeless = new ArrayList<>();
    for (PartitionId id : list) {
      NodeId at = in.at(id).orElse(null);
      if (at != null && on.containsKey(at)) {
        on.get(at).add(id);
        load.merge(at, in.load(id), Double::sum);
      } else {
        homeless.add(id);
      }
    }
    relieve(in, nodes, joining, load, on, list.size());
    homeless.sort(Comparator.comparingDouble((PartitionId id) -> -in.load(id)));
    for (PartitionId id : homeless) {
      NodeId least =
          nodes.stream()
              .min(
                  Comparator.comparingDouble((NodeId n) -> load.get(n))
                      .thenComparingInt(n -> on.get(n).size())
                      .thenComparing(Comparator.naturalOrder()))
              .orElseThrow();
      on.get(least).add(id);
      load.merge(least, in.load(id), Double::sum);
    }
    on.forEach((node, ids) -> ids.forEach(id -> placement.put(id, node)));
  }

  /** Takes partitions to joining nodes while that lowers the higher of the two loads. */
  private static void relieve(
      Input in,
      List<NodeId> nodes,
      List<NodeId> joining,
      Map<NodeId, Double> load,
      Map<NodeId, List<PartitionId>> on,
      int all) {
    List<NodeId> fresh = nodes.stream().filter(joining::contains).toList();
    int cap = Assignment.cap(all, nodes.size());
    for (int step = 0; step < all && !fresh.isEmpty(); step++) {
      NodeId full =
          nodes.stream()
              .filter(n -> !fresh.contains(n))
              .max(Comparator.comparingDouble(load::get))
              .orElse(null);
      NodeId empty = fresh.stream().min(Comparator.comparingDouble(load::get)).orElseThrow();
      if (full == null || on.get(empty).size() >= cap) {
        return;
      }
      PartitionId best = null;
      double least = load.get(full);
      for (PartitionId id : on.get(full)) {
        double worst = Math.max(load.get(full) - in.load(id), load.get(empty) + in.load(id));
        if (worst < least * (1 - 1e-9)) {
          least = worst;
          best = id;
        }
      }
      if (best == null) {
        return;
      }
      on.get(full).remove(best);
      on.get(empty).add(best);
      load.merge(full, -in.load(best), Double::sum);
      load.merge(empty, in.load(best), Double::sum);
    }
  }
}
