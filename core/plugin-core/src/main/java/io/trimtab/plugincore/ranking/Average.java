package io.trimtab.plugincore.ranking;

/** An exponentially weighted moving average; the first value counts whole. Not thread-safe. */
final class Average {
  private final double weight;
  private double value = Double.NaN;

  /**
   * @param weight of the newest value, between 0 and 1
   */
  Average(double weight) {
    this.weight = weight;
  }

  void add(double newest) {
    value = Double.isNaN(value) ? newest : weight * newest + (1 - weight) * value;
  }

  boolean isKnown() {
    return !Double.isNaN(value);
  }

  double value() {
    return value;
  }
}
