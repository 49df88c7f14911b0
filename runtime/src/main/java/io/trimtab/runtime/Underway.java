package io.trimtab.runtime;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an earlier controller has begun and a ring goes on with by itself. Such an action is only
 * waited for: nothing new begins, so that what forbids a beginning does not end it, and ending it
 * would undo hours of streaming.
 *
 * @param begun steps of the plan that have not ended
 */
record Underway(Set<Integer> begun) {
  Underway {
    begun = Set.copyOf(begun);
  }

  /** Whether there may be such an action, as far as that can be told without the cluster. */
  boolean any(List<PlannedAction> plan) {
    return plan.stream().anyMatch(planned -> in(List.of(planned)).isPresent());
  }

  /** The action of a batch that goes on if this is a ring; such actions run alone. */
  Optional<Action> in(List<PlannedAction> batch) {
    return batch.stream()
        .filter(planned -> begun.contains(planned.step()))
        .map(PlannedAction::action)
        .filter(action -> action.accept(new InsideDatabase()).isPresent())
        .findFirst();
  }

  /** Whether the batch goes on in this cluster. */
  boolean goesOn(List<PlannedAction> batch, ClusterSnapshot seen) {
    return in(batch).filter(action -> goesOn(action, seen)).isPresent();
  }

  /**
   * A node that still serves as if nothing was asked of it does not leave yet. A cleanup has to be
   * asked for again, and may as well be left.
   */
  private static boolean goesOn(Action action, ClusterSnapshot seen) {
    boolean begins =
        action.as(Action.Cleanup.class).isPresent()
            || action
                .as(Action.RemoveNode.class)
                .flatMap(remove -> seen.node(remove.node()))
                .filter(Underway::stays)
                .isPresent();
    return PlacementModel.of(seen).staysOnlyByRestart() && !begins;
  }

  private static boolean stays(NodeState node) {
    return node.alive() && !node.draining();
  }
}
