package io.trimtab.cassandra.times;

import io.trimtab.engineapi.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The response times of nodes' requests since they were read before. Thread-safe. */
public final class RecentTimes {
  private static final double SHARE = 0.99;

  private final Map<NodeId, Reading> before = new ConcurrentHashMap<>();

  /** Compared by nobody. */
  private record Reading(long startedAtMs, long[] buckets) {}

  /** Forgets nodes that are gone. */
  public void keep(Collection<NodeId> present) {
    before.keySet().retainAll(present);
  }

  /**
   * The 99th percentile since the reading before, in milliseconds; NaN at the first one of a
   * process.
   *
   * @param startedAtMs the node's process
   * @param buckets as Cassandra counts them
   */
  public double p99Ms(NodeId node, long startedAtMs, long[] buckets) {
    Reading earlier = before.put(node, new Reading(startedAtMs, buckets.clone()));
    return earlier == null || earlier.startedAtMs() != startedAtMs
        ? Double.NaN
        : LatencyBuckets.percentileMs(earlier.buckets(), buckets, SHARE);
  }
}
