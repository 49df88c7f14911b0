package io.trimtab.runtime;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.journal.Journal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an earlier controller has begun and a ring goes on with by itself. Such an action is only
 * waited for: nothing new begins, so that what forbids a beginning does not end it, and ending it
 * would undo hours of streaming.
 *
 * @param begun steps of the plan that have not ended
 * @param added placeholders of nodes that are known to have been started
 */
record Underway(Set<Integer> begun, Set<NodeId> added) {
  Underway {
    begun = Set.copyOf(begun);
    added = Set.copyOf(added);
  }

  /** Of a plan that an earlier controller has left. */
  static Underway of(Journal.Unfinished left) {
    return new Underway(left.begun().keySet(), left.added().keySet());
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
   * A node that still serves as if nothing was asked of it does not leave yet, and one that is not
   * known may not have been asked for. A cleanup has to be asked for again, and may as well be
   * left.
   */
  private boolean goesOn(Action action, ClusterSnapshot seen) {
    boolean begins =
        action.as(Action.Cleanup.class).isPresent()
            || action
                .as(Action.AddNode.class)
                .map(Action.AddNode::placeholder)
                .or(() -> action.as(Action.ReplaceNode.class).map(Action.ReplaceNode::placeholder))
                .filter(node -> !added.contains(node))
                .isPresent()
            || action
                .as(Action.RemoveNode.class)
                .flatMap(remove -> seen.node(remove.node()))
                .filter(Underway::stays)
                .isPresent();
    return PlacementModel.of(seen).staysOnlyByRestart() && !begins;
  }

  /**
   * The node that such an action takes out of a ring, where it does not tell whether it is on its
   * way: it may be, and is asked again before anything is undone.
   */
  Optional<NodeId> silent(List<PlannedAction> batch, ClusterSnapshot seen) {
    return in(batch)
        .flatMap(action -> action.as(Action.RemoveNode.class))
        .map(Action.RemoveNode::node)
        .filter(node -> PlacementModel.of(seen).staysOnlyByRestart())
        .filter(node -> seen.node(node).filter(n -> n.alive() && !n.readable()).isPresent());
  }

  private static boolean stays(NodeState node) {
    return node.alive() && !node.draining();
  }
}
