package io.trimtab.cassandra.times;

import io.trimtab.engineapi.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The response times of nodes' last requests. Nodes are read whenever anybody looks, twice within
 * milliseconds too, so that it is the number of requests, not of readings, that makes a new
 * percentile. Thread-safe.
 */
public final class RecentTimes {
  private static final double SHARE = 0.99;

  /** A percentile of fewer is a matter of chance. */
  private static final long REQUESTS_MIN = 400;

  private final Map<NodeId, Known> known = new ConcurrentHashMap<>();

  /**
   * @param buckets from which the next percentile is counted; compared by nobody
   * @param p99Ms the last percentile; NaN before the first
   */
  private record Known(long startedAtMs, long[] buckets, double p99Ms) {
    Known read(long[] now) {
      double p99 = LatencyBuckets.percentileMs(buckets, now, SHARE);
      long requests = LatencyBuckets.requests(now) - LatencyBuckets.requests(buckets);
      // Fewer than before: the histogram has begun again.
      return requests >= 0 && requests < REQUESTS_MIN
          ? this
          : new Known(startedAtMs, now.clone(), p99);
    }
  }

  /** Forgets nodes that are gone. */
  public void keep(Collection<NodeId> present) {
    known.keySet().retainAll(present);
  }

  /**
   * The 99th percentile of a node's last 400 requests or more, in milliseconds; NaN before a
   * process has served as many since it was first read.
   *
   * @param startedAtMs the node's process
   * @param buckets as Cassandra counts them
   */
  public double p99Ms(NodeId node, long startedAtMs, long[] buckets) {
    return known
        .compute(
            node,
            (id, before) ->
                before == null || before.startedAtMs() != startedAtMs
                    ? new Known(startedAtMs, buckets.clone(), Double.NaN)
                    : before.read(buckets))
        .p99Ms();
  }
}
