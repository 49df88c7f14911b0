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
 * @param cached what servers told of their regions before the end, in ascending order, see {@link
 *     CachedShares}; empty where their caches are on the heap, and for runs that are older
 * @param failure why it ended early; empty where it did not
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
    String machine,
    List<Double> cached,
    String failure) {

  /** Throughput is judged over windows of so many seconds. */
  static final int WINDOW = 10;

  /** A phase's best is the mean of so many seconds. */
  private static final int BEST = 30;

  /** A load's clients connect in its first seconds. */
  private static final int BEGUN = 5;

  /** From which share of its best on a phase counts as settled. */
  private static final double SETTLED = 0.9;

  /** Percent below which nothing is gained. */
  private static final double LEAST_GAIN = 0.1;

  private static final double MIB = 1 << 20;
  private static final double GIB = 1 << 30;

  RivalRun {
    cached = cached == null ? List.of() : List.copyOf(cached);
    failure = failure == null ? "" : failure;
  }

  /**
   * One load.
   *
   * @param p99Ms by tenant, over the whole phase
   * @param moves of partitions to other nodes
   * @param movedBytes of these partitions
   * @param compactedBytes what compactions have written meanwhile; null for runs that are older
   */
  record PhaseResult(
      String title,
      RunResult result,
      Map<String, Double> p99Ms,
      int moves,
      long movedBytes,
      Long compactedBytes) {

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

    /** Seconds from which on no half minute is more than a tenth below the phase's best. */
    int steady() {
      double enough = SETTLED * best();
      int from = seconds();
      for (int at = seconds() - BEST; at >= 0; at--) {
        if (geometricMean(at, at + BEST) < enough) {
          return from;
        }
        from = at;
      }
      return from;
    }

    double movedMib() {
      return movedBytes / MIB;
    }

    /** NaN where it is not known. */
    double compactedMib() {
      return compactedBytes == null ? Double.NaN : compactedBytes / MIB;
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

  PhaseResult phase(int phase) {
    return phases.get(phase);
  }

  /**
   * The least throughput in a phase of a tenant that has the load that it had at the start, as a
   * share of what it had then.
   */
  double worstTenant(int phase) {
    return before().result().opsPerSecond().keySet().stream()
        .filter(t -> !Rivals.otherLoad(phase).contains(t))
        .mapToDouble(t -> phase(phase).result().measured(t) / before().result().measured(t))
        .min()
        .orElse(0);
  }

  /** The lowest five seconds of a phase, all tenants, as a share of what they had before. */
  double least(int phase) {
    return phase(phase).least() / before().sum();
  }

  /** How many times the level before. */
  double gain(int phase) {
    return phase(phase).level() / before().level();
  }

  /** Moved for each percent that the level is above that before; NaN where it hardly is. */
  double gibPerPercent(int phase) {
    double percent = 100 * (gain(phase) - 1);
    return percent > LEAST_GAIN ? phase(phase).movedBytes() / GIB / percent : Double.NaN;
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
