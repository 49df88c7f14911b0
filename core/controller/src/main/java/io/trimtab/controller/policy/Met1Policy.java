package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.Gain;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.ring.RingProfiles;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * MeT (Cruz 2016, §3.2.2, Algorithm 1): health, number of nodes, then placement and profiles by
 * access class. The initial reconfiguration comes before any node is added, also on an overloaded
 * cluster, because moving costs less than a machine; the thesis adds nodes at once.
 */
public final class Met1Policy implements Policy {
  @Override
  public String name() {
    return "met-1";
  }

  private static final PlanFactory PLANS = new PlanFactory("met-1");

  /**
   * The input of all steps of a decision.
   *
   * @param partitions with their classes
   * @param list the classes in the form stored in the policy's state
   */
  private record MetContext(
      DecisionContext context,
      Partitions partitions,
      List<PolicyState.Classified> list,
      List<NodeState> nodes) {

    Observation.Usable seen() {
      return context.seen();
    }

    PolicyState state() {
      return context.state();
    }

    Settings settings() {
      return context.settings();
    }

    List<NodeId> present() {
      return nodes.stream().map(NodeState::id).toList();
    }

    List<NodeId> where(Predicate<NodeState> which) {
      return nodes.stream().filter(which).map(NodeState::id).toList();
    }

    PolicyState next(int step, boolean first) {
      return state().next(step, first, list);
    }

    PlacementInput input(List<NodeId> on) {
      return new PlacementInput(
          seen().snapshot(),
          partitions,
          on,
          settings().place(),
          settings().tables(),
          seen().frozen());
    }
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.HINTS);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    DecisionContext context = new DecisionContext(seen, state, settings);
    Partitions partitions = Classifier.classify(seen, state, settings);
    MetContext met =
        new MetContext(
            context, partitions, PolicyState.classified(partitions), UsableNodes.of(seen));
    if (met.nodes().isEmpty()) {
      return new Decision.Hold(
          "no node could take partitions", "", met.next(state.step(), state.first()));
    }
    boolean placed = context.placement().assignsPartitions();
    if (placed && seen.snapshot().partitions().isEmpty()) {
      return new Decision.Hold(
          "the cluster has no partitions", "", met.next(state.step(), state.first()));
    }
    // Where tokens place the data there is no reconfiguration before nodes are added.
    return decide(met, placed && state.first());
  }

  private Decision decide(MetContext met, boolean first) {
    Observation.Usable seen = met.seen();
    PolicyState state = met.state();
    Settings settings = met.settings();
    List<NodeState> nodes = met.nodes();
    HealthSettings health = settings.health();
    List<NodeId> over = met.where(n -> seen.usage().get(n.id()) > health.high());
    List<NodeId> under = met.where(n -> seen.usage().get(n.id()) < health.low());
    boolean mostlyIdle = over.isEmpty() && under.size() > health.suboptimal() * nodes.size();
    if (over.isEmpty() && !first) {
      List<Action.Merge> merges = SplitPlanner.merges(seen, nodes, state, settings);
      if (!merges.isEmpty()) {
        return SplitPlanner.act(seen, merges, met.next(state.step(), state.first()), name());
      }
    }
    if (!over.isEmpty() || (settings.place().whenHealthy() && !mostlyIdle)) {
      // As when partitions are regrouped, another configuration comes before another machine.
      RingProfiles ring =
          met.context()
              .placement()
              .profilesInPlace(seen, met.partitions(), nodes, settings.place().way());
      if (!ring.actions().isEmpty()) {
        return PLANS.plan(
            seen.snapshot(),
            ring.actions(),
            Counted.areOf(over.size(), nodes.size(), "node")
                + " overloaded; nodes are configured for their requests",
            ring.share(),
            met.next(state.step(), false));
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
          met.next(1, state.first()));
    }
    return first ? initial(met, over.size()) : resize(met, over, mostlyIdle);
  }

  private static Decision initial(MetContext met, int overloaded) {
    var in = met.input(met.present());
    String why =
        Counted.areOf(overloaded, met.nodes().size(), "node")
            + " overloaded; partitions are grouped by access pattern, on nodes configured for it";
    return PLANS.toward(in, TargetState.fromScratch(in), List.of(), why, met.next(1, false));
  }

  private static Decision resize(MetContext met, List<NodeId> over, boolean idle) {
    if (idle) {
      return shrink(met);
    }
    // A partition that alone is more than a node should carry is no better off on another node.
    PolicyState state = met.state();
    SplitPlanner.Proposal splits =
        met.context().placement().assignsPartitions()
            ? SplitPlanner.splits(met.seen(), met.nodes(), over, state, met.settings())
            : SplitPlanner.Proposal.NONE;
    if (!splits.actions().isEmpty()) {
      return SplitPlanner.act(
          met.seen(), splits.actions(), splits.gain(), met.next(state.step(), false), "met-1");
    }
    return grow(met, over.size(), splits.refusal());
  }

  private static Decision shrink(MetContext met) {
    List<NodeId> present = met.present();
    FewestNodes least = met.context().fewest();
    if (present.size() <= least.nodes()) {
      return new Decision.Hold(
          "underloaded, but " + least.refusal(present.size()), least.setting(), met.next(1, false));
    }
    NodeId leaves = met.context().leaves(present);
    var in = met.input(present.stream().filter(n -> !n.equals(leaves)).toList());
    return PLANS.toward(
        in,
        TargetState.incremental(in, List.of()),
        List.of(leaves),
        "most nodes are underloaded: the least loaded one, " + leaves + ", is removed",
        met.next(1, false));
  }

  /** Adds nodes or, if that is not allowed, places all partitions anew. */
  private static Decision grow(MetContext met, int over, String refusal) {
    List<NodeId> present = met.present();
    int step = met.state().step();
    int more = Math.min(step, met.settings().guard().maxNodes() - present.size());
    if (more <= 0) {
      var in = met.input(present);
      TargetState best = TargetState.fromScratch(in);
      if (Gain.goodEnough(in, best)) {
        return new Decision.Hold(
            Counted.are(over, "node")
                + " overloaded, the placement is as good as it gets, and "
                + Counted.are(present.size(), "node")
                + " the most allowed"
                + refusal,
            "guard.maxNodes",
            met.next(step, false));
      }
      return PLANS.toward(
          in,
          best,
          List.of(),
          Counted.are(over, "node")
              + " overloaded and no node may be added: all partitions are placed again"
              + refusal,
          met.next(step, false));
    }
    List<NodeId> joining = DecisionContext.joining(more);
    List<NodeId> all = new ArrayList<>(present);
    all.addAll(joining);
    var in = met.input(all);
    return PLANS.toward(
        in,
        TargetState.incremental(in, joining),
        List.of(),
        Counted.areOf(over, present.size(), "node") + " overloaded: adding " + more + refusal,
        met.next(2 * step, false));
  }
}
