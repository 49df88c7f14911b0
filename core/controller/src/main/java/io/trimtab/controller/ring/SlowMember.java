package io.trimtab.controller.ring;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * A node of a ring that coordinators avoid. Its peers have its reads already; its writes and its
 * data it has until it leaves.
 *
 * @param capacity what it does of what one of its peers does, in [0, 1]
 * @param bytes that it stores
 */
public record SlowMember(SlowNode told, double capacity, double bytes) {
  /** Of a node's time that a byte takes to be read, sent and written (ours). */
  private static final double STREAM_BYTES_PER_SECOND = 100e6;

  /** Of a node's time for each that joins or leaves: its start, and caches that are cold (ours). */
  private static final double CHANGE_SECONDS = 300;

  /**
   * The slowest of some nodes; empty if none is slow.
   *
   * @param usable nodes that are not about to leave
   */
  public static Optional<SlowMember> of(Observation.Usable seen, Collection<NodeId> usable) {
    return seen.slow().stream()
        .filter(slow -> usable.contains(slow.node()))
        .min(Comparator.comparingDouble(SlowNode::share))
        .map(slow -> of(seen, slow));
  }

  private static SlowMember of(Observation.Usable seen, SlowNode slow) {
    double reads = 0;
    double all = 0;
    for (Rates rates : seen.rates().values()) {
      reads += rates.reads();
      all += rates.total();
    }
    double avoidable = all > 0 ? Math.min(1, reads / all) : 1;
    double bytes =
        seen.snapshot().partitions().stream()
            .filter(p -> p.node().filter(slow.node()::equals).isPresent())
            .mapToDouble(PartitionState::sizeBytes)
            .sum();
    return new SlowMember(slow, 1 - avoidable * (1 - Math.min(1, slow.share())), bytes);
  }

  public NodeId node() {
    return told.node();
  }

  /**
   * What it brings that another takes its place, less what that costs, in seconds of a node. What
   * has been slow for a while is expected to stay so for as long again: a short disturbance is no
   * reason to copy its data twice.
   *
   * @param horizon the longest time that is looked ahead
   */
  public double gain(Duration horizon) {
    double ahead = Math.min(told.lasted().toMillis(), horizon.toMillis()) / 1e3;
    return (1 - capacity) * ahead - 2 * (CHANGE_SECONDS + bytes / STREAM_BYTES_PER_SECOND);
  }
}
