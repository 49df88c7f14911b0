package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import java.util.Optional;

/**
 * One partition at one moment.
 *
 * @param node where it is served; empty while it is unassigned or in transition
 * @param sizeBytes bytes in store files
 * @param locality share of its bytes that its node reads from its own disk, in [0, 1]
 * @param blockSizeBytes the block size its table asks for
 * @param range its keys
 */
public record PartitionState(
    PartitionId id,
    Optional<NodeId> node,
    PartitionCounters counters,
    long sizeBytes,
    double locality,
    int blockSizeBytes,
    KeyRange range) {}
