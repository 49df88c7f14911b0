package io.trimtab.controller.guard;

import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What of a plan would only fail once it is begun, since the node provider can't do it. */
final class Provided {
  private Provided() {}

  /**
   * Why a plan must not begin, if so.
   *
   * @param offer what could be added and given back now; empty where nothing can start or stop
   *     nodes
   */
  static Optional<Guard.Verdict.Refuse> lacking(
      Plan plan, PlanTally tally, Optional<NodeCapacity> offer) {
    return offer.isPresent()
        ? tooMany(tally, offer.get())
            .or(() -> kept(plan, offer.get().removable()))
            .or(() -> strangers(plan, offer.get().reconfigurable()))
        : nobody(tally);
  }

  /** Without a replacement, a dead node of a ring keeps its part whatever the limits are. */
  private static String instead(PlanTally tally) {
    return tally.replaced().isEmpty()
        ? "guard.maxNodes, to place the partitions on the present nodes instead"
        : "";
  }

  private static Optional<Guard.Verdict.Refuse> tooMany(PlanTally tally, NodeCapacity offer) {
    int spare = offer.spare();
    if (tally.started() <= spare) {
      return Optional.empty();
    }
    String available = spare + (spare == 1 ? " is" : " are") + " available";
    String why = offer.full().isEmpty() ? "" : ": " + offer.full();
    return refuse(tally.starts() + ", but only " + available + why, instead(tally));
  }

  /** In the order of the steps: what joins, or leaves, may change what can leave after it. */
  private static Optional<Guard.Verdict.Refuse> kept(Plan plan, Removable removable) {
    boolean joined = false;
    List<NodeId> gone = new ArrayList<>();
    for (PlannedAction planned : plan.actions()) {
      joined |=
          planned.action().as(Action.AddNode.class).isPresent()
              || planned.action().as(Action.ReplaceNode.class).isPresent();
      Optional<NodeId> leaves =
          planned.action().as(Action.RemoveNode.class).map(Action.RemoveNode::node);
      if (leaves.isPresent()) {
        if (!removable.allows(leaves.get(), gone, joined)) {
          return refuse(
              "the plan removes node %s, which the node provider can't give back%s: %s"
                  .formatted(
                      leaves.get(), joined ? " after another has joined" : "", removable.rule()),
              "");
        }
        gone.add(leaves.get());
      }
    }
    return Optional.empty();
  }

  /** Each would be emptied first, and then be refused by the provider. */
  private static Optional<Guard.Verdict.Refuse> strangers(
      Plan plan, NodeCapacity.Reconfigurable reconfigurable) {
    return plan.actions(Action.Reconfigure.class).stream()
        .filter(change -> change.way() == Action.ApplyMode.RESTART)
        .map(Action.Reconfigure::node)
        .filter(node -> !reconfigurable.allows(node))
        .findFirst()
        .flatMap(
            node ->
                refuse(
                    ("the plan restarts node %s with another profile, which the node provider can't"
                            + " do: %s")
                        .formatted(node, reconfigurable.rule()),
                    "place.way"));
  }

  private static Optional<Guard.Verdict.Refuse> nobody(PlanTally tally) {
    if (tally.started() > 0) {
      return refuse(
          tally.starts() + ", but no node provider can start nodes of this cluster",
          instead(tally));
    }
    if (tally.removed() > 0) {
      return refuse(
          "the plan removes a node, but no node provider can stop nodes of this cluster",
          "guard.minNodes");
    }
    return tally.restarted() > 0
        ? refuse(
            "the plan restarts nodes, but no node provider can; with the plug-in on every node"
                + " (trimtab plugin install hbase) and place.way online, no restart is needed",
            "place.way")
        : Optional.empty();
  }

  private static Optional<Guard.Verdict.Refuse> refuse(String reason, String setting) {
    return Optional.of(new Guard.Verdict.Refuse(reason, setting));
  }
}
