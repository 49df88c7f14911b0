package io.trimtab.experiments.rivals;

import java.util.Arrays;
import java.util.Locale;

/**
 * How many times one thing is another in runs that had the same start, pair by pair.
 *
 * @param pairs NaN where one of the pair is missing
 */
record Ratios(double... pairs) {
  private double[] known() {
    return Arrays.stream(pairs).filter(v -> !Double.isNaN(v)).toArray();
  }

  /** Whether there is any. */
  boolean any() {
    return known().length > 0;
  }

  /** Whether there are all. */
  boolean whole() {
    return any() && known().length == pairs.length;
  }

  /** The geometric mean of those that are known; NaN where none is. */
  double mean() {
    return Math.exp(Arrays.stream(known()).map(Math::log).average().orElse(Double.NaN));
  }

  /** Geometric mean and range; "–" where nothing is known. */
  @Override
  public String toString() {
    if (!any()) {
      return "–";
    }
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f–%.2f)",
        mean(),
        Arrays.stream(known()).min().orElseThrow(),
        Arrays.stream(known()).max().orElseThrow());
  }
}
