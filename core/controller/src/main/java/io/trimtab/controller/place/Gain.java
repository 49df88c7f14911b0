package io.trimtab.controller.place;

import io.trimtab.controller.observe.Classifier;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a wanted cluster is expected to be better by: the greater of two shares in [0, 1]. (1) How
 * much the most loaded node's requests fall, relative to now. (2) How much more of all requests is
 * served by a node configured for its class.
 */
public final class Gain {
  private Gain() {}

  public static double of(TargetState.Input in, TargetState wanted) {
    Map<PartitionId, NodeId> now = placement(in.snapshot());
    double before = fullest(in, now);
    double after = fullest(in, wanted.placement());
    double even = before > 0 ? Math.max(0, 1 - after / before) : 0;
    Map<NodeId, Profile> profiles = new HashMap<>();
    for (NodeState node : in.snapshot().nodes()) {
      node.profile().ifPresent(p -> profiles.put(node.id(), p));
    }
    double fit = fitting(in, wanted.placement(), wanted.profiles()) - fitting(in, now, profiles);
    return Math.max(even, Math.max(0, fit));
  }

  /** Linked, so that sums are made in one order. */
  private static Map<PartitionId, NodeId> placement(ClusterSnapshot snapshot) {
    Map<PartitionId, NodeId> placement = new LinkedHashMap<>();
    snapshot.partitions().forEach(p -> p.node().ifPresent(n -> placement.put(p.id(), n)));
    return placement;
  }

  private static double fullest(TargetState.Input in, Map<PartitionId, NodeId> placement) {
    Map<NodeId, Double> load = new HashMap<>();
    placement.forEach((id, node) -> load.merge(node, in.load(id), Double::sum));
    return load.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  private static double fitting(
      TargetState.Input in, Map<PartitionId, NodeId> placement, Map<NodeId, Profile> profiles) {
    double all = 0;
    double right = 0;
    for (var entry : placement.entrySet()) {
      double load = in.load(entry.getKey());
      all += load;
      Profile profile = profiles.get(entry.getValue());
      Profile best = Classifier.profile(in.classes().get(entry.getKey()));
      if (profile != null && profile.sameMemory(best)) {
        right += load;
      }
    }
    return all > 0 ? right / all : 0;
  }

  /** Whether a placement is as good as one from scratch, to within a tolerance. */
  public static boolean goodEnough(
      ClusterSnapshot snapshot, TargetState.Input in, TargetState best) {
    Map<PartitionId, NodeId> now = placement(snapshot);
    return fullest(in, now) <= (1 + in.settings().tolerance()) * fullest(in, best.placement());
  }
}
