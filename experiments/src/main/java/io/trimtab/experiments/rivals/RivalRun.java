package io.trimtab.experiments.rivals;

import io.trimtab.experiments.bed.PlanSpan;
import io.trimtab.experiments.placement.TenantLevels;
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
 * @param phases the first one before anybody acts; fewer than there are where it failed
 * @param plans of its controller, also one that was under way at the end; none without one
 * @param actions what the controller did, a line each
 * @param verified what was found when all records were read back
 * @param day on which it was made, UTC
 * @param machine on which it was made
 * @param minutes from the cluster's start until it was kept
 * @param cached what servers told of their regions before the end, in ascending order, see {@link
 *     CachedShares}; empty where their caches are on the heap
 * @param madeBy the build and, of a controller, all its settings
 * @param failure why it ended early; empty where it did not
 */
record RivalRun(
    String rival,
    int run,
    long seed,
    List<PhaseResult> phases,
    List<PlanSpan> plans,
    List<String> actions,
    String verified,
    String day,
    String machine,
    double minutes,
    List<Double> cached,
    List<String> madeBy,
    String failure) {

  /** A phase's best, and what is near it, are means of so many seconds. */
  static final int WINDOW = 30;

  /** A load's clients connect in its first seconds. */
  private static final int BEGUN = 5;

  /** From which share of its best on a phase counts as settled. */
  private static final double SETTLED = 0.9;

  /** Percent below which nothing is gained. */
  private static final double LEAST_GAIN = 0.1;

  private static final double PERCENT = 100;
  private static final double MIB = 1 << 20;
  private static final double GIB = 1 << 30;

  /**
   * One load.
   *
   * @param p99Ms by tenant, over the whole phase
   * @param levelP99Ms the same over the window in which the level is measured
   * @param moves of partitions to other nodes
   * @param movedBytes of these partitions
   * @param compactedBytes what compactions have written meanwhile
   * @param machine share of the machine's CPU that was in use while the level was measured, in [0,
   *     1]; NaN where it was not measured
   */
  record PhaseResult(
      String title,
      RunResult result,
      Map<String, Double> p99Ms,
      Map<String, Double> levelP99Ms,
      int moves,
      long movedBytes,
      long compactedBytes,
      double machine) {

    /** From this share on nodes and clients do not get all that they could use. */
    private static final double FULL = 0.95;

    /** Whether the machine itself was what there was too little of. */
    boolean isMachineFull() {
      return machine >= FULL;
    }

    double machinePercent() {
      return PERCENT * machine;
    }

    /** Geometric mean over tenants of their throughput in the measured window. */
    double level() {
      return level(result.measureFrom(), result.measureTo());
    }

    double sum() {
      return result.measured();
    }

    private double level(int from, int to) {
      return TenantLevels.of(result, from, to).mean();
    }

    /** The best level of any half minute. */
    double best() {
      double best = 0;
      for (int from = 0; from + WINDOW <= seconds(); from++) {
        best = Math.max(best, level(from, from + WINDOW));
      }
      return best;
    }

    /** Seconds until a half minute is within a tenth of the phase's best for the first time. */
    int settled() {
      double enough = SETTLED * best();
      for (int to = WINDOW; to <= seconds(); to++) {
        if (level(to - WINDOW, to) >= enough) {
          return to;
        }
      }
      return seconds();
    }

    /** Seconds from which on no half minute is more than a tenth below the phase's best. */
    int steady() {
      return steady(best());
    }

    /** The same below another best. */
    int steady(double best) {
      double enough = SETTLED * best;
      int from = seconds();
      for (int at = seconds() - WINDOW; at >= 0; at--) {
        if (level(at, at + WINDOW) < enough) {
          return from;
        }
        from = at;
      }
      return from;
    }

    double movedMib() {
      return movedBytes / MIB;
    }

    double compactedMib() {
      return compactedBytes / MIB;
    }

    int seconds() {
      return result.total().length;
    }

    /** The least sum of any five seconds, once its clients have begun. */
    double least() {
      return RunResult.least(result.total(), BEGUN, seconds(), 5);
    }

    /** Geometric mean over tenants of their slowest hundredth, of the whole phase. */
    double p99() {
      return p99(p99Ms);
    }

    /** The same of the window in which the level is measured. */
    double levelP99() {
      return p99(levelP99Ms);
    }

    private static double p99(Map<String, Double> ms) {
      return Math.exp(
          ms.values().stream().mapToDouble(v -> Math.log(Math.max(0.01, v))).average().orElse(0));
    }

    /** Of the tenant that waits longest, in the window in which the level is measured. */
    double worstLevelP99() {
      return levelP99Ms.values().stream().mapToDouble(v -> v).max().orElse(0);
    }
  }

  PhaseResult before() {
    return phases.get(0);
  }

  PhaseResult phase(int phase) {
    return phases.get(phase);
  }

  /** Tenants that have the load in a phase that they had at the start, in order. */
  List<String> sameLoad(int phase) {
    return before().result().opsPerSecond().keySet().stream()
        .filter(tenant -> !Load.other(phase).contains(tenant))
        .sorted()
        .toList();
  }

  /** A tenant's throughput in a phase, as a share of what it had at the start. */
  double ofStart(int phase, String tenant) {
    return phase(phase).result().measured(tenant) / before().result().measured(tenant);
  }

  /** The least {@link #ofStart} of a tenant that has the load that it had then. */
  double worstTenant(int phase) {
    return sameLoad(phase).stream().mapToDouble(t -> ofStart(phase, t)).min().orElse(0);
  }

  /** Plans that were under way in a phase while its level was measured. */
  long plansInWindow(int phase) {
    int begun = phases.subList(0, phase).stream().mapToInt(PhaseResult::seconds).sum();
    int from = begun + phase(phase).result().measureFrom();
    int to = begun + phase(phase).result().measureTo();
    return plans.stream().filter(plan -> plan.within(from, to)).count();
  }

  /** The lowest five seconds of a phase, all tenants, as a share of what they had before. */
  double least(int phase) {
    return phase(phase).least() / before().sum();
  }

  /** How many times the level before. */
  double gain(int phase) {
    return phase(phase).level() / before().level();
  }

  /**
   * Moved in a phase for each percent that its level is above another; NaN where it hardly is, or
   * the other is not known.
   */
  double gibPerPercent(int phase, double level) {
    double percent = 100 * (phase(phase).level() / level - 1);
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
