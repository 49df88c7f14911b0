package io.trimtab.controller.policy;

import io.trimtab.controller.guard.FewestNodes;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.Balancing;
import io.trimtab.controller.place.Gain;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.ring.RingProfiles;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the policies after MeT have in common (Cruz 2016, §3.2.2): whether the cluster is healthy
 * (stage A), and the plans that a number of nodes leads to (stages C and D). When nodes are added
 * is each policy's own (stage B).
 */
final class MetStages {
  private static final String GROUPED =
      "; partitions are grouped by access pattern, on nodes configured for it";

  private final DecisionContext context;
  private final PlanFactory plans;
  private final Partitions partitions;
  private final List<PolicyState.Classified> classes;
  private final List<NodeState> nodes;
  private final List<NodeId> over;
  private final boolean idle;
  private final boolean regroups;

  private MetStages(DecisionContext context, PlanFactory plans, boolean regroups) {
    this.context = context;
    this.plans = plans;
    // Where tokens place the data there is nothing to place.
    this.regroups = regroups && context.placement().assignsPartitions();
    partitions = Classifier.classify(context.seen(), context.state(), context.settings());
    classes = PolicyState.classified(partitions);
    nodes = UsableNodes.of(context.seen());
    HealthSettings health = context.settings().health();
    over = nodes.stream().filter(n -> usage(n) > health.high()).map(NodeState::id).toList();
    long under = nodes.stream().filter(n -> usage(n) < health.low()).count();
    idle = over.isEmpty() && under > health.suboptimal() * nodes.size();
  }

  /** Nodes that come or go change as little as can be of the placement that there is. */
  static MetStages keepingPlaces(DecisionContext context, PlanFactory plans) {
    return new MetStages(context, plans, false);
  }

  /** Each plan places all partitions anew and configures all nodes for them. */
  static MetStages regrouping(DecisionContext context, PlanFactory plans) {
    return new MetStages(context, plans, true);
  }

  private double usage(NodeState node) {
    return context.seen().usage().get(node.id());
  }

  private Settings settings() {
    return context.settings();
  }

  private List<NodeId> present() {
    return nodes.stream().map(NodeState::id).toList();
  }

  /** What is balanced where partitions are placed, and what is said of it. */
  private Balancing balancing() {
    return regroups
        ? Balancing.longestFirst(context.seen(), partitions, nodes, settings())
        : Balancing.withSwaps(partitions);
  }

  private PlacementInput input(List<NodeId> on, Balancing balancing) {
    return new PlacementInput(
            context.seen().snapshot(),
            partitions,
            on,
            settings().place(),
            settings().tables(),
            context.seen().frozen())
        .with(balancing.balancer());
  }

  /** The state after a decision. */
  PolicyState next(int step, boolean first) {
    return context.state().next(step, first, classes);
  }

  /** Nodes that plans may count on. */
  List<NodeState> nodes() {
    return nodes;
  }

  /** Those that are overloaded. */
  List<NodeId> over() {
    return over;
  }

  /** Whether no node is overloaded, and more than {@code health.suboptimal} are underloaded. */
  boolean idle() {
    return idle;
  }

  /** Whether a plan chooses the node of each partition. */
  boolean assigns() {
    return context.placement().assignsPartitions();
  }

  /**
   * Whether the initial reconfiguration is still to be done. Where tokens place the data there is
   * none.
   */
  boolean first() {
    return assigns() && context.state().first();
  }

  /** Whether another node is allowed. */
  boolean mayGrow() {
    return nodes.size() < context.most().nodes();
  }

  /** Why nothing can be decided; empty if it can. */
  Optional<Decision> undecidable() {
    if (nodes.isEmpty()) {
      return Optional.of(unchanged("no node could take partitions"));
    }
    return assigns() && context.seen().snapshot().partitions().isEmpty()
        ? Optional.of(unchanged("the cluster has no partitions"))
        : Optional.empty();
  }

  private Decision unchanged(String reason) {
    PolicyState state = context.state();
    return new Decision.Hold(reason, "", next(state.step(), state.first()));
  }

  /**
   * Where tokens place the data: nodes configured for their requests, if some are not. As when
   * partitions are regrouped, another configuration comes before another machine.
   */
  Optional<Decision> configuredInPlace() {
    if (over.isEmpty() && (idle || !settings().place().whenHealthy())) {
      return Optional.empty();
    }
    RingProfiles ring =
        context
            .placement()
            .profilesInPlace(context.seen(), partitions, nodes, settings().place().way());
    return ring.actions().isEmpty()
        ? Optional.empty()
        : Optional.of(
            plans.plan(
                context.seen().snapshot(),
                ring.actions(),
                overloaded() + "; nodes are configured for their requests",
                ring.share(),
                next(context.state().step(), false)));
  }

