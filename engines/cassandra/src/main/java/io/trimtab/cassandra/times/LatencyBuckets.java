package io.trimtab.cassandra.times;

import java.util.Arrays;

/**
 * Cassandra's histograms of response times: numbers of requests since the process started, in
 * buckets of which each one's limit is a fifth above the one's before. The percentiles that it
 * shows itself fade over minutes, too slowly to tell what an action does to users; the difference
 * of two readings is what happened between them.
 */
public final class LatencyBuckets {
  private static final double GROWTH = 1.2;
  private static final double MICROS_PER_MS = 1e3;

  private LatencyBuckets() {}

  /** Adds two histograms, of which one may be of a version with fewer buckets. */
  public static long[] sum(long[] one, long[] other) {
    long[] sum = Arrays.copyOf(one, Math.max(one.length, other.length));
    for (int i = 0; i < other.length; i++) {
      sum[i] += other[i];
    }
    return sum;
  }

  /** Requests in all buckets. */
  static long requests(long[] buckets) {
    return Arrays.stream(buckets).sum();
  }

  /**
   * A percentile of the requests between two readings of one process.
   *
   * @param share in (0, 1)
   * @return in milliseconds, at most a fifth too high; NaN if there were no requests, or the
   *     histogram has begun again meanwhile
   */
  public static double percentileMs(long[] earlier, long[] now, double share) {
    if (earlier.length != now.length) {
      return Double.NaN;
    }
    long requests = 0;
    for (int i = 0; i < now.length; i++) {
      if (now[i] < earlier[i]) {
        return Double.NaN;
      }
      requests += now[i] - earlier[i];
    }
    long limitMicros = 1;
    long seen = 0;
    for (int i = 0; i < now.length && requests > 0; i++) {
      seen += now[i] - earlier[i];
      if (seen >= share * requests) {
        return limitMicros / MICROS_PER_MS;
      }
      limitMicros = Math.max(limitMicros + 1, Math.round(limitMicros * GROWTH));
    }
    return Double.NaN;
  }
}
