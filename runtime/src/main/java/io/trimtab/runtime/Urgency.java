package io.trimtab.runtime;

import io.trimtab.controller.policy.Replacement;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Whether a dead node must be replaced before anything else. Asked at every sample, and between two
 * batches of a plan; used by the loop's thread only.
 */
final class Urgency {
  private final LoopContext context;
  private final DeadNodes dead = new DeadNodes();

  Urgency(LoopContext context) {
    this.context = context;
  }

  /** Processes a snapshot. */
  void observe(ClusterSnapshot seen, Instant now) {
    dead.observe(seen, now);
  }

  /** Since when each dead node has been continuously dead. */
  SortedMap<NodeId, Duration> dead(Instant now) {
    return dead.at(now);
  }

  /**
   * The dead node that is due; empty if there is none, or nothing to replace it with. A snapshot
   * that {@link #observe} was not called with counts for nothing.
   */
  Optional<NodeId> due(ClusterSnapshot seen, Instant now) {
    return context.provider().map(NodeProvider::spare).filter(spare -> spare > 0).isPresent()
        ? Replacement.due(seen, dead.at(now), context.settings())
        : Optional.empty();
  }
}
