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
import java.util.function.Predicate;

/**
 * A node of a ring that coordinators avoid. Its peers have its reads already; its writes and its
 * data it has until it leaves.
 *
 * @param capacity what it does of what one of its peers does, in [0, 1]
 * @param bytes that it stores
 * @param othersBytes that its peers store, all together
 */
public record SlowMember(SlowNode told, double capacity, double bytes, double othersBytes) {
  /** Of a node's time that a byte takes to be read, sent and written, or rewritten (ours). */
  private static final double BYTES_PER_SECOND = 100e6;

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
        .map(slow -> of(seen, slow, usable));
  }

  private static SlowMember of(Observation.Usable seen, SlowNode slow, Collection<NodeId> usable) {
    double reads = 0;
    double all = 0;
    for (Rates rates : seen.rates().values()) {
      reads += rates.reads();
      all += rates.total();
    }
    double avoidable = all > 0 ? Math.min(1, reads / all) : 1;
    double bytes = bytes(seen, slow.node()::equals);
    double others = bytes(seen, id -> usable.contains(id) && !id.equals(slow.node()));
    double capacity = 1 - avoidable * (1 - Math.min(1, slow.share()));
    return new SlowMember(slow, capacity, bytes, others);
  }

  private static double bytes(Observation.Usable seen, Predicate<NodeId> nodes) {
    return seen.snapshot().partitions().stream()
        .filter(p -> p.node().filter(nodes).isPresent())
        .mapToDouble(PartitionState::sizeBytes)
        .sum();
  }

  public NodeId node() {
    return told.node();
  }

  /**
   * What it brings that another takes its place, less what that costs, in seconds of a node. What
   * has been slow for a while is expected to stay so for as long again: a short disturbance is no
   * reason to copy its data twice: to the other, and as it leaves. The cleanups of its peers are
   * counted as if they rewrote all that these store, which is the most that they do.
   *
   * @param horizon the longest time that is looked ahead
   */
  public double gain(Duration horizon) {
    double ahead = Math.min(told.lasted().toMillis(), horizon.toMillis()) / 1e3;
    double copied = (2 * bytes + othersBytes) / BYTES_PER_SECOND;
    return (1 - capacity) * ahead - 2 * CHANGE_SECONDS - copied;
  }
}
