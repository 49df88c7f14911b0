package io.trimtab.engineapi.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An ordered list of actions.
 *
 * @param id unique for a cluster's journal
 * @param snapshotAt when the snapshot was taken that it was made from
 * @param policy who made it
 * @param summary why, in one sentence
 * @param gain predicted relative gain in the policy's own objective, ≥ 0; 0.2 = 20 % better
 */
public record Plan(
    String id,
    String clusterId,
    Instant snapshotAt,
    String policy,
    String summary,
    double gain,
    List<PlannedAction> actions) {
  public Plan {
    actions = List.copyOf(actions);
  }

  /** Its actions of one kind, in the plan's order. */
  public <A extends Action> List<A> actions(Class<A> type) {
    return actions.stream().map(a -> a.action().as(type)).flatMap(Optional::stream).toList();
  }

  /** The same with other steps. */
  public Plan with(List<PlannedAction> other) {
    return new Plan(id, clusterId, snapshotAt, policy, summary, gain, other);
  }
}
