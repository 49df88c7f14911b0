package io.trimtab.controller.maintenance;

import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Nodes that are about to join or leave a ring while others do work that this would make fail. */
public final class RingChanges {
  private RingChanges() {}

  /**
   * Why actions must not begin yet, a sentence; empty if they may. Asked again before each of them,
   * since a plan takes hours and a repair may have begun meanwhile. A node in a dead one's place
   * never waits: data are at risk. Nor does one that joins a ring that is used to its limit.
   *
   * @param busy as of this look and those before
   * @param slow nodes that coordinators avoid, as of the decision
   */
  public static Optional<String> awaited(
      List<PlannedAction> batch,
      ClusterSnapshot now,
      BusyNodes busy,
      Set<NodeId> slow,
      Settings settings) {
    boolean joins = any(batch, Action.AddNode.class);
    boolean leaves = any(batch, Action.RemoveNode.class);
    boolean ring = !PlacementModel.of(now).assignsPartitions();
    if (!settings.choice().awaitMaintenance()
        || !ring
        || !(joins || leaves)
        || (joins && isSaturated(now, slow))) {
      return Optional.empty();
    }
    Waiting waiting = Waiting.ofAny(busy, now.takenAt(), settings.choice().horizon());
    return waiting.what().map(what -> sentence(what, waiting));
  }

  /** As a policy and a plan tell it. */
  public static String sentence(String what, Waiting waiting) {
    return what + "; no node joins or leaves before that has ended, " + waiting.until();
  }

  private static boolean any(List<PlannedAction> batch, Class<? extends Action> kind) {
    return batch.stream().anyMatch(planned -> planned.action().as(kind).isPresent());
  }

  /** Whether requests are lost meanwhile; what a slow node uses says little of that. */
  private static boolean isSaturated(ClusterSnapshot now, Set<NodeId> slow) {
    return now.liveNodes().stream()
        .filter(node -> !slow.contains(node.id()))
        .anyMatch(node -> Saturation.isReached(node.usage().server()));
  }
}
