package io.trimtab.experiments.model;

import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * How far predicted hit ratios are from observed ones, in points, ≥ 0; NaN where none is known.
 *
 * @param mean of what each is off by, in either direction
 */
record HitRatioErrors(double mean, double worst) {
  /** What is asked for of HBase's cache. */
  static final HitRatioErrors TARGET = new HitRatioErrors(0.5, 1);

  /**
   * Of these differences.
   *
   * @param points predicted less observed; NaN where it is not known
   */
  static HitRatioErrors of(DoubleStream points) {
    DoubleSummaryStatistics all =
        points.filter(Double::isFinite).map(Math::abs).summaryStatistics();
    return all.getCount() == 0
        ? new HitRatioErrors(Double.NaN, Double.NaN)
        : new HitRatioErrors(all.getAverage(), all.getMax());
  }

  /** To be shown in a table. */
  static String points(double error) {
    return Double.isNaN(error) ? "–" : String.format(Locale.ROOT, "%.1f points", error);
  }

  /** The same of what an error may be. */
  static String most(double error) {
    return Double.isNaN(error) ? "–" : "≤ " + points(error);
  }
}
