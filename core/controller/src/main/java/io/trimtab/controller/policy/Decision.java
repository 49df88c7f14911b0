package io.trimtab.controller.policy;

import io.trimtab.engineapi.plan.Plan;
import java.util.OptionalDouble;

/** A policy's decision; doing nothing is also a decision, with a reason. */
public sealed interface Decision {
  PolicyState next();

  /**
   * Execute a plan; {@code next} is the policy's state once it is done.
   *
   * @param predicted usage of the most used node after the plan; empty if the policy has no model
   */
  record Act(Plan plan, PolicyState next, OptionalDouble predicted) implements Decision {
    public Act(Plan plan, PolicyState next) {
      this(plan, next, OptionalDouble.empty());
    }
  }

  /**
   * Do nothing.
   *
   * @param setting the key that controls it; empty if there is none
   */
  record Hold(String reason, String setting, PolicyState next) implements Decision {}
}
