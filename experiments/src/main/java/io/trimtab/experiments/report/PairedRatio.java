package io.trimtab.experiments.report;

import java.util.Locale;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * How many times one thing is another, measured in pairs: the mean of the pairs' ratios and the 95
 * % interval of that mean, by Student's t of their logarithms.
 *
 * @param ratio the geometric mean
 * @param low end of the interval; NaN for one pair
 * @param high end of the interval; NaN for one pair
 */
public record PairedRatio(double ratio, double low, double high, int pairs) {
  private static final double UPPER = 0.975;

  /**
   * @param of positive
   * @param to positive, as many, in the same order
   */
  public static PairedRatio of(double[] of, double[] to) {
    if (of.length != to.length || of.length == 0) {
      throw new IllegalArgumentException(of.length + " and " + to.length + " measurements");
    }
    double[] logs = new double[of.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(of[i] / to[i]);
    }
    Spread spread = Spread.of(logs);
    double wide =
        logs.length < 2
            ? Double.NaN
            : spread.error()
                * new TDistribution(logs.length - 1.0).inverseCumulativeProbability(UPPER);
    return new PairedRatio(
        Math.exp(spread.mean()),
        Math.exp(spread.mean() - wide),
        Math.exp(spread.mean() + wide),
        logs.length);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", ratio, low, high);
  }
}
