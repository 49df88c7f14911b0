package io.trimtab.controller.policy;

import io.trimtab.controller.choice.PlanPrediction;
import io.trimtab.controller.guard.SharedMachines;
import io.trimtab.controller.health.Quarantine;
import io.trimtab.controller.place.UsagePrediction;
import java.util.Optional;

/** Whether there is room for what a plan brings to machines that other clusters use, too. */
final class SharedRoom {
  private SharedRoom() {}

  /** Why a plan may not begin; an urgent one may, as data are at risk without it. */
  static Optional<Decider.Refusal> lacking(Decision.Act act, Decider.Context context) {
    SharedMachines machines = context.seen().machines();
    return machines.isEmpty() || act.urgent()
        ? Optional.empty()
        : machines
            .refuses(act.plan(), context.seen(), usageAfter(act, context), context.now())
            .map(refuse -> new Decider.Refusal("guard", refuse.reason(), refuse.setting()));
  }

  /**
   * Usage of the nodes after a plan, as its policy predicts it or, where that predicts none, as
   * {@link PlanPrediction} does; empty if neither can.
   */
  static Optional<UsagePrediction> usageAfter(Decision.Act act, Decider.Context context) {
    return act.predicted()
        .or(
            () ->
                PlanPrediction.of(
                    new DecisionContext(
                        Quarantine.without(context.seen()),
                        context.remembered(),
                        context.settings()),
                    act.plan()));
  }
}
