package io.trimtab.experiments.latency;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What one run of E12 measured. Latencies are milliseconds from when an operation was due, or from
 * its beginning in a closed loop.
 *
 * @param run from 1 on
 * @param day on which it was made, UTC
 * @param opsPerSecond that succeeded
 * @param errors operations that failed for good
 * @param stale reads that missed what another copy had acknowledged: at consistency ONE a read may
 * @param readsPer100Ms on the disturbed node
 */
record RankingResult(
    String load,
    String ordering,
    int run,
    String day,
    double opsPerSecond,
    double readMean,
    double readP50,
    double readP95,
    double readP99,
    double readP999,
    double readMax,
    double writeP50,
    double writeP999,
    long errors,
    long retries,
    long wrong,
    long stale,
    List<Integer> readsPer100Ms) {
  private static final double MS = 1e3;

  static double ms(Histogram of, double percentile) {
    return of.getTotalCount() == 0 ? 0 : of.getValueAtPercentile(percentile) / MS;
  }

  static double meanMs(Histogram of) {
    return of.getTotalCount() == 0 ? 0 : of.getMean() / MS;
  }
}
