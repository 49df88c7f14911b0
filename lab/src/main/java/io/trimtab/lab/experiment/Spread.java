package io.trimtab.lab.experiment;

import java.util.Arrays;
import java.util.Locale;

/** Median and range of repeated measurements; never a mean of a few noisy runs alone. */
record Spread(double min, double median, double max, double mean, int runs) {

  static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no measurements");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    return new Spread(
        sorted[0], median, sorted[n - 1], Arrays.stream(sorted).average().orElse(0), n);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.0f (%.0f–%.0f)", median, min, max);
  }
}
