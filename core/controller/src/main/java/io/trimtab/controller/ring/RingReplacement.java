package io.trimtab.controller.ring;

import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.NodeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether another node takes a slow one's place. */
final class RingReplacement {
  private final RingSituation ring;
  private final Policy.Veto veto;
  private final PlanFactory plans;

  RingReplacement(RingSituation ring, Policy.Veto veto, PlanFactory plans) {
    this.ring = ring;
    this.veto = veto;
    this.plans = plans;
  }

  /** Another node takes a slow one's place, or why not yet; empty where none is slow. */
  Optional<Decision> decide() {
    return ring.slow.map(this::replace);
  }

  /** The same as far as it is a plan. */
  Optional<Decision> plan() {
    return decide().filter(Decision.Act.class::isInstance);
  }

  /** The same of the slow node. */
  Decision replace(SlowMember slow) {
    if (ring.table.replaced(slow).gain() <= 0) {
      return stays(
          slow,
          "so far it would cost more than it brings to put another in its place",
          "choice.horizon");
    }
    Optional<String> never = slow.stays(ring.context);
    if (never.isPresent()) {
      return stays(slow, never.get(), "");
    }
    MostNodes allowed = ring.allowed();
    if (ring.nodes.size() >= allowed.nodes()) {
      return stays(
          slow,
          "to replace it takes a node more for a while, but " + allowed.refusal(),
          allowed.setting());
    }
    return ring.awaited(slow.told().text()).orElseGet(() -> replaced(slow));
  }

  private Decision replaced(SlowMember slow) {
    DecisionContext context = ring.context;
    List<NodeId> then = new ArrayList<>(ring.shares.fast());
    List<NodeId> joins = DecisionContext.joining(1);
    then.addAll(joins);
    String summary =
        slow.told().text()
            + "; another takes its place"
            + LeadTime.told(context.seen().offer())
            + ring.ignored();
    Instant now = context.seen().snapshot().takenAt();
    PolicyState state = context.state().replacing(slow.node(), joins.get(0), now);
    DecisionContext next = new DecisionContext(context.seen(), state, context.settings());
    Decision decision =
        ring.predicting(
            EvenSpread.decide(next, then, List.of(slow.node()), summary, plans), then, then.size());
    return decision instanceof Decision.Act act
        ? veto.refusal(act)
            .<Decision>map(
                why -> stays(slow, "to replace it is refused: " + why.reason(), why.setting()))
            .orElse(act)
        : decision;
  }

  /** Nothing is done about a slow node. */
  private Decision.Hold stays(SlowMember slow, String why, String setting) {
    ring.table.tell(RingTable.REPLACE, why);
    return ring.context.hold(slow.told().text() + "; " + why, setting);
  }
}
