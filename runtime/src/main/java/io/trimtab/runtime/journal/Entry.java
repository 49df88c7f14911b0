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

  /** A plan is about to be executed; {@code before} is the state of the engine's own balancing. */
  record PlanStarted(Instant at, Plan plan, BalancerState before, PolicyState next)
      implements Entry {}

  /** An action is about to be executed. */
  record ActionStarted(Instant at, int step) implements Entry {}

  /** An action has ended. */
  record ActionEnded(Instant at, int step, ActionOutcome outcome, String detail) implements Entry {}

  /** The node of a plan's placeholder, such as {@code new-1}, exists. */
  record NodeAdded(Instant at, NodeId placeholder, NodeId node) implements Entry {}

  /** A plan has ended; the engine's own balancing is restored. */
  record PlanEnded(Instant at, String planId, PlanOutcome outcome, String why) implements Entry {}

  /**
   * A model's prediction for the cluster after a plan.
   *
   * @param model id of the model; a changed file is another model
   * @param kinds kinds of actions of the plan
   * @param usage predicted usage of the most used node
   */
  record Predicted(Instant at, String planId, String model, List<String> kinds, double usage)
      implements Entry {}

  /** The observed usage for a prediction, measured after enough samples. */
  record Measured(Instant at, String planId, double usage) implements Entry {}

  /** The first decision at which all caches were full after a plan that added a node. */
  record Warmed(Instant at, String planId) implements Entry {}

  /** Nothing was done, for a reason. */
  record Held(Instant at, String by, String reason, String setting) implements Entry {}

  /** A dry run would have executed this plan. */
  record Proposed(Instant at, Plan plan) implements Entry {}
}
