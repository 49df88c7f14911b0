package io.trimtab.experiments.latency;

import io.trimtab.experiments.report.ThroughputPlot;
import java.util.List;

/**
 * The reads of one node, in intervals of 100 ms from the end of settling: who is asked around a
 * disturbance (Wu 2018, Fig. 5.11).
 */
record AskedNode(List<Integer> reads) {
  private static final int PER_SECOND = 1_000 / NodeReads.EVERY_MS;

  /** Of the half of an interval's reads before, below which coming back means nothing. */
  private static final double LEAST = 0.25;

  private List<Integer> between(int fromSecond, int toSecond) {
    int from = Math.min(reads.size(), fromSecond * PER_SECOND);
    return reads.subList(from, Math.min(reads.size(), toSecond * PER_SECOND));
  }

  /** Mean of an interval's reads in these seconds; NaN if there is none. */
  double mean(int fromSecond, int toSecond) {
    return between(fromSecond, toSecond).stream().mapToInt(n -> n).average().orElse(Double.NaN);
  }

  /** The least of an interval's reads in these seconds; NaN if there is none. */
  double least(int fromSecond, int toSecond) {
    return between(fromSecond, toSecond).stream().mapToDouble(n -> n).min().orElse(Double.NaN);
  }

  /** Variance by mean, which is 1 where reads come independently; NaN where there are none. */
  double clustered(int fromSecond, int toSecond) {
    double mean = mean(fromSecond, toSecond);
    double variance =
        between(fromSecond, toSecond).stream()
            .mapToDouble(n -> (n - mean) * (n - mean))
            .average()
            .orElse(Double.NaN);
    return variance / mean;
  }

  /**
   * Seconds from a time until it is asked half as often as before the first disturbance again, over
   * a second; NaN where it is not, or was hardly asked before.
   */
  double back(int fromSecond) {
    double enough = mean(0, RankingTrial.SLOW_FROM) / 2;
    if (enough < LEAST) {
      return Double.NaN;
    }
    int from = fromSecond * PER_SECOND;
    for (int i = from; i + PER_SECOND <= reads.size(); i++) {
      double mean = reads.subList(i, i + PER_SECOND).stream().mapToInt(n -> n).average().orElse(0);
      if (mean >= enough) {
        return (double) (i - from) / PER_SECOND;
      }
    }
    return Double.NaN;
  }

  /** Mean over some runs, smoothed over a second. */
  static double[] smooth(List<AskedNode> runs) {
    int length = runs.stream().mapToInt(r -> r.reads().size()).min().orElse(0);
    double[] mean = new double[length];
    for (AskedNode run : runs) {
      for (int i = 0; i < length; i++) {
        mean[i] += (double) run.reads().get(i) / runs.size();
      }
    }
    return ThroughputPlot.smooth(mean, PER_SECOND);
  }
}
