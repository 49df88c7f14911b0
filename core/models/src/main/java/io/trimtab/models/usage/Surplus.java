package io.trimtab.models.usage;

import org.hipparchus.special.Erf;

/** What an uncertain number is expected to have beyond nothing. */
public final class Surplus {
  private Surplus() {}

  /**
   * The expected value of the part above 0 of a normally distributed number.
   *
   * @param deviation its standard deviation, ≥ 0
   */
  public static double expected(double mean, double deviation) {
    if (!(deviation > 0)) {
      return Math.max(0, mean);
    }
    double z = mean / deviation;
    double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    return deviation * (density + z * Erf.erfc(-z / Math.sqrt(2)) / 2);
  }
}
