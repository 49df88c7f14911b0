package io.trimtab.controller.policy;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.engineapi.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A policy's decision; doing nothing is also a decision, with a reason. */
public sealed interface Decision {
  PolicyState next();

  /** What was weighed, the best first; empty for policies that weigh nothing. */
  List<Alternative> weighed();

  /**
   * Execute a plan; {@code next} is the policy's state once it is done.
   *
   * @param predicted usage of the nodes after the plan; empty if the policy predicts none
   * @param urgent whether data are at risk until the plan is done, so that it waits for no cooldown
   *     and for no other plan
   */
  record Act(
      Plan plan,
      PolicyState next,
      Optional<UsagePrediction> predicted,
      boolean urgent,
      List<Alternative> weighed)
      implements Decision {
    public Act {
      weighed = List.copyOf(weighed);
    }

    public Act(Plan plan, PolicyState next, boolean urgent) {
      this(plan, next, Optional.empty(), urgent, List.of());
    }

    public Act(Plan plan, PolicyState next) {
      this(plan, next, false);
    }

    /** The same with what was weighed. */
    public Act with(List<Alternative> weighed) {
      return new Act(plan, next, predicted, urgent, weighed);
    }

    /** The same with what is predicted for the cluster after it. */
    public Act predicting(UsagePrediction usage) {
      return new Act(plan, next, Optional.of(usage), urgent, weighed);
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

    /** The same with what was weighed. */
    public Hold with(List<Alternative> weighed) {
      return new Hold(reason, setting, next, weighed);
    }

    /** The same with more of its reason. */
    public Hold adding(String clause) {
      return new Hold(reason + clause, setting, next, weighed);
    }

    /** The same and another one that does nothing, with its own reason; any other as it is. */
    Decision and(Decision other) {
      return other instanceof Hold hold
          ? new Hold(
              reason + "; " + hold.reason,
              Stream.of(setting, hold.setting)
                  .flatMap(keys -> Stream.of(keys.split(", ")))
                  .filter(key -> !key.isEmpty())
                  .distinct()
                  .collect(Collectors.joining(", ")),
              next,
              hold.weighed)
          : other;
    }
  }
}
