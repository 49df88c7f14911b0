package io.trimtab.experiments.model;

import io.trimtab.controller.place.UsageSource;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsageModel.Prediction;
import java.util.Locale;

/**
 * The predicted and the observed usage of a load.
 *
 * @param reads share of the operations
 * @param scans share of the operations; what is neither is an update. Not in files of before scans
 *     were among the loads
 * @param scan means of the scans
 * @param level intended usage
 * @param hits predicted hit ratio of the node's cache
 * @param prediction by the built model
 * @param learned by what the node has shown under ordinary load; not in older files
 * @param keys of Cassandra, where a miss looks for its row; null of others
 */
record UsageOutcome(
    String title,
    double reads,
    double scans,
    ScanShape scan,
    double level,
    double hits,
    Prediction prediction,
    Learned learned,
    Keys keys,
    NodeWindow window,
    RunResult result) {

  /**
   * What costs that were learned predict.
   *
   * @param deviation its standard deviation
   * @param doubt why a policy would not use it, and what would change that; empty if it would
   */
  record Learned(double usage, double deviation, String doubt) {
    /** Standard deviations to either side that hold the truth in 19 of 20 cases. */
    private static final double WIDTH = 1.96;

    static Learned of(LearnedCosts costs, Load load) {
      double deviation = costs.deviation(load);
      return new Learned(
          costs.usage(load),
          deviation,
          deviation > UsageSource.DEVIATION_MAX ? costs.uncertainty(load) : "");
    }

    boolean known() {
      return doubt.isEmpty();
    }

    /** Half of the interval. */
    double width() {
      return WIDTH * deviation;
    }
  }

  /**
   * Where a miss of the row cache looks for its row.
   *
   * @param perMiss look-ups of a row's place for each miss: one for each file that may have it
   * @param hits share of these that the key cache answers; each other one reads an index
   */
  record Keys(double perMiss, double hits) {
    private static final String REQUESTS = "KeyCache.requests";
    private static final String HITS = "KeyCache.hits";

    /** Between two looks at a node; NaN for what it does not tell. */
    static Keys between(NodeGauges before, NodeGauges after) {
      double requests = grown(REQUESTS, before, after);
      double misses = after.cacheMisses() - before.cacheMisses();
      return new Keys(
          misses > 0 ? requests / misses : Double.NaN,
          requests > 0 ? grown(HITS, before, after) / requests : Double.NaN);
    }

    private static double grown(String what, NodeGauges before, NodeGauges after) {
      return after.own().getOrDefault(what, Double.NaN)
          - before.own().getOrDefault(what, Double.NaN);
    }
  }

  private double seen() {
    return window.usage().server();
  }

  /** Of the built model. */
  double accuracy() {
    return accuracy(prediction.usage());
  }

  /** 1 − |predicted − observed| / observed. */
  double accuracy(double predicted) {
    return 1 - Math.abs(predicted - seen()) / seen();
  }

  /** Reads of rows that the cache did not have, per second; without those of scans. */
  double misses() {
    return reads * window.opsPerSecond() * (1 - window.hitRatio());
  }

  /** I/O wait for each of them, in milliseconds; of a load that only reads. */
  double waitPerMiss() {
    return 1_000 * window.usage().ioWait() / misses();
  }

  /** Half of the built model's interval. */
  double width() {
    return (prediction.high() - prediction.low()) / 2;
  }

  boolean inside() {
    return seen() >= prediction.low() && seen() <= prediction.high();
  }

  /** The same of what was learned. */
  boolean insideLearned() {
    return Math.abs(learned.usage() - seen()) <= learned.width();
  }

  /** One line for the console. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%s: predicted %.1f %% (%.1f–%.1f), by learned costs %.1f ± %.1f %%%s, observed %.1f %%,"
            + " including %.1f %% I/O wait; hit ratio %.1f %%, predicted %.1f %%",
        title,
        100 * prediction.usage(),
        100 * prediction.low(),
        100 * prediction.high(),
        100 * learned.usage(),
        100 * learned.width(),
        learned.known() ? "" : " (not certain enough)",
        100 * window.usage().server(),
        100 * window.usage().ioWait(),
        100 * window.hitRatio(),
        100 * hits);
  }
}
