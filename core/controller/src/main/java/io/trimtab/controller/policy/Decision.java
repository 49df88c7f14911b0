package io.trimtab.controller.policy;

import io.trimtab.engineapi.plan.Plan;
import java.util.OptionalDouble;

/** What a policy wants; doing nothing is a decision with a reason too. */
public sealed interface Decision {
  PolicyState next();

  /**
   * Carry out a plan; {@code next} holds once it is done.
   *
   * @param predicted usage of the most used node afterwards; empty where the policy has no model
   */
  record Act(Plan plan, PolicyState next, OptionalDouble predicted) implements Decision {
    public Act(Plan plan, PolicyState next) {
      this(plan, next, OptionalDouble.empty());
    }
  }

  /**
   * Do nothing.
   *
   * @param setting the key that would change this; empty where none would
   */
  record Hold(String reason, String setting, PolicyState next) implements Decision {}
}
