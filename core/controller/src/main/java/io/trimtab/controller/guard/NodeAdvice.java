package io.trimtab.controller.guard;

import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.NodeWanted;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What of a plan a person has to do where no node provider can: start, stop, restart nodes. */
public final class NodeAdvice {
  private NodeAdvice() {}

  /** Whether a plan needs a node provider. */
  public static boolean needed(Plan plan, ClusterSnapshot before) {
    PlanTally tally = PlanTally.of(plan, before);
    return tally.started() > 0 || tally.removed() > 0 || tally.restarted() > 0;
  }

  /**
   * The advice, in one line: the plan's reason, what is to be done, and what happens then.
   *
   * @param before the cluster that the plan is for
   */
  public static String of(Plan plan, ClusterSnapshot before) {
    List<String> steps = new ArrayList<>();
    plan.actions(Action.AddNode.class).forEach(add -> steps.add(start(add, before)));
    plan.actions(Action.ReplaceNode.class)
        .forEach(
            replace ->
                steps.add(
                    "start one node on another address in place of dead node "
                        + replace.dead()
                        + NodeWanted.like(before, replace.profile())
                        + with(replace.profile())));
    plan.actions(Action.RemoveNode.class)
        .forEach(remove -> steps.add("take node " + remove.node() + " out of service and stop it"));
    List<Action.Reconfigure> restarts =
        plan.actions(Action.Reconfigure.class).stream()
            .filter(change -> change.way() == Action.ApplyMode.RESTART)
            .toList();
    restarts.forEach(change -> steps.add("restart node " + change.node() + with(change.to())));
    if (!restarts.isEmpty()) {
      steps.add(
          "or load the plug-in on every node (trimtab plugin install hbase), which with place.way"
              + " online needs no restarts");
    }
    return plan.summary()
        + "; no node provider does it, so a person has to: "
        + String.join("; ", steps)
        + "; the next decision sees it";
  }

  private static String start(Action.AddNode add, ClusterSnapshot before) {
    String tokens =
        add.tokens().isEmpty()
            ? ""
            : ", tokens "
                + add.tokens().stream().map(String::valueOf).collect(Collectors.joining(","));
    return "start one node" + NodeWanted.like(before, add.profile()) + with(add.profile()) + tokens;
  }

  private static String with(Profile profile) {
    return String.format(
        Locale.ROOT,
        ", with profile %s (cache %.0f %%, memstore %.0f %% of the heap)",
        profile.name(),
        100 * profile.cacheFraction(),
        100 * profile.memstoreFraction());
  }
}
