package io.trimtab.models.cache;

import java.util.function.DoubleUnaryOperator;

/**
 * The hit ratio of HBase's default cache, {@code LruBlockCache}. A block enters the single-access
 * part; when it is requested again it goes to the multi-access part for good, until it is evicted.
 * Each part evicts what was used longest ago. When the cache is 99 % full it is emptied to 95 %,
 * and each part gives the same until it is down to its share (a quarter and a half of the cache;
 * the in-memory part is not modelled and taken for empty).
 *
 * <p>So there are two characteristic times, T₁ and T₂, where Che's approximation has one. Between
 * two misses of a block with rate p lie 1/p outside, a/p in the single part with a = 1 − e^(−pT₁),
 * and, with probability a, (e^(pT₂) − 1)/p in the multi part. The times follow from the size of the
 * cache and from the two parts' giving the same, or one of them being at its share.
 */
public final class LruBlockCacheModel {
  /** Between the fill at which HBase begins to evict, and where it ends. */
  static final double FILL = 0.97;

  /** Shares of the parts, and half of what one gives at a time. */
  static final double SINGLE_MIN = 0.25 * 0.95 + 0.01;

  static final double MULTI_MIN = 0.5 * 0.95 + 0.01;
  private static final int HALVINGS = 60;
  static final double EXPONENT_MAX = 700;

  private final Pairs pairs;
  private final double capacity;

  private LruBlockCacheModel(Pairs pairs, double capacity) {
    this.pairs = pairs;
    this.capacity = capacity;
  }

  /**
   * For a cache whose capacity is a number of blocks, regardless of their sizes.
   *
   * @param blocks the cache's greatest size, &gt; 0
   * @return with T₁ as the characteristic time
   * @throws IllegalArgumentException on a histogram without requests, or no capacity
   */
  public static LruModel.Estimate ofBlocks(AccessHistogram histogram, double blocks) {
    return of(histogram, blocks, false);
  }

  /**
   * For a cache whose capacity is a number of bytes.
   *
   * @throws IllegalArgumentException also where the blocks' sizes are not known
   */
  public static LruModel.Estimate ofBytes(AccessHistogram histogram, double bytes) {
    return of(histogram, bytes, true);
  }

  private static LruModel.Estimate of(AccessHistogram histogram, double size, boolean bytes) {
    // Checks the input, and knows the case in which everything fits.
    LruModel.Estimate plain =
        bytes
            ? LruModel.ofBytes(histogram, FILL * size)
            : LruModel.ofBlocks(histogram, FILL * size);
    if (Double.isInfinite(plain.characteristicTime())) {
      return plain;
    }
    return new LruBlockCacheModel(Pairs.of(histogram, bytes).coarse(), size).estimate();
  }

  /** What the cache holds and does with given times. */
  private final class State {
    private double single;
    private double multi;
    private double misses;
    private double promotions;

    State(double t1, double t2) {
      for (int i = 0; i < pairs.rate.length; i++) {
        double again = -Math.expm1(-pairs.rate[i] * t1);
        double grown = Math.exp(Math.min(EXPONENT_MAX, pairs.rate[i] * t2));
        double cycle = 1 + again * grown;
        // Shares first: e^700 bytes would be infinitely many.
        single += pairs.weight[i] * (again / cycle);
        multi += pairs.weight[i] * (again * (grown - 1) / cycle);
        misses += pairs.asked[i] / cycle;
        promotions += pairs.asked[i] * again / cycle;
      }
    }
  }

  private LruModel.Estimate estimate() {
    double t1 =
        root(
            t -> {
              State state = full(t);
              return 2 * state.promotions - state.misses;
            });
    State state = full(t1);
    if (state.multi < MULTI_MIN * capacity) {
      t1 = root(t -> MULTI_MIN * capacity - full(t).multi);
    } else if (state.single < SINGLE_MIN * capacity) {
      t1 = root(t -> full(t).single - SINGLE_MIN * capacity);
    }
    state = full(t1);
    return new LruModel.Estimate(Math.max(0, Math.min(1, 1 - state.misses)), t1);
  }

  /** A full cache with this time of the single part; the multi part's follows. */
  private State full(double t1) {
    double t2 =
        root(
            t -> {
              State state = new State(t1, t);
              return state.single + state.multi - FILL * capacity;
            });
    return new State(t1, t2);
  }

  /** Where a rising function is zero; 0 where it is positive everywhere. */
  private double root(DoubleUnaryOperator rising) {
    double high = 1;
    double limit = EXPONENT_MAX / pairs.rate[0];
    while (high < limit && rising.applyAsDouble(high) < 0) {
      high *= 4;
    }
    double low = 0;
    for (int i = 0; i < HALVINGS && high - low > 1e-9 * high; i++) {
      double middle = (low + high) / 2;
      if (rising.applyAsDouble(middle) < 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }
}
