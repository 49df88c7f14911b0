package io.trimtab.controller.maintenance;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Nodes that do work beside serving, from one snapshot to the next. One look is not enough: such
 * work has phases in which nothing of it is seen. An immutable value.
 *
 * @param nodes by name
 * @param since since when there has always been one of them, whichever; empty if there is none
 */
public record BusyNodes(List<Busy> nodes, Optional<Instant> since) {
  /** Before the first snapshot. */
  public static final BusyNodes NONE = new BusyNodes(List.of(), Optional.empty());

  public BusyNodes {
    nodes = List.copyOf(nodes);
  }

  /** The same after one more look. */
  public BusyNodes append(ClusterSnapshot seen) {
    Instant now = seen.takenAt();
    List<Busy> next = new ArrayList<>();
    for (NodeState node : seen.liveNodes()) {
      Optional<Busy> before = of(node.id()).map(busy -> busy.notAfter(now));
      if (node.maintenance().isEmpty()) {
        before.filter(busy -> busy.goesOn(now)).ifPresent(next::add);
      } else {
        Instant begun = before.map(Busy::since).orElse(now);
        next.add(new Busy(node.id(), node.maintenance(), begun, now));
      }
    }
    return new BusyNodes(
        next,
        next.isEmpty() ? Optional.empty() : Optional.of(Busy.earlier(since.orElse(now), now)));
  }

  private Optional<Busy> of(NodeId node) {
    return nodes.stream().filter(busy -> busy.node().equals(node)).findFirst();
  }
}
