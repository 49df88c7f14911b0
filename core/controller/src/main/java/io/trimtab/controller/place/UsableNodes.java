package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

  /** How many nodes live besides these. */
  public static int others(Observation.Usable seen) {
    return seen.snapshot().liveNodes().size() + seen.unread() - of(seen).size();
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

  /**
   * Of some nodes, those that their provider can give back next, in their order; all where nobody
   * says which.
   *
   * @param gone nodes that are given back before
   */
  public static List<NodeId> removable(
      Observation.Usable seen, List<NodeId> nodes, Collection<NodeId> gone) {
    Removable removable = removable(seen);
    return nodes.stream().filter(node -> removable.allows(node, gone, false)).toList();
  }

  /** Which nodes can be given back. */
  public static Removable removable(Observation.Usable seen) {
    return seen.offer().map(NodeCapacity::removable).orElse(Removable.ALL);
  }

  /** Nodes whose profile only a restart changes that their provider can't do. */
  public static Set<NodeId> keepingProfile(Observation.Usable seen, Action.ApplyMode way) {
    NodeCapacity.Reconfigurable reconfigurable =
        seen.offer().map(NodeCapacity::reconfigurable).orElse(NodeCapacity.Reconfigurable.ALL);
    return seen.snapshot().nodes().stream()
        .filter(node -> way == Action.ApplyMode.RESTART || !node.onlineProfile())
        .map(NodeState::id)
        .filter(node -> !reconfigurable.allows(node))
        .collect(Collectors.toSet());
  }

  /** Why a node stays that would be given up before others, to end a summary. */
  public static String kept(Observation.Usable seen, NodeId node) {
    return "; %s would go first, but %s".formatted(node, removable(seen).rule());
  }

  /**
   * Nodes that leave one after the other: each time the first that their provider can give back
   * when those before it have gone. Fewer where it can't give back so many.
   *
   * @param preferred the one that is best given up first
   */
  public static List<NodeId> leaving(Observation.Usable seen, List<NodeId> preferred, int number) {
    Removable removable = removable(seen);
    List<NodeId> gone = new ArrayList<>();
    List<NodeId> left = new ArrayList<>(preferred);
    while (gone.size() < number) {
      Optional<NodeId> next =
          left.stream().filter(node -> removable.allows(node, gone, false)).findFirst();
      if (next.isEmpty()) {
        break;
      }
      gone.add(next.get());
      left.remove(next.get());
    }
    return gone;
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
