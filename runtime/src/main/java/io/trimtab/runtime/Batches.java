package io.trimtab.runtime;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/** What is left of a plan, in batches of neighbouring actions of a kind that run together. */
final class Batches {
  private final GuardSettings guard;
  private final List<PlannedAction> left;

  /**
   * @param ended steps that need not be done again
   */
  Batches(Plan plan, Set<Integer> ended, GuardSettings guard) {
    this.guard = guard;
    this.left =
        plan.actions().stream()
            .filter(planned -> !ended.contains(planned.step()))
            .collect(Collectors.toCollection(ArrayList::new));
  }

  boolean isEmpty() {
    return left.isEmpty();
  }

  /** Actions like the next one that may run at the same time, by the guard; ≥ 1. */
  int atOnceMax() {
    return atOnce(left.get(0).action());
  }

  /**
   * The next batch; it stays until it is {@link #done}.
   *
   * @param pace how many may run at once where the guard permits so many
   */
  List<PlannedAction> next(IntUnaryOperator pace) {
    PlannedAction first = left.get(0);
    List<PlannedAction> batch = new ArrayList<>();
    for (PlannedAction planned : left) {
      boolean joins =
          planned.action().kind().equals(first.action().kind())
              && batch.size() < pace.applyAsInt(Math.min(atOnceMax(), atOnce(planned.action())));
      if (!joins && !batch.isEmpty()) {
        break;
      }
      batch.add(planned);
    }
    return batch;
  }

  void done(List<PlannedAction> batch) {
    left.removeAll(batch);
  }

  private int atOnce(Action action) {
    return action.accept(new Concurrency(guard));
  }
}
