package io.trimtab.controller.maintenance;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.Optional;

/** Nodes that somebody is taking out of service. */
public final class EmptiedNodes {
  private EmptiedNodes() {}

  /** A node that is closed for partitions and still serves some, a clause; empty if none does. */
  public static Optional<String> first(ClusterSnapshot seen) {
    for (NodeState node : seen.liveNodes()) {
      long left = node.draining() ? serves(seen, node.id()) : 0;
      if (left > 0) {
        return Optional.of(
            node.id() + " is being emptied and still serves " + Counted.of(left, "partition"));
      }
    }
    return Optional.empty();
  }

  private static long serves(ClusterSnapshot seen, NodeId node) {
    return seen.partitions().stream()
        .filter(p -> p.node().filter(node::equals).isPresent())
        .count();
  }
}
