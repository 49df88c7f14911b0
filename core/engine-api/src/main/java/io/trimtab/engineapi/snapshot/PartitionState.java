package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import java.util.Optional;

/**
 * The state of a partition at one moment.
 *
 * @param node the node that serves it; empty while it is unassigned or in transition
 * @param counters its requests; empty if they could not be read: never counters of zero, from which
 *     the next difference would be all requests since the node opened it
 * @param sizeBytes bytes in store files
 * @param locality share of its bytes that its node reads from its own disk, in [0, 1]
 * @param blockSizeBytes the block size configured for its table
 * @param range its key range
 */
public record PartitionState(
    PartitionId id,
    Optional<NodeId> node,
    Optional<PartitionCounters> counters,
    long sizeBytes,
    double locality,
    int blockSizeBytes,
    KeyRange range) {

  public PartitionState {
    // Older recordings without counters have no field of this name.
    counters = counters == null ? Optional.empty() : counters;
  }

  /** A partition whose counters were read. */
  public PartitionState(
      PartitionId id,
      Optional<NodeId> node,
      PartitionCounters counters,
      long sizeBytes,
      double locality,
      int blockSizeBytes,
      KeyRange range) {
    this(id, node, Optional.of(counters), sizeBytes, locality, blockSizeBytes, range);
  }
}
