package io.trimtab.controller;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeState;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.PartitionState;
import io.trimtab.engineapi.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * TIRAMOLA (Konstantinou 2012, §4.4): one node more when any is busy, one less when all are idle;
 * no profiles. Partitions are only spread evenly by number when the nodes change, as a stock
 * cluster's own balancer would. The smoothed CPU share stands for the five-minute load average
 * where nodes share a machine.
 */
final class TiramolaPolicy implements Policy {
  @Override
  public String name() {
    return "tiramola";
  }

  @Override
  public Set<Need> needs() {
    return Set.of();
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    List<NodeState> nodes = MetPolicy.usable(seen);
    List<NodeId> present = nodes.stream().map(NodeState::id).toList();
    if (present.isEmpty()) {
      return new Decision.Hold("no node could take partitions", "", state);
    }
    TiramolaSettings t = settings.tiramola();
    double most = present.stream().mapToDouble(n -> seen.cpu().get(n)).max().orElse(0);
    if (most > t.addAbove()) {
      if (present.size() >= settings.guard().maxNodes()) {
        return new Decision.Hold(
            "a node is busy, but " + present.size() + " nodes are the most allowed",
            "guard.maxNodes",
            state);
      }
      List<NodeId> all = new ArrayList<>(present);
      all.add(new Action.AddNode(1, Profile.HOMOGENEOUS).placeholder());
      return act(
          seen,
          settings,
          all,
          List.of(),
          state,
          String.format(Locale.ROOT, "CPU of a node is %.2f", most),
          "tiramola");
    }
    if (most < t.removeBelow()) {
      FewestNodes least = FewestNodes.of(seen.snapshot(), settings);
      if (present.size() <= least.nodes()) {
        return new Decision.Hold(
            "all nodes idle, but " + least.refusal(present.size()), least.setting(), state);
      }
      NodeId leaves = MetPolicy.leastLoaded(seen, present);
      return act(
          seen,
          settings,
          present.stream().filter(n -> !n.equals(leaves)).toList(),
          List.of(leaves),
          state,
          String.format(Locale.ROOT, "CPU of all nodes is at most %.2f", most),
          "tiramola");
    }
    return new Decision.Hold(
        String.format(
            Locale.ROOT,
            "the busiest node's CPU is %.2f, between %.2f and %.2f",
            most,
            t.removeBelow(),
            t.addAbove()),
        "tiramola.addAbove",
        state);
  }

  /** Evens out the numbers of partitions with as few moves as that takes. */
  static Decision act(
      Observation.Usable seen,
      Settings settings,
      List<NodeId> nodes,
      List<NodeId> leaving,
      PolicyState state,
      String summary,
      String policy) {
    Map<PartitionId, NodeId> placement = new TreeMap<>();
    Map<NodeId, Integer> count = new TreeMap<>();
    nodes.forEach(n -> count.put(n, 0));
    int cap = Assignment.cap(seen.snapshot().partitions().size(), nodes.size());
    List<PartitionId> homeless = new ArrayList<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      NodeId at = p.node().orElse(null);
      if (at != null && count.containsKey(at) && count.get(at) < cap) {
        placement.put(p.id(), at);
        count.merge(at, 1, Integer::sum);
      } else {
        homeless.add(p.id());
      }
    }
    for (PartitionId id : homeless) {
      NodeId least =
          count.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
      placement.put(id, least);
      count.merge(least, 1, Integer::sum);
    }
    Map<PartitionId, AccessClass> classes = new HashMap<>();
    seen.snapshot().partitions().forEach(x -> classes.put(x.id(), AccessClass.READ_WRITE));
    var in =
        Wanted.Input.of(
            seen.snapshot(), seen.rates(), classes, nodes, settings.place().withoutBlockSizes());
    return MetPolicy.act(
        in, new Wanted(placement, Map.of(), classes), leaving, summary, state, policy);
  }
}
