package io.trimtab.plugincore.ranking;

import java.util.Arrays;

/**
 * A value whose rare outliers do not count (Wu 2018, §4.3.1, Algorithms 1 and 2): the newest one,
 * or the 90th or 95th percentile of those in the window where the tail is far above it. Not
 * thread-safe.
 *
 * <p>The thesis does not say how long the window is, nor when it begins anew: here it is the last
 * values, up to a number.
 */
final class TailAdjusted {
  private final double factor;
  private final double[] window;
  private final double[] sorted;
  private int next;
  private int size;

  /**
   * @param values that the window holds, ≥ 1
   * @param factor α: how far the 99th (99.9th) percentile may be above the 90th (95th)
   */
  TailAdjusted(int values, double factor) {
    this.factor = factor;
    window = new double[values];
    sorted = new double[values];
  }

  void add(double value) {
    window[next] = value;
    next = (next + 1) % window.length;
    size = Math.min(window.length, size + 1);
  }

  boolean isKnown() {
    return size > 0;
  }

  double value() {
    System.arraycopy(window, 0, sorted, 0, size);
    Arrays.sort(sorted, 0, size);
    if (percentile(99) >= factor * percentile(90)) {
      return percentile(90);
    }
    if (percentile(99.9) >= factor * percentile(95)) {
      return percentile(95);
    }
    return window[(next + window.length - 1) % window.length];
  }

  private double percentile(double percentile) {
    return sorted[(int) Math.ceil(percentile / 100 * size) - 1];
  }
}
