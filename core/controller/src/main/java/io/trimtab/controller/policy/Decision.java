package io.trimtab.controller.policy;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.engineapi.plan.Plan;
import java.util.List;
import java.util.OptionalDouble;

/** A policy's decision; doing nothing is also a decision, with a reason. */
public sealed interface Decision {
  PolicyState next();

  /** What was weighed, the best first; empty for policies that weigh nothing. */
  List<Alternative> weighed();

  /**
   * Execute a plan; {@code next} is the policy's state once it is done.
   *
   * @param predicted usage of the most used node after the plan; empty if the policy has no model
   * @param urgent whether data are at risk until the plan is done, so that it waits for no cooldown
   *     and for no other plan
   */
  record Act(
      Plan plan,
      PolicyState next,
      OptionalDouble predicted,
      boolean urgent,
      List<Alternative> weighed)
      implements Decision {
    public Act {
      weighed = List.copyOf(weighed);
    }

    public Act(Plan plan, PolicyState next, OptionalDouble predicted, boolean urgent) {
      this(plan, next, predicted, urgent, List.of());
    }

    /** The same with what was weighed. */
    public Act with(List<Alternative> weighed) {
      return new Act(plan, next, predicted, urgent, weighed);
    }

    public Act(Plan plan, PolicyState next) {
      this(plan, next, OptionalDouble.empty());
    }

    public Act(Plan plan, PolicyState next, OptionalDouble predicted) {
      this(plan, next, predicted, false);
    }
  }

  /**
   * Do nothing.
   *
   * @param setting the key that controls it; empty if there is none
   */
  record Hold(String reason, String setting, PolicyState next, List<Alternative> weighed)
      implements Decision {
    public Hold {
      weighed = List.copyOf(weighed);
    }

    public Hold(String reason, String setting, PolicyState next) {
      this(reason, setting, next, List.of());
    }
  }
}
