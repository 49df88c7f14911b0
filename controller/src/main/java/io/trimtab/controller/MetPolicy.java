package io.trimtab.controller;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.ClusterSnapshot;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeState;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.PartitionState;
import io.trimtab.engineapi.Plan;
import io.trimtab.engineapi.PlannedAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * MeT (Cruz 2016, §3.2.2, Algorithm 1): health, number of nodes, then placement and profiles by
 * access class. The initial reconfiguration comes before any node is added, also on an overloaded
 * cluster, because moving costs less than a machine; the thesis adds nodes at once.
 */
final class MetPolicy implements Policy {
  @Override
  public String name() {
    return "met";
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.HINTS);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    Map<PartitionId, AccessClass> classes = classify(seen, state, settings);
    List<PolicyState.Classified> list = list(classes);
    PolicyState remembered = state.next(state.step(), state.first(), list);
    List<NodeState> nodes = usable(seen);
    if (nodes.isEmpty()) {
      return new Decision.Hold("no node could take partitions", "", remembered);
    }
    boolean placed = seen.snapshot().ownership() == Ownership.ASSIGNED;
    if (placed && seen.snapshot().partitions().isEmpty()) {
      return new Decision.Hold("the cluster has no partitions", "", remembered);
    }
    // Where tokens place the data there is no reconfiguration before nodes are added.
    boolean first = placed && state.first();
    HealthSettings health = settings.health();
    List<NodeId> over = ids(nodes, n -> seen.usage().get(n.id()) > health.high());
    List<NodeId> under = ids(nodes, n -> seen.usage().get(n.id()) < health.low());
    boolean mostlyIdle = over.isEmpty() && under.size() > health.suboptimal() * nodes.size();
    if (over.isEmpty() && !first) {
      List<Action.Merge> merges = SplitPlanner.merges(seen, nodes, state, settings.split());
      if (!merges.isEmpty()) {
        return SplitPlanner.act(seen, merges, remembered, name());
      }
    }
    if (!placed && (!over.isEmpty() || (settings.place().whenHealthy() && !mostlyIdle))) {
      // As on other engines, another configuration comes before another machine.
      RingProfiles ring = RingProfiles.of(seen, classes, nodes, settings.place().way());
      if (!ring.actions().isEmpty()) {
        return plan(
            seen.snapshot(),
            ring.actions(),
            "%d of %d nodes are overloaded; nodes are configured for what they are asked for"
                .formatted(over.size(), nodes.size()),
            ring.share(),
            state.next(state.step(), false, list),
            "met");
      }
    }
    if (over.isEmpty() && !mostlyIdle && !(first && settings.place().whenHealthy())) {
      return new Decision.Hold(
          String.format(
              Locale.ROOT,
              "the cluster is healthy: no node's usage is above %.2f, highest %.2f",
              health.high(),
              nodes.stream().mapToDouble(n -> seen.usage().get(n.id())).max().orElse(0)),
          first ? "place.whenHealthy" : "health.high",
          state.next(1, state.first(), list));
    }
    if (first) {
      return initial(seen, settings, classes, list, nodes, over.size(), state);
    }
    return resize(seen, settings, classes, list, nodes, over, mostlyIdle, state);
  }

  private static Decision initial(
      Observation.Usable seen,
      Settings settings,
      Map<PartitionId, AccessClass> classes,
      List<PolicyState.Classified> list,
      List<NodeState> nodes,
      int overloaded,
      PolicyState state) {
    var in = input(seen, settings, classes, nodes.stream().map(NodeState::id).toList());
    String why =
        "%d of %d nodes are overloaded; partitions are grouped by how they are used, on nodes"
            + " configured for that";
    return act(
        in,
        Wanted.fromScratch(in),
        List.of(),
        why.formatted(overloaded, nodes.size()),
        state.next(1, false, list),
        "met");
  }

  private static Decision resize(
      Observation.Usable seen,
      Settings settings,
      Map<PartitionId, AccessClass> classes,
      List<PolicyState.Classified> list,
      List<NodeState> nodes,
      List<NodeId> over,
      boolean idle,
      PolicyState state) {
    if (idle) {
      return shrink(seen, settings, classes, list, nodes, state);
    }
    // A partition that alone is more than a node should carry is no better off on another node.
    SplitPlanner.Proposal splits = SplitPlanner.splits(seen, nodes, over, state, settings);
    if (!splits.actions().isEmpty()) {
      return SplitPlanner.act(
          seen, splits.actions(), splits.gain(), state.next(state.step(), false, list), "met");
    }
    return grow(seen, settings, classes, list, nodes, over.size(), state, splits.refusal());
  }

  private static Decision shrink(
      Observation.Usable seen,
      Settings settings,
      Map<PartitionId, AccessClass> classes,
      List<PolicyState.Classified> list,
      List<NodeState> nodes,
      PolicyState state) {
    List<NodeId> present = nodes.stream().map(NodeState::id).toList();
    FewestNodes least = FewestNodes.of(seen.snapshot(), settings);
    if (present.size() <= least.nodes()) {
      return new Decision.Hold(
          "underloaded, but " + least.refusal(present.size()),
          least.setting(),
          state.next(1, false, list));
    }
    NodeId leaves = leastLoaded(seen, present);
    var in =
        input(seen, settings, classes, present.stream().filter(n -> !n.equals(leaves)).toList());
    return act(
        in,
        Wanted.incremental(in, List.of()),
        List.of(leaves),
        "most nodes are underloaded: the least loaded one, " + leaves + ", leaves",
        state.next(1, false, list),
        "met");
  }

  /** Nodes are added, or where that is not allowed, partitions placed anew. */
  private static Decision grow(
      Observation.Usable seen,
      Settings settings,
      Map<PartitionId, AccessClass> classes,
      List<PolicyState.Classified> list,
      List<NodeState> nodes,
      int over,
      PolicyState state,
      String refusal) {
    List<NodeId> present = nodes.stream().map(NodeState::id).toList();
    int more = Math.min(state.step(), settings.guard().maxNodes() - present.size());
    if (more <= 0) {
      var in = input(seen, settings, classes, present);
      Wanted best = Wanted.fromScratch(in);
      if (Gain.goodEnough(seen.snapshot(), in, best)) {
        return new Decision.Hold(
            over
                + " nodes are overloaded, the placement is as good as it gets, and "
                + present.size()
                + " nodes are the most allowed"
                + refusal,
            "guard.maxNodes",
            state.next(state.step(), false, list));
      }
      return act(
          in,
          best,
          List.of(),
          over + " nodes are overloaded and no node may be added: placed anew" + refusal,
          state.next(state.step(), false, list),
          "met");
    }
    List<NodeId> joining = new ArrayList<>();
    for (int i = 1; i <= more; i++) {
      joining.add(new Action.AddNode(i, io.trimtab.engineapi.Profile.HOMOGENEOUS).placeholder());
    }
    List<NodeId> all = new ArrayList<>(present);
    all.addAll(joining);
    var in = input(seen, settings, classes, all);
    return act(
        in,
        Wanted.incremental(in, joining),
        List.of(),
        over + " of " + present.size() + " nodes are overloaded: " + more + " more" + refusal,
        state.next(2 * state.step(), false, list),
        "met");
  }

  private static Wanted.Input input(
      Observation.Usable seen,
      Settings settings,
      Map<PartitionId, AccessClass> classes,
      List<NodeId> nodes) {
    return Wanted.Input.of(seen.snapshot(), seen.rates(), classes, nodes, settings.place());
  }

  static Decision act(
      Wanted.Input in,
      Wanted wanted,
      List<NodeId> leaving,
      String summary,
      PolicyState next,
      String policy) {
    List<PlannedAction> actions = new PlanBuilder(in, wanted, leaving).build();
    if (actions.isEmpty()) {
      return new Decision.Hold("nothing to change: " + summary, "place.tolerance", next);
    }
    boolean resizes =
        actions.stream()
            .anyMatch(
                a ->
                    a.action().as(Action.AddNode.class).isPresent()
                        || a.action().as(Action.RemoveNode.class).isPresent());
    // Adding and removing nodes pays in nodes, which is not what the gain measures.
    return plan(in.snapshot(), actions, summary, resizes ? 1 : Gain.of(in, wanted), next, policy);
  }

  static Decision.Act plan(
      ClusterSnapshot snapshot,
      List<PlannedAction> actions,
      String summary,
      double gain,
      PolicyState next,
      String policy) {
    return new Decision.Act(
        new Plan(
            policy + "-" + snapshot.takenAt().toEpochMilli(),
            snapshot.clusterId(),
            snapshot.takenAt(),
            policy,
            summary,
            gain,
            actions),
        next);
  }

  /**
   * The partitions' classes. One that nobody has asked for since it was first seen is taken for
   * what its table is used for: moving it to a node of another class would only make the first
   * request for it a slow one.
   */
  static Map<PartitionId, AccessClass> classify(
      Observation.Usable seen, PolicyState state, Settings settings) {
    double share = settings.place().classShare();
    Map<PartitionId, AccessClass> last = state.classMap();
    Map<String, Rates> tables = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      tables.merge(p.id().table(), seen.rates(p.id()), Rates::plus);
    }
    Map<PartitionId, AccessClass> classes = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      AccessClass before = last.get(p.id());
      if (before == null) {
        before = Classifier.classify(tables.get(p.id().table()), AccessClass.READ_WRITE, share);
      }
      classes.put(p.id(), Classifier.classify(seen.rates(p.id()), before, share));
    }
    return classes;
  }

  private static List<PolicyState.Classified> list(Map<PartitionId, AccessClass> classes) {
    return classes.entrySet().stream()
        .map(e -> new PolicyState.Classified(e.getKey(), e.getValue()))
        .sorted(Comparator.comparing(PolicyState.Classified::partition))
        .toList();
  }

  static List<NodeState> usable(Observation.Usable seen) {
    return seen.snapshot().liveNodes().stream().filter(n -> !n.draining()).toList();
  }

  static NodeId leastLoaded(Observation.Usable seen, List<NodeId> nodes) {
    if (seen.snapshot().ownership() == Ownership.TOKENS) {
      return nodes.stream()
          .min(
              Comparator.comparingDouble((NodeId n) -> seen.usage().getOrDefault(n, 0.0))
                  .thenComparing(n -> n))
          .orElseThrow();
    }
    Map<NodeId, Double> load = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      p.node().ifPresent(n -> load.merge(n, seen.rates(p.id()).total(), Double::sum));
    }
    return nodes.stream()
        .min(
            Comparator.comparingDouble((NodeId n) -> load.getOrDefault(n, 0.0))
                .thenComparing(n -> n))
        .orElseThrow();
  }

  private static List<NodeId> ids(
      List<NodeState> nodes, java.util.function.Predicate<NodeState> which) {
    return nodes.stream().filter(which).map(NodeState::id).toList();
  }
}
