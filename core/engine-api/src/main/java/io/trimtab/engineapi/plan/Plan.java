package io.trimtab.engineapi.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An ordered list of actions.
 *
 * @param id unique in a cluster's journal
 * @param snapshotAt time of the snapshot that the plan is based on
 * @param policy name of the policy that made the plan, or of the command that ordered it
 * @param summary the reason, in one sentence
 * @param gain predicted relative gain in the policy's own objective, ≥ 0; 0.2 = 20 % better; 0
 *     where none is meant, as an operator has ordered the plan for a reason of their own
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

  /** The actions of one kind, in the plan's order. */
  public <A extends Action> List<A> actions(Class<A> type) {
    return actions.stream().map(a -> a.action().as(type)).flatMap(Optional::stream).toList();
  }

  /** A copy with other actions. */
  public Plan with(List<PlannedAction> other) {
    return new Plan(id, clusterId, snapshotAt, policy, summary, gain, other);
  }

  /** A copy that no policy has made, as somebody has ordered it. */
  public Plan orderedBy(String command) {
    return new Plan(id, clusterId, snapshotAt, command, summary, gain, actions);
  }

  /** The same with another summary. */
  public Plan told(String other) {
    return new Plan(id, clusterId, snapshotAt, policy, other, gain, actions);
  }
}
