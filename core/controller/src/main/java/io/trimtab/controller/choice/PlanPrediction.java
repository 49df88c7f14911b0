package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.ring.RingShares;
import io.trimtab.controller.ring.RingUsage;
import io.trimtab.controller.ring.SlowMember;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What nodes will use after a plan, whoever made it and by whatever rule, for as much load as there
 * is now. It is there to be compared with what is measured then; nothing is decided by it but
 * whether machines that clusters share have room for a plan.
 */
public final class PlanPrediction {
  private PlanPrediction() {}

  /**
   * The usage of each node, predicted as the autopilot would predict it from the same observation.
   *
   * @param context what the plan was made from
   * @return empty where nothing is known of the load, or of what the plan changes: before a node's
   *     usage was measured, for a load that the model was not built for, for settings of nodes, for
   *     profiles of a ring's nodes, and for the replacement of a dead one, whose part of the reads
   *     its peers have had, and of the writes nobody
   */
  public static Optional<UsagePrediction> of(DecisionContext context, Plan plan) {
    if (!plan.actions(Action.ReplaceNode.class).isEmpty()) {
      return Optional.empty();
    }
    List<NodeState> nodes = UsableNodes.of(context.seen());
    if (nodes.isEmpty() || !nodes.stream().allMatch(node -> isMeasured(context.seen(), node))) {
      return Optional.empty();
    }
    try {
      return context.placement().assignsPartitions()
          ? ofAssigned(context, plan)
          : ofRing(context.seen(), nodes, plan);
    } catch (IllegalArgumentException e) {
      // Models say so where they can't predict something. Nothing else stops a plan by what is
      // predicted of it, whatever the plan does: tested with drawn ones.
      return Optional.empty();
    }
  }

  private static boolean isMeasured(Observation.Usable seen, NodeState node) {
    return Double.isFinite(seen.usage().getOrDefault(node.id(), Double.NaN));
  }

  private static Optional<UsagePrediction> ofAssigned(DecisionContext context, Plan plan) {
    PlanEffects effects = PlanEffects.of(plan);
    if (effects.isEmpty()) {
      return Optional.empty();
    }
    ClusterLoad load = new ClusterLoad(context);
    UsagePrediction.Origin from = load.basis().origin();
    if (from == UsagePrediction.Origin.REQUESTS && !isAsked(load)) {
      return Optional.empty();
    }
    return effects.on(load).map(then -> new UsagePrediction(from, then.usageByLoadOfNow()));
  }

  private static boolean isAsked(ClusterLoad load) {
    return IntStream.range(0, load.partitions().size())
        .anyMatch(p -> load.partitions().load(p) > 0);
  }

  /** The nodes that there are then share the load of now. */
  private static Optional<UsagePrediction> ofRing(
      Observation.Usable seen, List<NodeState> nodes, Plan plan) {
    List<NodeId> present = nodes.stream().map(NodeState::id).toList();
    List<NodeId> then = new ArrayList<>(present);
    plan.actions(Action.RemoveNode.class).forEach(leaves -> then.remove(leaves.node()));
    plan.actions(Action.AddNode.class).forEach(joins -> then.add(joins.placeholder()));
    if (then.equals(present)) {
      return Optional.empty();
    }
    Optional<SlowMember> slow = SlowMember.of(seen, present);
    RingShares shares = new RingShares(present, slow, RingUsage.of(seen, nodes));
    boolean slowStays = slow.filter(node -> then.contains(node.node())).isPresent();
    double lacking = slowStays ? shares.lacking() : 0;
    return Optional.of(shares.predicted(then, then.size() - lacking));
  }
}
