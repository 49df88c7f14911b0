package io.trimtab.runtime;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** Since when each dead node has been continuously dead; starts from zero with the controller. */
final class DeadNodes {
  private final SortedMap<NodeId, Instant> since = new TreeMap<>();

  void observe(ClusterSnapshot seen, Instant now) {
    since.keySet().removeIf(node -> seen.node(node).isEmpty() || seen.node(node).get().alive());
    seen.nodes().stream()
        .filter(n -> !n.alive())
        .map(NodeState::id)
        .forEach(node -> since.putIfAbsent(node, now));
  }

  SortedMap<NodeId, Duration> at(Instant now) {
    SortedMap<NodeId, Duration> dead = new TreeMap<>();
    since.forEach((node, begun) -> dead.put(node, Duration.between(begun, now)));
    return dead;
  }
}
