package io.trimtab.experiments.rivals;

import io.trimtab.lab.testbed.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One rival in charge of one bad start, and of the load's changes.
 *
 * @param rival its title
 * @param run from 1
 * @param seed of the placement at the start
 * @param phases the first one before anybody acts
 * @param plans that have ended; 0 for HBase's own balancer
 * @param actions what the controller did, a line each
 * @param verified what was found when all records were read back
 * @param day and machine on which it was made
 */
record RivalRun(
    String rival,
    int run,
    long seed,
    List<PhaseResult> phases,
    int plans,
    List<String> actions,
    String verified,
    String day,
    String machine) {

  /** Throughput is judged over windows of so many seconds. */
  static final int WINDOW = 10;

  /** A phase's best is the mean of so many seconds. */
  private static final int BEST = 30;

  /** A load's clients connect in its first seconds. */
  private static final int BEGUN = 5;

  /** From which share of its best on a phase counts as settled. */
  private static final double SETTLED = 0.9;

  /**
   * One load.
   *
   * @param p99Ms by tenant, over the whole phase
   * @param moves of partitions to other nodes
   * @param movedBytes of these partitions
   */
  record PhaseResult(
      String title, RunResult result, Map<String, Double> p99Ms, int moves, long movedBytes) {

    /** Geometric mean over tenants of their throughput in the measured window. */
    double level() {
      return geometricMean(result.measureFrom(), result.measureTo());
    }

    double sum() {
      return result.measured();
    }

    private double geometricMean(int from, int to) {
      return Math.exp(
          result.opsPerSecond().values().stream()
              .mapToDouble(series -> Math.log(Math.max(1e-3, RunResult.mean(series, from, to))))
              .average()
              .orElse(0));
    }

    /** The best level of any half minute. */
    double best() {
      double best = 0;
      for (int from = 0; from + BEST <= seconds(); from++) {
        best = Math.max(best, geometricMean(from, from + BEST));
      }
      return best;
    }

    /** Seconds until the level is within a tenth of the phase's best for the first time. */
    int settled() {
      double enough = SETTLED * best();
      for (int to = WINDOW; to <= seconds(); to++) {
        if (geometricMean(to - WINDOW, to) >= enough) {
          return to;
        }
      }
      return seconds();
    }

    private int seconds() {
      return result.total().length;
    }

    /** The least sum of any five seconds, once its clients have begun. */
    double least() {
      return RunResult.least(result.total(), BEGUN, seconds(), 5);
    }

    double worstP99() {
      return p99Ms.values().stream().mapToDouble(v -> v).max().orElse(0);
    }

    /** Geometric mean over tenants. */
    double p99() {
      return Math.exp(
          p99Ms.values().stream()
              .mapToDouble(v -> Math.log(Math.max(0.01, v)))
              .average()
              .orElse(0));
    }
  }

  PhaseResult before() {
    return phases.get(0);
  }

  /** The least throughput of a tenant in a phase, as a share of what it had at the start. */
  double worstTenant(PhaseResult phase) {
    return before().result().opsPerSecond().keySet().stream()
        .mapToDouble(t -> phase.result().measured(t) / before().result().measured(t))
        .min()
        .orElse(0);
  }

  long wrongOrLost() {
    return phases.stream().mapToLong(p -> p.result().wrong() + p.result().lost()).sum();
  }

  long errors() {
    return phases.stream().mapToLong(p -> p.result().errors()).sum();
  }

  /** Operations a second, all tenants, over all phases. */
  double[] total() {
    return phases.stream().flatMapToDouble(p -> Arrays.stream(p.result().total())).toArray();
  }
}
