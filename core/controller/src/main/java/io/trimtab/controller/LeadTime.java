package io.trimtab.controller;

import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.Plan;
import io.trimtab.engineapi.PlannedAction;
import java.time.Duration;
import java.util.Optional;

/**
 * How long the node took that was added last.
 *
 * @param served from the wish for it until it served
 * @param warm from the wish until all caches had what they would get; empty while that is not known
 */
public record LeadTime(Duration served, Optional<Duration> warm) {

  /** The plan, telling it with each node that it adds. */
  public Plan told(Plan plan) {
    return plan.with(
        plan.actions().stream()
            .map(a -> a.action().as(Action.AddNode.class).isPresent() ? told(a) : a)
            .toList());
  }

  private PlannedAction told(PlannedAction add) {
    String text =
        "; the last one served after %d s, %s"
            .formatted(
                served.toSeconds(),
                warm.map(t -> "and caches were full after " + t.toSeconds() + " s")
                    .orElse("when caches were full is not known"));
    return new PlannedAction(
        add.step(), add.action(), add.reason(), add.effect(), add.cost() + text, add.undo());
  }
}
