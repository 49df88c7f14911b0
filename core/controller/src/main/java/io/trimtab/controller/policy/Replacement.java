package io.trimtab.controller.policy;

import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.ring.RingProfiles;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
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
      ClusterSnapshot seen, Map<NodeId, Duration> dead, PolicyState state, Settings settings) {
    List<NodeState> gone = gone(seen);
    if (gone.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> waits = waits(seen, gone, dead, settings);
    return Optional.of(
        waits.isPresent()
            ? new Decision.Hold(waits.get(), "health.replaceAfter", state)
            : replace(seen, gone.get(0).id(), dead, state));
  }

  /**
   * The dead node that is to be replaced now; empty if there is none, or if {@link #decide} would
   * still wait.
   *
   * @param dead as for {@link #decide}
   */
  public static Optional<NodeId> due(
      ClusterSnapshot seen, Map<NodeId, Duration> dead, Settings settings) {
    List<NodeState> gone = gone(seen);
    return gone.isEmpty() || waits(seen, gone, dead, settings).isPresent()
        ? Optional.empty()
        : Optional.of(gone.get(0).id());
  }

  /** Dead nodes that still own data. */
  private static List<NodeState> gone(ClusterSnapshot seen) {
    return PlacementModel.of(seen).deadNodesOwnData()
        ? seen.nodes().stream().filter(n -> !n.alive()).toList()
        : List.of();
  }

  /** Why nothing is replaced yet, if so. */
  private static Optional<String> waits(
      ClusterSnapshot seen, List<NodeState> gone, Map<NodeId, Duration> dead, Settings settings) {
    NodeId node = gone.get(0).id();
    if (gone.size() > 1) {
      return Optional.of(
          Counted.are(gone.size(), "node") + " dead: an operator must check which data are left");
    }
    if (seen.copies().least() < 2) {
      return Optional.of("node " + node + " is dead, and some of its data may have no other copy");
    }
    Optional<Duration> after = Optional.ofNullable(settings.health().replaceAfter());
    if (after.isEmpty()) {
      return Optional.of(
          "node " + node + " is dead; until it is back or replaced, the ring stays as it is");
    }
    Duration since = dead.getOrDefault(node, Duration.ZERO);
    return since.compareTo(after.get()) < 0
        ? Optional.of(
            "node %s has been dead for %d s and may come back; it is replaced after %d s"
                .formatted(node, since.toSeconds(), after.get().toSeconds()))
        : Optional.empty();
  }

  private static Decision.Act replace(
      ClusterSnapshot seen, NodeId node, Map<NodeId, Duration> dead, PolicyState state) {
    Action action = new Action.ReplaceNode(1, node, RingProfiles.joining(seen.liveNodes()));
    Duration since = dead.getOrDefault(node, Duration.ZERO);
    String summary = "node " + node + " has been dead for " + since.toSeconds() + " s";
    PlannedAction only =
        new PlannedAction(
            1,
            action,
            summary,
            "all data have all their copies again",
            "the nodes with the other copies stream its data",
            "none: the dead node can't rejoin");
    Decision.Act act =
        new PlanFactory("replace")
            .plan(seen, List.of(only), summary + ": it is replaced", 1, state);
    return new Decision.Act(act.plan(), act.next(), true);
  }
}
