package io.trimtab.experiments.model;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * Requests for numbered keys with known probabilities, from a seed, so that an estimate can be held
 * against the truth (as in Cruz 2016, §4.1.1).
 */
final class KnownRequests {
  private final double[] upTo;
  private final Random random;

  private KnownRequests(int keys, long seed, IntToDoubleFunction weight) {
    upTo = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += weight.applyAsDouble(i);
      upTo[i] = sum;
    }
    for (int i = 0; i < keys; i++) {
      upTo[i] /= sum;
    }
    random = new Random(seed);
  }

  static KnownRequests zipf(int keys, long seed) {
    return new KnownRequests(keys, seed, i -> Math.pow(i + 1, -0.99));
  }

  static KnownRequests uniform(int keys, long seed) {
    return new KnownRequests(keys, seed, i -> 1);
  }

  static KnownRequests poisson(int keys, double mean, long seed) {
    return new KnownRequests(
        keys, seed, i -> Math.exp(i * Math.log(mean) - mean - logFactorial(i)));
  }

  /** Half of the requests on a tenth of the keys, which begins at {@code first}. */
  static KnownRequests hotspot(int keys, int first, long seed) {
    return new KnownRequests(
        keys,
        seed,
        i -> i >= first && i < first + keys / 10 ? 0.5 / (keys / 10) : 0.5 / (0.9 * keys));
  }

  private static double logFactorial(int n) {
    double sum = 0;
    for (int i = 2; i <= n; i++) {
      sum += Math.log(i);
    }
    return sum;
  }

  int next() {
    int found = Arrays.binarySearch(upTo, random.nextDouble());
    return Math.min(upTo.length - 1, found < 0 ? -found - 1 : found + 1);
  }

  /** The true share of requests for keys below a number. */
  double below(int key) {
    return key <= 0 ? 0 : upTo[Math.min(upTo.length, key) - 1];
  }

  /** How near to one half a split at a key's boundary can come. */
  double nearest() {
    double nearest = 1;
    for (double share : upTo) {
      nearest = Math.min(nearest, Math.abs(share - 0.5));
    }
    return nearest;
  }
}
