package io.trimtab.models.usage;

import io.trimtab.models.usage.UsageModel.Measurement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Finds the throughput that causes a given usage of a node, with as few measurements as possible
 * (Cruz 2016, §5.3.1, bisects instead). Usage rises with throughput, nearly in proportion, so the
 * next throughput to measure is interpolated linearly between the two nearest measurements; it
 * stays away from the ends of the bracket, so that the bracket always shrinks.
 */
public final class ThroughputSearch {
  /** Of the bracket that a try stays away from its ends. */
  private static final double MARGIN = 0.05;

  /** A bracket this narrow, relative to its upper end, is as good as a point. */
  private static final double NARROW = 0.02;

  /** A load at the bound that does not reach the level: nothing more can be asked. */
  private static final double AT_BOUND = 0.97;

  private ThroughputSearch() {}

  /**
   * The throughput to measure next.
   *
   * @param known measurements so far, in any order and of any level
   * @param idle usage without load
   * @param level target usage, in (0, 1)
   * @param tolerance accepted distance from the level, in usage
   * @param bound maximum operations per second
   * @return empty if the level is found, or cannot be reached below the bound
   */
  public static OptionalDouble next(
      List<Measurement> known, double idle, double level, double tolerance, double bound) {
    if (level <= idle || known.stream().anyMatch(m -> Math.abs(m.usage() - level) <= tolerance)) {
      return OptionalDouble.empty();
    }
    double[] below = below(known, idle, level);
    double[] above = above(known, below[0], level);
    if (above == null) {
      if (below[0] >= AT_BOUND * bound) {
        return OptionalDouble.empty();
      }
      // Nothing is known above: along the line through the last point, and not too far.
      double guess =
          below[0] > 0
              ? below[0] * (level - idle) / Math.max(1e-6, below[1] - idle)
              : bound * level;
      return OptionalDouble.of(Math.min(bound, Math.max(guess, below[0] * (1 + 2 * NARROW))));
    }
    if (above[0] - below[0] <= NARROW * above[0]) {
      return OptionalDouble.empty();
    }
    double share = (level - below[1]) / (above[1] - below[1]);
    return OptionalDouble.of(
        below[0] + (above[0] - below[0]) * Math.max(MARGIN, Math.min(1 - MARGIN, share)));
  }

  /**
   * The throughput at a level, by isotonic regression of all measurements (pooling adjacent
   * violators, Ayer et al. 1955; linear between points). Two measurements alone are not sufficient,
   * since measurement errors determine which two are next to a level.
   *
   * @return empty if no measurement is within the tolerance of the level
   */
  public static OptionalDouble at(
      List<Measurement> known, double idle, double level, double tolerance) {
    List<Pool> curve = rising(known, idle);
    Pool below = curve.get(0);
    for (Pool pool : curve) {
      if (pool.usage() >= level) {
        return level <= idle
            ? OptionalDouble.empty()
            : OptionalDouble.of(
                below.ops()
                    + (pool.ops() - below.ops())
                        * (level - below.usage())
                        / (pool.usage() - below.usage()));
      }
      below = pool;
    }
    return level <= idle || below.usage() < level - tolerance
        ? OptionalDouble.empty()
        : OptionalDouble.of(below.ops() * (level - idle) / (below.usage() - idle));
  }

  /** Measurements that are represented by their mean. */
  private record Pool(double ops, double usage, int size) {
    Pool with(Pool other) {
      int both = size + other.size;
      return new Pool(
          (ops * size + other.ops * other.size) / both,
          (usage * size + other.usage * other.size) / both,
          both);
    }
  }

  /** From no load on; throughput and usage of each are above those of the one before it. */
  private static List<Pool> rising(List<Measurement> known, double idle) {
    var curve = new ArrayList<Pool>();
    curve.add(new Pool(0, idle, 1));
    known.stream()
        .filter(m -> m.opsPerSecond() > 0)
        .sorted(Comparator.comparingDouble(Measurement::opsPerSecond))
        .forEach(
            m -> {
              // No load is known exactly; nothing is below it.
              Pool last = new Pool(m.opsPerSecond(), Math.max(idle + 1e-9, m.usage()), 1);
              while (curve.size() > 1 && last.usage() <= curve.get(curve.size() - 1).usage()) {
                last = last.with(curve.remove(curve.size() - 1));
              }
              curve.add(last);
            });
    return curve;
  }

  /** The largest throughput below the level, and its usage; no load where there is none. */
  private static double[] below(List<Measurement> known, double idle, double level) {
    return known.stream()
        .filter(m -> m.usage() < level)
        .max(Comparator.comparingDouble(Measurement::opsPerSecond))
        .map(m -> new double[] {m.opsPerSecond(), Math.max(idle, m.usage())})
        .orElse(new double[] {0, idle});
  }

  /** The least throughput at or above the level that is more than the one below it. */
  private static double[] above(List<Measurement> known, double more, double level) {
    return known.stream()
        .filter(m -> m.usage() >= level && m.opsPerSecond() > more)
        .min(Comparator.comparingDouble(Measurement::opsPerSecond))
        .map(m -> new double[] {m.opsPerSecond(), m.usage()})
        .orElse(null);
  }
}
