package io.trimtab.runtime.journal;

import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.Setbacks;
import io.trimtab.controller.policy.Stability;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a controller remembers of the plans that have ended.
 *
 * @param policy the policy's state after the last plan that was completed
 * @param lastPlan id of the plan that ended last; empty if there was none
 * @param lastPlanEnded when it ended
 * @param lastAdded lead time of the node that was added last
 * @param grown the plan that added it; empty if there was none
 * @param requested when it was requested
 * @param predictions the newest predictions and what came of them, the oldest first
 * @param setbacks plans that were abandoned
 * @param stability what plans have moved, and how they changed the number of nodes
 * @param clientHours of clients above the agreed number, by tenant, since that began; without those
 *     of tenants that have no more than agreed
 * @param lastPolicy name of the policy whose plan ended last, or words for one of which only that
 *     is known that it was there; empty if there was none
 * @param missed since when agreements are missed, by tenant
 */
public record Memory(
    PolicyState policy,
    String lastPlan,
    Optional<Instant> lastPlanEnded,
    Optional<LeadTime> lastAdded,
    String grown,
    Optional<Instant> requested,
    List<PredictionLedger.PredictionResult> predictions,
    Setbacks setbacks,
    Stability stability,
    Map<String, Double> clientHours,
    String lastPolicy,
    Map<String, Instant> missed) {
  /** Plans' ids end with the time at which they were made. */
  private static final String TIME = "-[0-9]+$";

  /** Where the last plan of an older controller was not its policy's. */
  private static final String UNNAMED = "an earlier version";

  public Memory {
    predictions = List.copyOf(predictions);
    // Older controllers left none.
    setbacks = setbacks == null ? Setbacks.NONE : setbacks;
    stability = stability == null ? Stability.NONE : stability;
    clientHours = clientHours == null ? Map.of() : Map.copyOf(clientHours);
    lastPolicy = lastPolicy == null ? maker(lastPlan) : lastPolicy;
    missed = missed == null ? Map.of() : Map.copyOf(missed);
  }

  /** Dead nodes and nodes' settings are no policy's, but some policy was there. */
  private static String maker(String plan) {
    String name = plan.replaceFirst(TIME, "");
    return name.isEmpty() || Policies.ALL.names().contains(name) ? name : UNNAMED;
  }
}
