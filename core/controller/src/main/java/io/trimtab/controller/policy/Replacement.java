package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.ring.RingProfiles;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Handles a dead node of a ring before the policy: does nothing while the node may come back, then
 * replaces it. While a node is dead no other node can join, because not all owners of its ranges
 * could hand them over, so a policy's plan would fail.
 */
public final class Replacement {
  private Replacement() {}

  /**
   * The decision; empty if no node is dead, or if the engine itself reassigns a dead node's data.
   *
   * @param dead since when each dead node has been continuously dead, as far as known to the
   *     controller
   */
  public static Optional<Decision> decide(
      Observation.Usable seen, Map<NodeId, Duration> dead, PolicyState state, Settings settings) {
    if (!PlacementModel.of(seen.snapshot()).deadNodesOwnData()) {
      return Optional.empty();
    }
    List<NodeState> gone = seen.snapshot().nodes().stream().filter(n -> !n.alive()).toList();
    if (gone.isEmpty()) {
      return Optional.empty();
    }
    NodeId node = gone.get(0).id();
    if (gone.size() > 1) {
      return hold(
          Counted.are(gone.size(), "node") + " dead: an operator must check which data are left",
          state);
    }
    if (seen.snapshot().replication() < 2) {
      return hold("node " + node + " is dead, and no other node has a copy of its data", state);
    }
    Optional<Duration> after = Optional.ofNullable(settings.health().replaceAfter());
    if (after.isEmpty()) {
      return hold(
          "node " + node + " is dead; until it is back or replaced, the ring stays as it is",
          state);
    }
    Duration since = dead.getOrDefault(node, Duration.ZERO);
    if (since.compareTo(after.get()) < 0) {
      return hold(
          "node %s has been dead for %d s and may come back; it is replaced after %d s"
              .formatted(node, since.toSeconds(), after.get().toSeconds()),
          state);
    }
    List<NodeState> live = seen.snapshot().liveNodes();
    Action action = new Action.ReplaceNode(1, node, RingProfiles.joining(live));
    String summary = "node " + node + " has been dead for " + since.toSeconds() + " s";
    PlannedAction only =
        new PlannedAction(
            1,
            action,
            summary,
            "all data have all their copies again",
            "the nodes with the other copies stream its data",
            "none: the dead node can't rejoin");
    return Optional.of(
        new PlanFactory("replace")
            .plan(seen.snapshot(), List.of(only), summary + ": it is replaced", 1, state));
  }

  private static Optional<Decision> hold(String reason, PolicyState state) {
    return Optional.of(new Decision.Hold(reason, "health.replaceAfter", state));
  }
}
