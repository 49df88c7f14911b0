package io.trimtab.controller.plan;

import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.util.Optional;

/**
 * How long the node took that was added last.
 *
 * @param served from the request for it until it served
 * @param warm from the request until all caches had what they would get; empty while that is not
 *     known
 */
public record LeadTime(Duration served, Optional<Duration> warm) {

  /** The plan, telling it with each node that it adds. */
  public Plan annotate(Plan plan) {
    return plan.with(
        plan.actions().stream()
            .map(a -> a.action().as(Action.AddNode.class).isPresent() ? annotate(a) : a)
            .toList());
  }

  private PlannedAction annotate(PlannedAction add) {
    String text =
        "; the last one served after %d s, %s"
            .formatted(
                served.toSeconds(),
                warm.map(t -> "and caches were full after " + t.toSeconds() + " s")
                    .orElse("the time until caches were full is unknown"));
    return new PlannedAction(
        add.step(), add.action(), add.reason(), add.effect(), add.cost() + text, add.undo());
  }
}
