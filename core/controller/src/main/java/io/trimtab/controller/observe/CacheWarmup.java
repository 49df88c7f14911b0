package io.trimtab.controller.observe;

import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** Whether the nodes' caches are full. */
public final class CacheWarmup {
  /** Share of the capacity at which a cache counts as full. */
  private static final double FULL = 0.95;

  /** A cache with a smaller relative growth between two samples also counts as full. */
  private static final double STEADY = 0.02;

  private CacheWarmup() {}

  /** Size of all caches in bytes; empty if a node does not report it. */
  public static OptionalLong used(ClusterSnapshot seen) {
    return sum(seen, NodeGauges::cacheUsedBytes);
  }

  /** Capacity of all caches in bytes; empty if a node does not report it. */
  public static OptionalLong most(ClusterSnapshot seen) {
    return sum(seen, NodeGauges::cacheMaxBytes);
  }

  /**
   * Share of the blocks that a node was asked for between two looks and had to read, in [0, 1];
   * empty if it was asked for none, was restarted, or does not tell.
   */
  static Optional<Double> missed(NodeState before, NodeState now) {
    NodeGauges was = before.gauges();
    NodeGauges is = now.gauges();
    if (before.incarnation() != now.incarnation() || was.cacheHits() < 0 || was.cacheMisses() < 0) {
      return Optional.empty();
    }
    return missed(
        (double) is.cacheHits() - was.cacheHits(), (double) is.cacheMisses() - was.cacheMisses());
  }

  /** The same of so many blocks that were found, and so many that were not. */
  static Optional<Double> missed(double hits, double misses) {
    return hits >= 0 && misses >= 0 && hits + misses > 0
        ? Optional.of(misses / (hits + misses))
        : Optional.empty();
  }

  private static OptionalLong sum(ClusterSnapshot seen, ToLongFunction<NodeGauges> what) {
    long sum = 0;
    for (NodeState node : seen.liveNodes()) {
      long value = what.applyAsLong(node.gauges());
      if (value < 0) {
        return OptionalLong.empty();
      }
      sum += value;
    }
    return OptionalLong.of(sum);
  }

  /**
   * Judged by the samples that a decision needs; false if a node does not report its cache, or
   * there is no cache.
   */
  public static boolean full(History seen) {
    List<Long> held = seen.caches();
    OptionalLong most = seen.last().map(CacheWarmup::most).orElse(OptionalLong.empty());
    return most.isPresent()
        && most.getAsLong() > 0
        && !held.contains(-1L)
        && full(held.get(0), held.get(held.size() - 1), most.getAsLong());
  }

  /** The same in bytes. */
  public static boolean full(long then, long now, long most) {
    return now >= FULL * most || now <= then * (1 + STEADY) + 1;
  }
}
