package io.trimtab.experiments.report;

import java.util.Arrays;
import java.util.Locale;

/**
 * Median and range of repeated measurements; never a mean of a few noisy runs alone.
 *
 * @param error of the mean: its standard error; NaN for one measurement
 */
public record Spread(double min, double median, double max, double mean, double error, int runs) {

  public static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no measurements");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    double mean = Arrays.stream(sorted).average().orElse(0);
    double squares = Arrays.stream(sorted).map(v -> (v - mean) * (v - mean)).sum();
    double error = n < 2 ? Double.NaN : Math.sqrt(squares / (n - 1) / n);
    return new Spread(sorted[0], median, sorted[n - 1], mean, error, n);
  }

  /**
   * Median and range of what is known; "–" where nothing is.
   *
   * @param format of a number
   */
  public static String text(String format, double... values) {
    double[] known = Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
    if (known.length == 0) {
      return "–";
    }
    Spread of = of(known);
    String text =
        String.format(
            Locale.ROOT, format + " (" + format + "–" + format + ")", of.median, of.min, of.max);
    return known.length == values.length ? text : text + " of " + known.length + " runs";
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.0f (%.0f–%.0f)", median, min, max);
  }
}
