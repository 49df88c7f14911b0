package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.ReadTime;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A partition's counters as last read, kept while later snapshots lack them, so that the next rate
 * is over the whole interval between two readings.
 *
 * @param node that served it
 * @param incarnation of this node
 * @param readTime when they were read
 */
record CounterReading(
    PartitionCounters counters,
    Optional<NodeId> node,
    OptionalLong incarnation,
    ReadTime readTime) {

  /** Of a partition whose counters this snapshot has. */
  static CounterReading of(PartitionState partition, ClusterSnapshot snapshot) {
    return new CounterReading(
        partition.counters().orElseThrow(),
        partition.node(),
        incarnation(partition, snapshot),
        snapshot.readTime());
  }

  private static OptionalLong incarnation(PartitionState partition, ClusterSnapshot snapshot) {
    Optional<NodeState> node = partition.node().flatMap(snapshot::node);
    return node.isPresent() ? OptionalLong.of(node.get().incarnation()) : OptionalLong.empty();
  }

  /** Null if the counters are not there, or a new series of them has begun. */
  Rates ratesUntil(PartitionState now, ClusterSnapshot snapshot) {
    if (now.counters().isEmpty()
        || now.node().isEmpty()
        || !now.node().equals(node)
        || incarnation.isEmpty()
        || !incarnation(now, snapshot).equals(incarnation)) {
      return null;
    }
    double seconds = snapshot.readTime().secondsSince(readTime);
    return seconds > 0 ? Rates.between(counters, now.counters().get(), seconds).orElse(null) : null;
  }
}
