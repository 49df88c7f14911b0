package io.trimtab.controller.place;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps every node's class and moves no partition between two nodes that stay: nodes that join take
 * the class that is shortest of nodes, and relieve that class's nodes down to their fair number and
 * load; partitions without a home go to the least loaded node of their class.
 */
final class IncrementalPlacement {
  private final PlacementInput in;
  private final Partitions partitions;
  private final List<NodeId> joining;
  private final boolean[] joins;
  private final Map<NodeId, Profile> profiles = new TreeMap<>();

  /** By class, its nodes in the order of the input. */
  private final Map<AccessClass, IntList> nodesOf = new EnumMap<>(AccessClass.class);

  /** By node; null for a node that is not among those that there shall be. */
  private final AccessClass[] classOf;

  private final double[] load;
  private final IntList[] on;

  /**
   * @param joining nodes of the input that the plan adds
   */
  IncrementalPlacement(PlacementInput in, List<NodeId> joining) {
    this.in = in;
    this.joining = joining;
    partitions = in.partitions();
    joins = new boolean[in.nodeCount()];
    joining.forEach(n -> joins[in.indexOf(n)] = true);
    classOf = new AccessClass[in.nodeCount()];
    load = new double[in.nodeCount()];
    on = new IntList[in.nodeCount()];
    Arrays.setAll(on, n -> new IntList());
  }

  /** Empty if a node has no class: the current placement is no grouping that could be kept. */
  Optional<TargetState> place() {
    int[][] contents = contents();
    for (NodeId id : in.nodes()) {
      int n = in.indexOf(id);
      Profile now = in.current(id);
      if (now != null) {
        profiles.put(id, now);
      }
      if (!joins[n]) {
        AccessClass own = nodeClass(now, contents[n]);
        if (own == null) {
          return Optional.empty();
        }
        give(n, own);
      }
    }
    Map<AccessClass, Double> weights = TargetState.weights(in);
    joining.forEach(id -> join(id, weights));
    int[] nodeOf = new int[partitions.size()];
    Arrays.fill(nodeOf, -1);
    IntList placed = new IntList();
    for (int p = 0; p < nodeOf.length; p++) {
      if (in.stays(p)) {
        nodeOf[p] = in.at(p);
        load[in.at(p)] += partitions.load(p);
        placed.add(p);
      }
    }
    byHost(weights).forEach((host, list) -> place(list.toArray(), host, nodeOf, placed));
    return Optional.of(new TargetState(in, nodeOf, placed.toArray(), profiles));
  }

  private void give(int node, AccessClass own) {
    classOf[node] = own;
    nodesOf.computeIfAbsent(own, c -> new IntList()).add(node);
  }

  /** A node joins the class that is shortest of nodes. */
  private void join(NodeId id, Map<AccessClass, Double> weights) {
    AccessClass shortest =
        weights.keySet().stream()
            .max(
                Comparator.comparingDouble(
                    (AccessClass c) ->
                        nodesOf.containsKey(c)
                            ? weights.get(c) / nodesOf.get(c).size()
                            : Double.MAX_VALUE))
            .orElse(AccessClass.READ_WRITE);
    give(in.indexOf(id), shortest);
    profiles.put(id, Classifier.profile(shortest));
  }

  /** By node and class, how many partitions are there. */
  private int[][] contents() {
    int[][] contents = new int[in.nodeCount()][AccessClass.values().length];
    for (int p = 0; p < partitions.size(); p++) {
      if (in.at(p) >= 0) {
        contents[in.at(p)][partitions.accessClass(p).ordinal()]++;
      }
    }
    return contents;
  }

  /**
   * What a node is there for. READ and SCAN split memory alike, so a live node does not tell which
   * it is: what it holds does.
   */
  private static AccessClass nodeClass(Profile profile, int[] content) {
    AccessClass best = null;
    int most = -1;
    for (AccessClass c : AccessClass.values()) {
      if (profile != null
          && profile.sameMemory(Classifier.profile(c))
          && content[c.ordinal()] > most) {
        most = content[c.ordinal()];
        best = c;
      }
    }
    return best;
  }

