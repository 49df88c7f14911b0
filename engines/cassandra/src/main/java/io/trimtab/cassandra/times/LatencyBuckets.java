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

  /**
   * A histogram of nanoseconds, as in Cassandra 4.0, has as many; one of microseconds has 128. No
   * bean tells the unit.
   */
  private static final int NANOS_BUCKETS = 165;

  private static final double MICROS_PER_MS = 1e3;
  private static final double NANOS_PER_MS = 1e6;

  private LatencyBuckets() {}

  /** Adds two histograms; nothing comes of two whose buckets are of different units. */
  public static long[] sum(long[] one, long[] other) {
    if (one.length > 0 && other.length > 0 && one.length != other.length) {
      return new long[0];
    }
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
    double unitsPerMs = now.length == NANOS_BUCKETS ? NANOS_PER_MS : MICROS_PER_MS;
    long limit = 1;
    long seen = 0;
    for (int i = 0; i < now.length && requests > 0; i++) {
      seen += now[i] - earlier[i];
      if (seen >= share * requests) {
        return limit / unitsPerMs;
      }
      limit = Math.max(limit + 1, Math.round(limit * GROWTH));
    }
    return Double.NaN;
  }
}
