package io.trimtab.testkit.load;

import java.time.Duration;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;

/**
 * Which keys are requested. Keys are numbers in [0, 1]; a partition's share is what lies between
 * its ends. The same at every call.
 */
public interface KeyDistribution {
  /**
   * Share of the requests below a key, in [0, 1]; grows with the key from 0 to 1.
   *
   * @param seconds since the cluster began
   */
  double below(double key, double seconds);

  /** Whether it changes with time. */
  default boolean moves() {
    return false;
  }

  static KeyDistribution uniform() {
    return (key, seconds) -> key;
  }

  /**
   * Cells of equal width whose shares follow Zipf's law in an order drawn from the seed.
   *
   * @param exponent ≥ 0; 0: uniform
   */
  static KeyDistribution zipf(long seed, int cells, double exponent) {
    double[] weight = new double[cells];
    for (int i = 0; i < cells; i++) {
      weight[i] = Math.pow(i + 1.0, -exponent);
    }
    Random random = new Random(seed);
    for (int i = cells - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      double other = weight[i];
      weight[i] = weight[j];
      weight[j] = other;
    }
    double[] upTo = new double[cells + 1];
    for (int i = 0; i < cells; i++) {
      upTo[i + 1] = upTo[i] + weight[i];
    }
    return (key, seconds) -> {
      double at = Math.max(0, Math.min(1, key)) * cells;
      int cell = Math.min(cells - 1, (int) at);
      return (upTo[cell] + (at - cell) * weight[cell]) / upTo[cells];
    };
  }

  /**
   * A narrow range has more than its part of the requests; the rest is uniform.
   *
   * @param share of the hot range, in [0, 1]
   * @param width of the hot range, in (0, 1]
   * @param start its lower end by seconds, in [0, 1 − width]
   */
  static KeyDistribution hot(double share, double width, DoubleUnaryOperator start) {
    return new KeyDistribution() {
      @Override
      public double below(double key, double seconds) {
        double within = (key - start.applyAsDouble(seconds)) / width;
        return (1 - share) * key + share * Math.max(0, Math.min(1, within));
      }

      @Override
      public boolean moves() {
        return true;
      }
    };
  }

  /**
   * The lowest keys have a share of the requests of their own; within these and within the others
   * requests are uniform.
   *
   * @param keys share of the keys that these are, in (0, 1)
   * @param requests their share of the requests, in [0, 1]
   */
  static KeyDistribution lowest(double keys, double requests) {
    return (key, seconds) ->
        key <= keys ? requests * key / keys : requests + (1 - requests) * (key - keys) / (1 - keys);
  }

  /** Others from given times on; the first from the beginning. */
  static KeyDistribution from(NavigableMap<Duration, KeyDistribution> parts) {
    NavigableMap<Double, KeyDistribution> begins = new TreeMap<>();
    parts.forEach((at, keys) -> begins.put(at.toMillis() / 1000.0, keys));
    return new KeyDistribution() {
      @Override
      public double below(double key, double seconds) {
        var part = begins.floorEntry(seconds);
        return (part == null ? begins.firstEntry() : part).getValue().below(key, seconds);
      }

      @Override
      public boolean moves() {
        return begins.size() > 1 || begins.firstEntry().getValue().moves();
      }
    };
  }

  /** Between two keys. */
  default double between(double from, double to, double seconds) {
    return below(to, seconds) - below(from, seconds);
  }

  /** The key at which the requests between two keys halve, to the grain of a row key. */
  default double median(double from, double to, double seconds) {
    double half = (below(from, seconds) + below(to, seconds)) / 2;
    double low = from;
    double high = to;
    for (int i = 0; i < 48; i++) {
      double middle = (low + high) / 2;
      if (below(middle, seconds) < half) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
