package io.trimtab.lab.testbed;

import java.util.Arrays;
import java.util.Map;

/**
 * What one run under load did, by content-verifying clients.
 *
 * @param opsPerSecond per tenant, one value a second since the start of the run
 * @param measureFrom first second of the measured window
 * @param measureTo second after the last of the measured window
 * @param errors operations that failed permanently
 * @param retries operations, or client calls, that were tried again
 * @param wrong reads whose content was not what was written
 * @param lost reads that missed what had been acknowledged
 * @param longestErrorSeconds how long a tenant went without a single success
 */
public record RunResult(
    String label,
    long seed,
    Map<String, double[]> opsPerSecond,
    int measureFrom,
    int measureTo,
    long errors,
    long retries,
    long wrong,
    long lost,
    int longestErrorSeconds) {

  /** Sum over tenants, one value a second. */
  public double[] total() {
    int seconds = opsPerSecond.values().stream().mapToInt(s -> s.length).max().orElse(0);
    double[] sum = new double[seconds];
    for (double[] series : opsPerSecond.values()) {
      for (int i = 0; i < series.length; i++) {
        sum[i] += series[i];
      }
    }
    return sum;
  }

  /** Mean throughput of the measured window, operations per second. */
  public double measured() {
    return mean(total(), measureFrom, measureTo);
  }

  public double measured(String tenant) {
    return mean(opsPerSecond.get(tenant), measureFrom, measureTo);
  }

  public static double mean(double[] series, int from, int to) {
    int end = Math.min(to, series.length);
    return end <= from ? 0 : Arrays.stream(series, from, end).average().orElse(0);
  }

  /** The least mean of any {@code window} seconds that lie in [from, to). */
  public static double least(double[] series, int from, int to, int window) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = from; i + window <= Math.min(to, series.length); i++) {
      least = Math.min(least, mean(series, i, i + window));
    }
    return least;
  }

  /** Longest run of whole seconds without one success, over all tenants and the whole run. */
  static int longestGap(Map<String, double[]> series) {
    int longest = 0;
    for (double[] tenant : series.values()) {
      int gap = 0;
      for (double ops : tenant) {
        gap = ops > 0 ? 0 : gap + 1;
        longest = Math.max(longest, gap);
      }
    }
    return longest;
  }
}
