package io.trimtab.experiments.latency;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What one run measured. Latencies are milliseconds from when an operation was due, or from its
 * beginning in a closed loop.
 *
 * @param run from 1 on
 * @param day on which it was made, UTC
 * @param machine on which it was made
 * @param opsPerSecond that succeeded
 * @param errors operations that failed for good
 * @param stale reads that missed what another copy had acknowledged: at consistency ONE a read may
 * @param readP999In p99.9 of the reads that ended in each part of the run
 * @param diskReads reads a second that reached a node's disk, mean of the nodes
 * @param busyCores cores of the machine that were busy, with clients and all nodes
 * @param ownReads share of what coordinators asked replicas for that was their own copy
 * @param readsPer100Ms on the node that is disturbed in each part of the run
 */
record RankingResult(
    String load,
    String ordering,
    int run,
    String day,
    String machine,
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
    Map<Phase, Double> readP999In,
    double diskReads,
    double busyCores,
    double ownReads,
    Map<Phase, List<Integer>> readsPer100Ms) {
  private static final double MS = 1e3;

  static double ms(Histogram of, double percentile) {
    return of.getTotalCount() == 0 ? 0 : of.getValueAtPercentile(percentile) / MS;
  }

  static double meanMs(Histogram of) {
    return of.getTotalCount() == 0 ? 0 : of.getMean() / MS;
  }
}
