package io.trimtab.simulator.replicas;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * What reads took.
 *
 * @param latencies of all reads, ns
 * @param meanMs of all reads
 * @param throughput reads a second
 * @param loadSpread standard deviation of the servers' numbers of requests, as a share of their
 *     mean
 * @param hedged share of reads for which a second replica was asked because the first was slow
 * @param events that were simulated
 */
public record ReplicaResult(
    Histogram latencies,
    double meanMs,
    double throughput,
    double loadSpread,
    double hedged,
    long events) {
  static ReplicaResult of(
      Histogram latencies,
      double meanNs,
      long endNs,
      Server[] servers,
      double hedged,
      long events) {
    double mean = Arrays.stream(servers).mapToLong(s -> s.served).average().orElseThrow();
    double square =
        Arrays.stream(servers)
            .mapToDouble(s -> (s.served - mean) * (s.served - mean))
            .average()
            .orElseThrow();
    return new ReplicaResult(
        latencies,
        meanNs / 1e6,
        latencies.getTotalCount() / (endNs / 1e9),
        Math.sqrt(square) / mean,
        hedged,
        events);
  }

  /** Milliseconds. */
  public double percentile(double percent) {
    return latencies.getValueAtPercentile(percent) / 1e6;
  }
}
