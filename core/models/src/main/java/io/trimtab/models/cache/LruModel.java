package io.trimtab.models.cache;

/**
 * The hit ratio of a cache that evicts what was used longest ago, by Che's approximation (Che, Tung
 * and Wang 2002; Cruz 2016, §6.1): under independent requests a block stays for a time that is
 * nearly the same for all, the characteristic time T, which solves Σ sᵢ(1 − e^(−pᵢT)) = C. A
 * block's hit ratio is 1 − e^(−pᵢT).
 */
public final class LruModel {
  private static final double PRECISION = 1e-9;
  private static final int STEPS_MAX = 200;

  /** Pairs above which the first guess comes from a coarser histogram. */
  private static final int COARSE_FROM = 10_000;

  private LruModel() {}

  /**
   * A cache's steady state.
   *
   * @param hitRatio share of requests that find their block, in [0, 1]
   * @param characteristicTime how long a block stays unused before it is evicted, in requests;
   *     infinite where everything fits
   */
  public record Estimate(double hitRatio, double characteristicTime) {}

  /**
   * For a cache whose capacity is a number of blocks, regardless of their sizes.
   *
   * @param capacity blocks, &gt; 0
   * @throws IllegalArgumentException on a histogram without requests, or no capacity
   */
  public static Estimate ofBlocks(AccessHistogram histogram, double capacity) {
    return estimate(histogram, capacity, false);
  }

  /**
   * For a cache whose capacity is a number of bytes.
   *
   * @param capacity bytes, &gt; 0
   * @throws IllegalArgumentException also where the blocks' sizes are not known
   */
  public static Estimate ofBytes(AccessHistogram histogram, double capacity) {
    if (!histogram.sized()) {
      throw new IllegalArgumentException("the blocks' sizes are not known");
    }
    return estimate(histogram, capacity, true);
  }

  private static Estimate estimate(AccessHistogram histogram, double capacity, boolean bytes) {
    if (!(capacity > 0)) {
      throw new IllegalArgumentException("a cache's size must be > 0, not " + capacity);
    }
    if (!(histogram.requests() > 0)) {
      throw new IllegalArgumentException("no block has been accessed");
    }
    double touched = bytes ? histogram.touchedBytes() : histogram.touched();
    if (capacity >= touched) {
      return new Estimate(1, Double.POSITIVE_INFINITY);
    }
    Pairs all = Pairs.of(histogram, bytes);
    double first = 0;
    if (all.rate.length > COARSE_FROM) {
      // Its mean rates fill a cache a little faster, so this begins a little too early: good, since
      // the steps only go up.
      first = solve(all.coarse(), touched, capacity, 0);
    }
    double time = solve(all, touched, capacity, first);
    double hits = 0;
    for (int i = 0; i < all.rate.length; i++) {
      hits -= all.asked[i] * Math.expm1(-all.rate[i] * time);
    }
    return new Estimate(Math.min(1, hits), time);
  }

  /**
   * Newton's steps on the logarithm of what is not cached, log Σ w e^(−pT), which is convex and
   * falling: from the left they never pass the root.
   */
  private static double solve(Pairs pairs, double touched, double capacity, double from) {
    double targetLog = Math.log(touched - capacity);
    double time = from;
    for (int step = 0; step < STEPS_MAX; step++) {
      double left = 0;
      double slope = 0;
      for (int i = 0; i < pairs.rate.length; i++) {
        double out = pairs.weight[i] * Math.exp(-pairs.rate[i] * time);
        left += out;
        slope += pairs.rate[i] * out;
      }
      double next = time + (Math.log(left) - targetLog) * left / slope;
      if (!(Math.abs(next - time) > PRECISION * next)) {
        return next;
      }
      time = Math.max(0, next);
    }
    return time;
  }
}
