package io.trimtab.testkit;

import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.List;

/** Plans of which only the actions matter, not why they are to be done. */
public final class TestPlans {
  private TestPlans() {}

  /** The actions in this order, numbered from 1. */
  public static List<PlannedAction> steps(Action... actions) {
    List<PlannedAction> steps = new ArrayList<>();
    for (Action action : actions) {
      steps.add(new PlannedAction(steps.size() + 1, action, "r", "e", "c", "u"));
    }
    return steps;
  }

  /** A plan of the policy {@code test} for a cluster as it is. */
  public static Plan of(String id, ClusterSnapshot now, Action... actions) {
    return new Plan(id, now.clusterId(), now.takenAt(), "test", "s", 1, steps(actions));
  }
}