  /** The partitions that each class's nodes are to hold: class by class, as listed. */
  private Map<AccessClass, IntList> byHost(Map<AccessClass, Double> weights) {
    Map<AccessClass, IntList> byHost = new EnumMap<>(AccessClass.class);
    for (AccessClass c : weights.keySet()) {
      IntList list = byHost.computeIfAbsent(host(c), h -> new IntList());
      for (int p : partitions.asListed()) {
        if (partitions.accessClass(p) == c && !in.stays(p)) {
          list.add(p);
        }
      }
    }
    return byHost;
  }

  /** The class whose nodes hold a class's partitions: its own, or where most of them are. */
  private AccessClass host(AccessClass own) {
    if (nodesOf.containsKey(own)) {
      return own;
    }
    int[] there = new int[AccessClass.values().length];
    for (int p = 0; p < partitions.size(); p++) {
      AccessClass at = in.at(p) < 0 ? null : classOf[in.at(p)];
      if (at != null && partitions.accessClass(p) == own) {
        there[at.ordinal()]++;
      }
    }
    return nodesOf.keySet().stream()
        .max(Comparator.comparingInt(c -> there[c.ordinal()]))
        .orElseThrow();
  }

  private void place(int[] list, AccessClass host, int[] nodeOf, IntList placed) {
    int[] nodes = nodesOf.get(host).toArray();
    IntList homeless = new IntList();
    for (int p : list) {
      int at = in.at(p);
      if (at >= 0 && classOf[at] == host) {
        put(p, at);
      } else {
        homeless.add(p);
      }
    }
    relieve(nodes, list.length);
    int[] left = homeless.toArray();
    for (int i : Indexes.descending(Arrays.stream(left).mapToDouble(partitions::load).toArray())) {
      put(left[i], least(nodes));
    }
    Arrays.sort(nodes);
    for (int n : nodes) {
      for (int p : on[n].toArray()) {
        nodeOf[p] = n;
        placed.add(p);
      }
    }
  }

  private void put(int p, int node) {
    on[node].add(p);
    load[node] += partitions.load(p);
  }

  /** The least loaded node; of equal ones that with the fewest partitions, then by name. */
  private int least(int[] nodes) {
    int least = nodes[0];
    for (int n : nodes) {
      if (load[n] != load[least]) {
        least = load[n] < load[least] ? n : least;
      } else if (on[n].size() != on[least].size()) {
        least = on[n].size() < on[least].size() ? n : least;
      } else {
        least = Math.min(n, least);
      }
    }
    return least;
  }

  /** Takes partitions to joining nodes while that lowers the higher of the two loads. */
  private void relieve(int[] nodes, int all) {
    int cap = Assignment.cap(all, nodes.length);
    for (int step = 0; step < all; step++) {
      int full = -1;
      int empty = -1;
      for (int n : nodes) {
        if (joins[n]) {
          empty = empty < 0 || load[n] < load[empty] ? n : empty;
        } else if (on[n].size() > 0) {
          // One with nothing but what is fixed can't be relieved.
          full = full < 0 || load[n] > load[full] ? n : full;
        }
      }
      if (full < 0 || empty < 0 || on[empty].size() >= cap) {
        return;
      }
      int best = -1;
      double least = load[full];
      for (int i = 0; i < on[full].size(); i++) {
        int p = on[full].get(i);
        double own = partitions.load(p);
        double worst = Math.max(load[full] - own, load[empty] + own);
        if (worst < least * (1 - 1e-9)) {
          least = worst;
          best = p;
        }
      }
      if (best < 0) {
        return;
      }
      on[full].removeFirst(best);
      load[full] -= partitions.load(best);
      put(best, empty);
    }
  }
}
