package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes that plans may count on. */
public final class UsableNodes {
  private UsableNodes() {}

  /** Nodes that live, could be read and are not about to leave. */
  public static List<NodeState> of(Observation.Usable seen) {
    return seen.snapshot().nodes().stream().filter(UsableNodes::takesLoad).toList();
  }

  /** Whether a node may be given partitions. */
  public static boolean takesLoad(NodeState node) {
    return node.alive() && node.readable() && !node.draining();
  }

  public static List<NodeId> ids(Observation.Usable seen) {
    return of(seen).stream().map(NodeState::id).toList();
  }

  /** The gauges of the node with the smallest cache; unknown without nodes. */
  public static NodeGauges leastCache(List<NodeState> nodes) {
    return nodes.stream()
        .map(NodeState::gauges)
        .min(Comparator.comparingDouble(g -> g.cacheBytes(Profile.HOMOGENEOUS)))
        .orElse(NodeGauges.UNKNOWN);
  }

  /** The node whose partitions have the fewest requests; of equal ones the first by name. */
  public static NodeId leastRequests(Observation.Usable seen, List<NodeId> nodes) {
    Map<NodeId, Double> load = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      p.node().ifPresent(n -> load.merge(n, seen.rates(p.id()).total(), Double::sum));
    }
    return least(load, nodes);
  }

  /** The node with the lowest server usage; of equal ones the first by name. */
  public static NodeId leastUsage(Observation.Usable seen, List<NodeId> nodes) {
    return least(seen.usage(), nodes);
  }

  private static NodeId least(Map<NodeId, Double> load, List<NodeId> nodes) {
    return nodes.stream()
        .min(
            Comparator.comparingDouble((NodeId n) -> load.getOrDefault(n, 0.0))
                .thenComparing(n -> n))
        .orElseThrow();
  }
}
