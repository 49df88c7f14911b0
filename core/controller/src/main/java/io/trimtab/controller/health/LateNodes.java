package io.trimtab.controller.health;

import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Nodes whose requests take longer than their peers'. */
public final class LateNodes {
  private LateNodes() {}

  /** All of them. */
  public static List<SlowPeer> of(Observation.Usable seen) {
    return seen.slowPeers().stream().filter(slow -> slow.answers() > 1).toList();
  }

  /**
   * Those that may be so for a reason of their own. A node is not that has got a partition from one
   * that was slow and is well without it: then it is the partition that is slow wherever it is.
   *
   * @param left partitions that were lately moved off slow nodes, with those
   */
  public static List<SlowPeer> byThemselves(
      Observation.Usable seen, Map<PartitionId, NodeId> left) {
    List<SlowPeer> late = of(seen);
    if (late.isEmpty() || left.isEmpty()) {
      return late;
    }
    Set<NodeId> suspect = suspect(seen, left);
    return late.stream().filter(slow -> !suspect.contains(slow.node())).toList();
  }

  private static Set<NodeId> suspect(Observation.Usable seen, Map<PartitionId, NodeId> left) {
    ClusterSnapshot now = seen.snapshot();
    Set<NodeId> slow = seen.slowPeers().stream().map(SlowPeer::node).collect(Collectors.toSet());
    Set<NodeId> suspect = new HashSet<>();
    left.forEach(
        (partition, from) -> {
          // Of one that has left the cluster nobody knows whether it would be well.
          if (!slow.contains(from) && now.node(from).filter(NodeState::alive).isPresent()) {
            now.partition(partition)
                .flatMap(PartitionState::node)
                .filter(at -> !at.equals(from))
                .ifPresent(suspect::add);
          }
        });
    return suspect;
  }
}
