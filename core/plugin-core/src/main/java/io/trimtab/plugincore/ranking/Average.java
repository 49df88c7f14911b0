package io.trimtab.plugincore.ranking;

/** An exponentially weighted moving average; the first value counts whole. Not thread-safe. */
public final class Average {
  private final double weight;
  private double value = Double.NaN;

  /**
   * @param weight of the newest value, between 0 and 1
   */
  public Average(double weight) {
    this.weight = weight;
  }

  public void add(double newest) {
    value = Double.isNaN(value) ? newest : weight * newest + (1 - weight) * value;
  }

  public boolean isKnown() {
    return !Double.isNaN(value);
  }

  public double value() {
    return value;
  }
}
