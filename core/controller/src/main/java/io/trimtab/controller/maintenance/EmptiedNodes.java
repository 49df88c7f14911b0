package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Work beside serving that is under way, as a reason to wait. As load it is counted already: the
 * usage that is measured on a node has it in it.
 */
public final class Maintenance {
  /** Nodes that are named; of the others the number is told. */
  private static final int NAMED = 3;

  private Maintenance() {}

  /** What nodes are busy with, a clause; empty if with nothing but serving. */
  public static Optional<String> of(Collection<NodeState> nodes) {
    List<NodeState> busy = nodes.stream().filter(n -> !n.maintenance().isEmpty()).toList();
    String named =
        busy.stream()
            .limit(NAMED)
            .map(n -> n.id() + " is busy with " + String.join(" and ", n.maintenance()))
            .collect(Collectors.joining(", "));
    int others = busy.size() - NAMED;
    return busy.isEmpty()
        ? Optional.empty()
        : Optional.of(others > 0 ? named + ", as are " + Counted.of(others, "node") : named);
  }

  /** A node that is closed for partitions and still serves some, a clause; empty if none does. */
  public static Optional<String> emptied(ClusterSnapshot seen) {
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