  private String overloaded() {
    return Counted.areOf(over.size(), nodes.size(), "node") + " overloaded";
  }

  /** Doing nothing, as all nodes are used as they should be; empty if they are not (stage A). */
  Optional<Decision> healthy() {
    if (!over.isEmpty() || idle || (first() && settings().place().whenHealthy())) {
      return Optional.empty();
    }
    return Optional.of(
        new Decision.Hold(
            String.format(
                Locale.ROOT,
                "the cluster is healthy: no node's usage is above %.2f, highest %.2f",
                settings().health().high(),
                nodes.stream().mapToDouble(this::usage).max().orElse(0)),
            first() ? "place.whenHealthy" : "health.high",
            next(1, context.state().first())));
  }

  /** Places everything and configures all nodes from scratch, on the nodes that there are. */
  Decision initial() {
    Balancing balancing = balancing();
    PlacementInput in = input(present(), balancing);
    return toward(
        TargetState.fromScratch(in),
        balancing,
        List.of(),
        overloaded() + GROUPED + balancing.note(),
        next(1, false));
  }

  /** Removes a node. */
  Decision shrink() {
    List<NodeId> present = present();
    FewestNodes least = context.fewest();
    if (present.size() <= least.nodes()) {
      return new Decision.Hold(
          "underloaded, but " + least.refusal(present.size()), least.setting(), next(1, false));
    }
    NodeId leaves = context.leaves(present);
    String kept = context.kept(present);
    Balancing balancing = balancing();
    PlacementInput in = input(present.stream().filter(n -> !n.equals(leaves)).toList(), balancing);
    return toward(
        placed(in, List.of()),
        balancing,
        List.of(leaves),
        "most nodes are underloaded: "
            + (kept.isEmpty() ? "the least loaded one, " + leaves + "," : leaves.toString())
            + " is removed"
            + kept
            + grouped(balancing),
        next(1, false));
  }

  /**
   * Adds nodes, twice as many each time, or, if that is not allowed, places all partitions anew.
   *
   * @param refusal why something else is not done, to be put behind a sentence; or empty
   */
  Decision grow(String refusal) {
    List<NodeId> present = present();
    int step = context.state().step();
    int more = Math.min(step, context.most().nodes() - present.size());
    if (more <= 0) {
      return placedAgain(present, refusal);
    }
    List<NodeId> joining = DecisionContext.joining(more);
    List<NodeId> all = new ArrayList<>(present);
    all.addAll(joining);
    Balancing balancing = balancing();
    PlacementInput in = input(all, balancing);
    return toward(
        placed(in, joining),
        balancing,
        List.of(),
        overloaded() + ": adding " + more + grouped(balancing) + refusal,
        next(2 * step, false));
  }

  private Decision placedAgain(List<NodeId> present, String refusal) {
    Balancing balancing = balancing();
    PlacementInput in = input(present, balancing);
    TargetState best = TargetState.fromScratch(in);
    int step = context.state().step();
    MostNodes most = context.most();
    boolean enough =
        regroups ? Gain.of(in, best) <= in.settings().tolerance() : Gain.goodEnough(in, best);
    if (enough) {
      return new Decision.Hold(
          Counted.are(over.size(), "node")
              + " overloaded, the placement is as good as it gets, and "
              + most.refusal()
              + balancing.note()
              + refusal,
          most.setting(),
          next(step, false));
    }
    return toward(
        best,
        balancing,
        List.of(),
        Counted.are(over.size(), "node")
            + " overloaded and "
            + (most.isProviders() ? most.refusal() + ";" : "no node may be added:")
            + " all partitions are placed again"
            + balancing.note()
            + refusal,
        next(step, false));
  }

  /** The plan that leads to a target, with its nodes' usage where that was balanced. */
  private Decision toward(
      TargetState target,
      Balancing balancing,
      List<NodeId> leaving,
      String summary,
      PolicyState next) {
    Decision decision = plans.toward(target.in(), target, leaving, summary, next);
    return decision instanceof Decision.Act act
        ? balancing.predicted(target).map(act::predicting).orElse(act)
        : decision;
  }

  private TargetState placed(PlacementInput in, List<NodeId> joining) {
    return regroups ? TargetState.fromScratch(in) : TargetState.incremental(in, joining);
  }

  /** The end of a summary, where partitions are grouped. */
  private String grouped(Balancing balancing) {
    return regroups ? GROUPED + balancing.note() : "";
  }
}
