package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.ring.RingChoice;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Set;

/**
 * Weighs all that could be done against each other: moves, splits, profiles, compactions, nodes
 * more or fewer, and all partitions grouped anew. Takes the cheapest that brings every node below
 * the target usage, if that saves more over the horizon than it costs. Agreements that are missed
 * get what they need whether or not it pays, and no node goes that they need.
 */
public final class AutopilotPolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("autopilot");

  private final Veto veto;

  AutopilotPolicy() {
    this(Veto.NONE);
  }

  private AutopilotPolicy(Veto veto) {
    this.veto = veto;
  }

  @Override
  public String name() {
    return PLANS.policy();
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.HINTS, Need.HISTOGRAMS, Need.RECORD);
  }

  @Override
  public Set<Need> uses(Settings settings) {
    return settings.slo().sla() == null ? Set.of(Need.MODEL) : Set.of(Need.MODEL, Need.SERVICE);
  }

  @Override
  public boolean keepsAgreements() {
    return true;
  }

  @Override
  public Policy heeding(Veto other) {
    return new AutopilotPolicy(other);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    DecisionContext context = new DecisionContext(seen, state, settings).relieved();
    List<NodeState> nodes = UsableNodes.of(seen);
    if (nodes.isEmpty() || seen.snapshot().partitions().isEmpty()) {
      return context.hold("there are no partitions, or no usable nodes", "");
    }
    return context.placement().assignsPartitions()
        ? new AssignedChoice(context.compared(), nodes, veto, PLANS).decide()
        : new RingChoice(context, nodes, veto, PLANS).decide();
  }
}
