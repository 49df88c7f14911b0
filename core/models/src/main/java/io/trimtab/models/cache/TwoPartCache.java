package io.trimtab.models.cache;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * {@link LruBlockCacheModel} of blocks in bins, fast enough for decisions: the same two times,
 * found by Newton's steps within bounds, in about a hundred passes over some fifty bins. The hit
 * ratio differs by a tenth of a point. Not for several threads.
 */
final class TwoPartCache {
  /** Relative, of what the cache holds. */
  private static final double PRECISION = 1e-4;

  /** Relative, of the single part's time. */
  private static final double TIME_PRECISION = 1e-3;

  /** Bins that count as one, so that there are four to a doubling of the rate. */
  private static final int COARSE = 3;

  /** Relative, a time that is none. */
  private static final double NOTHING = 1e-9;

  private static final double FOREVER = Double.POSITIVE_INFINITY;
  private static final int STEPS_MAX = 60;
  private static final double WIDER = 4;

  private final double[] bytes;

  /** By bin, bytes times requests a second of each block. */
  private final double[] byteRates;

  private final double[] rates;
  private final double capacity;
  private final double requests;
  private final double longest;

  /** What a cache holds and does with given times. */
  private double single;

  private double multi;
  private double misses;
  private double promotions;

  /** How much more it holds for each second that the multi part's time is longer. */
  private double slope;

  /** Where the last search for the multi part's time has ended. */
  private double multiTime;

  /**
   * @param bins ascending
   * @param binBytes of the blocks in each bin, more in all than fit into the cache
   * @param binByteRates bytes times requests a second of each, of some &gt; 0
   * @param capacity the most that the cache may hold, &gt; 0
   */
  TwoPartCache(int[] bins, double[] binBytes, double[] binByteRates, double capacity) {
    this.capacity = capacity;
    double[] b = new double[bins.length];
    double[] r = new double[bins.length];
    int size = 0;
    for (int i = 0; i < bins.length; i++) {
      size += i > 0 && bins[i] / COARSE == bins[i - 1] / COARSE ? 0 : 1;
      b[size - 1] += binBytes[i];
      r[size - 1] += binByteRates[i];
    }
    bytes = Arrays.copyOf(b, size);
    byteRates = Arrays.copyOf(r, size);
    rates = new double[size];
    double sum = 0;
    double least = FOREVER;
    for (int i = 0; i < size; i++) {
      rates[i] = byteRates[i] / bytes[i];
      sum += byteRates[i];
      least = rates[i] > 0 ? Math.min(least, rates[i]) : least;
    }
    requests = sum;
    longest = LruBlockCacheModel.EXPONENT_MAX / least;
  }

  double hitRatio() {
    // In this time as much is asked for as the cache holds.
    double guess = capacity / requests;
    multiTime = guess;
    double time = root(guess, cache -> 2 * cache.promotions - cache.misses);
    fill(time);
    double multiMin = LruBlockCacheModel.MULTI_MIN * capacity;
    double singleMin = LruBlockCacheModel.SINGLE_MIN * capacity;
    if (multi < multiMin) {
      fill(root(time, cache -> multiMin - cache.multi));
    } else if (single < singleMin) {
      fill(root(time, cache -> cache.single - singleMin));
    }
    return Math.max(0, Math.min(1, 1 - misses / requests));
  }

  /**
   * The single part's time at which something that rises with it is zero, in a full cache; 0 where
   * it is positive everywhere, and the longest where it is nowhere.
   */
  private double root(double guess, ToDoubleFunction<TwoPartCache> rising) {
    double low = 0;
    double high = Math.min(guess, longest);
    double atHigh = at(high, rising);
    double atLow = Double.NaN;
    while (atHigh < 0 && high < longest) {
      low = high;
      atLow = atHigh;
      high = Math.min(longest, high * WIDER);
      atHigh = at(high, rising);
    }
    if (atHigh < 0) {
      return high;
    }
    for (int step = 0; step < STEPS_MAX && high - low > TIME_PRECISION * high; step++) {
      double next = between(low, atLow, high, atHigh, step);
      double value = at(next, rising);
      if (value < 0) {
        low = next;
        atLow = value;
      } else {
        high = next;
        atHigh = value;
      }
    }
    return (low + high) / 2;
  }

  /** Where a line crosses zero; in the middle every other time, and where one end is not known. */
  private static double between(double low, double atLow, double high, double atHigh, int step) {
    if (Double.isNaN(atLow)) {
      return high / WIDER;
    }
    double middle = (low + high) / 2;
    double line = low - atLow * (high - low) / (atHigh - atLow);
    return step % 2 == 1 || !(line > low && line < high) ? middle : line;
  }

  private double at(double time, ToDoubleFunction<TwoPartCache> rising) {
    fill(time);
    return rising.applyAsDouble(this);
  }

  /** Finds the multi part's time with which the cache is full. */
  private void fill(double singleTime) {
    double full = LruBlockCacheModel.FILL * capacity;
    double low = 0;
    double high = FOREVER;
    double time = multiTime;
    for (int step = 0; step < STEPS_MAX; step++) {
      pass(singleTime, time);
      double beyond = single + multi - full;
      if (Math.abs(beyond) <= PRECISION * full) {
        break;
      }
      if (beyond > 0) {
        high = time;
      } else {
        low = time;
      }
      // With any time at all it holds too much, or the bounds have met.
      if (high <= NOTHING * singleTime || (high < FOREVER && high - low <= NOTHING * high)) {
        break;
      }
      double next = slope > 0 ? time - beyond / slope : Double.NaN;
      if (!(next > low && next < high)) {
        next = high == FOREVER ? Math.max(time, singleTime) * WIDER : (low + high) / 2;
      }
      time = next;
    }
    multiTime = time;
  }

  private void pass(double singleTime, double time) {
    single = 0;
    multi = 0;
    misses = 0;
    promotions = 0;
    slope = 0;
    for (int i = 0; i < rates.length; i++) {
      double rate = rates[i];
      double again = 1 - Math.exp(-rate * singleTime);
      double grown = Math.exp(Math.min(LruBlockCacheModel.EXPONENT_MAX, rate * time));
      double cycle = 1 + again * grown;
      double out = 1 / cycle;
      // Shares first: e^700 bytes would be infinitely many.
      single += bytes[i] * (again * out);
      multi += bytes[i] * (again * (grown - 1) * out);
      misses += byteRates[i] * out;
      promotions += byteRates[i] * again * out;
      slope += byteRates[i] * (again * grown * out) * out;
    }
  }
}
