package io.trimtab.plugincore.ranking;

/**
 * An exponentially weighted moving average. Any thread may read it; of two values that are added at
 * once one may be missed.
 */
public final class Average {
  private final double weight;
  private volatile double value;

  /**
   * An average whose first value counts whole.
   *
   * @param weight of the newest value, between 0 and 1
   */
  public Average(double weight) {
    this(weight, Double.NaN);
  }

  /**
   * @param start the average before the first value
   */
  Average(double weight, double start) {
    this.weight = weight;
    value = start;
  }

  public void add(double newest) {
    double before = value;
    value = Double.isNaN(before) ? newest : before + weight * (newest - before);
  }

  public boolean isKnown() {
    return !Double.isNaN(value);
  }

  /** The average; NaN before the first value. */
  public double value() {
    return value;
  }

  /** The average; what is given before the first value. */
  double or(double otherwise) {
    double now = value;
    return Double.isNaN(now) ? otherwise : now;
  }
}
