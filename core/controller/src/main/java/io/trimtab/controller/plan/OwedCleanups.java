package io.trimtab.controller.plan;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Nodes of a ring that store what others own since a node has joined, as the plan ended before it
 * came to their cleanups. What is deleted meanwhile they do not hear of: once tombstones are gone
 * elsewhere, it comes back with the ranges, if these return.
 */
public final class OwedCleanups {
  private OwedCleanups() {}

  /**
   * What an operator must know of them, to end a sentence.
   *
   * @param ended steps that were done or skipped
   * @param joined whether one of the plan's new nodes is in the ring
   * @return empty if nothing is owed
   */
  public static String text(Plan plan, Set<Integer> ended, boolean joined) {
    SortedSet<NodeId> owing = new TreeSet<>();
    boolean cleansUp = !plan.actions(Action.Cleanup.class).isEmpty();
    for (PlannedAction planned : plan.actions()) {
      if (joined && cleansUp && !ended.contains(planned.step())) {
        planned.action().as(Action.Cleanup.class).map(Action.Cleanup::node).ifPresent(owing::add);
        // One that was to leave stays.
        planned
            .action()
            .as(Action.RemoveNode.class)
            .map(Action.RemoveNode::node)
            .ifPresent(owing::add);
      }
    }
    return owing.isEmpty()
        ? ""
        : "; run `nodetool cleanup` on "
            + owing.stream().map(NodeId::toString).collect(Collectors.joining(", "))
            + " before a node leaves the ring: "
            + (owing.size() == 1 ? "it still stores" : "they still store")
            + " data that the new node has taken over, and deleted rows could come back";
  }
}
