package io.trimtab.controller.maintenance;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.Optional;
import java.util.stream.Stream;

/** Nodes that somebody is taking out of service. */
public final class EmptiedNodes {
  private EmptiedNodes() {}

  /** All that are closed for partitions and still serve some. */
  public static Stream<NodeId> of(ClusterSnapshot seen) {
    return seen.liveNodes().stream()
        .filter(NodeState::draining)
        .map(NodeState::id)
        .filter(node -> serves(seen, node) > 0);
  }

  /** The first of them, as a clause; empty if there is none. */
  public static Optional<String> first(ClusterSnapshot seen) {
    return of(seen)
        .findFirst()
        .map(
            node ->
                "%s is being emptied and still serves %s"
                    .formatted(node, Counted.of(serves(seen, node), "partition")));
  }

  private static long serves(ClusterSnapshot seen, NodeId node) {
    return seen.partitions().stream()
        .filter(p -> p.node().filter(node::equals).isPresent())
        .count();
  }
}
