package io.trimtab.runtime.journal;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import java.time.Instant;
import java.util.List;

/** One line of the journal. */
public sealed interface Entry {
  Instant at();

  /** A plan is about to be carried out; {@code before} is how the engine's movers stood. */
  record PlanStarted(Instant at, Plan plan, BalancerState before, PolicyState next)
      implements Entry {}

  /** An action is about to be performed. */
  record ActionStarted(Instant at, int step) implements Entry {}

  /** An action has ended. */
  record ActionEnded(Instant at, int step, ActionOutcome outcome, String detail) implements Entry {}

  /** What a plan calls {@code new-1} exists. */
  record NodeAdded(Instant at, NodeId placeholder, NodeId node) implements Entry {}

  /** A plan has ended; the engine's movers are as before. */
  record PlanEnded(Instant at, String planId, PlanOutcome outcome, String why) implements Entry {}

  /**
   * What a model says of the cluster as a plan has left it.
   *
   * @param model of which the prediction is; another file is another model
   * @param kinds of actions that the plan had
   * @param usage of the most used node
   */
  record Predicted(Instant at, String planId, String model, List<String> kinds, double usage)
      implements Entry {}

  /** What came of a prediction, once the cluster had been watched long enough. */
  record Measured(Instant at, String planId, double usage) implements Entry {}

  /** The first look after a plan, which has added a node, at which all caches were full. */
  record Warmed(Instant at, String planId) implements Entry {}

  /** Nothing was done, for a reason. */
  record Held(Instant at, String by, String reason, String setting) implements Entry {}

  /** A dry run would have carried out this plan. */
  record Proposed(Instant at, Plan plan) implements Entry {}
}
