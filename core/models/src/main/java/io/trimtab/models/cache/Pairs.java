package io.trimtab.models.cache;

import java.util.HashMap;
import java.util.Map;

/** A histogram in the numbers that models of caches reckon with. */
final class Pairs {
  /** Binary digits of a rate that the coarser form keeps. */
  private static final int COARSE_DIGITS = 8;

  /** Probability of each of the blocks that a request is for it, &gt; 0. */
  final double[] rate;

  /** Of the cache, taken by all blocks of this rate: their number, or their bytes. */
  final double[] weight;

  /** Share of the requests that are for one of them. */
  final double[] asked;

  private Pairs(double[] rate, double[] weight, double[] asked) {
    this.rate = rate;
    this.weight = weight;
    this.asked = asked;
  }

  /**
   * Without blocks that are never requested.
   *
   * @param bytes whether the cache is measured in bytes, not in blocks
   */
  static Pairs of(AccessHistogram histogram, boolean bytes) {
    double requests = histogram.requests();
    int n = histogram.pairs();
    while (n > 0 && histogram.count(n - 1) == 0) {
      n--;
    }
    double[] rate = new double[n];
    double[] weight = new double[n];
    double[] asked = new double[n];
    for (int i = 0; i < n; i++) {
      rate[i] = histogram.count(i) / requests;
      weight[i] = histogram.blocks(i) * (bytes ? histogram.size(i) : 1);
      asked[i] = rate[i] * histogram.blocks(i);
    }
    return new Pairs(rate, weight, asked);
  }

  /** Pairs of nearly the same rate become one of their mean rate. */
  Pairs coarse() {
    Map<Long, double[]> bins = new HashMap<>();
    for (int i = 0; i < rate.length; i++) {
      long bin = Double.doubleToRawLongBits(rate[i]) >>> (52 - COARSE_DIGITS);
      double[] sums = bins.computeIfAbsent(bin, b -> new double[3]);
      sums[0] += weight[i] * rate[i];
      sums[1] += weight[i];
      sums[2] += asked[i];
    }
    double[][] all =
        bins.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(Map.Entry::getValue)
            .toArray(double[][]::new);
    double[] meanRate = new double[all.length];
    double[] weights = new double[all.length];
    double[] shares = new double[all.length];
    for (int i = 0; i < all.length; i++) {
      meanRate[i] = all[i][0] / all[i][1];
      weights[i] = all[i][1];
      shares[i] = all[i][2];
    }
    return new Pairs(meanRate, weights, shares);
  }
}
