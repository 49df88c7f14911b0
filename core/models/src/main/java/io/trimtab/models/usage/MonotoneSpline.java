package io.trimtab.models.usage;

import java.util.Arrays;

/**
 * A cubic curve through points that never overshoots them: where the points rise the curve rises
 * (Fritsch and Carlson 1980, with the slopes of Fritsch and Butland). Outside the points it goes on
 * along its end's tangent.
 */
final class MonotoneSpline {
  private final double[] x;
  private final double[] y;
  private final double[] slope;

  /**
   * @param x strictly ascending, at least one
   * @param y as many
   */
  MonotoneSpline(double[] x, double[] y) {
    if (x.length == 0 || x.length != y.length) {
      throw new IllegalArgumentException(x.length + " places and " + y.length + " values");
    }
    for (int i = 1; i < x.length; i++) {
      if (!(x[i] > x[i - 1])) {
        throw new IllegalArgumentException("places must ascend: " + x[i] + " after " + x[i - 1]);
      }
    }
    this.x = x.clone();
    this.y = y.clone();
    slope = new double[x.length];
    if (x.length > 1) {
      slope[0] = secant(0);
      slope[x.length - 1] = secant(x.length - 2);
      for (int i = 1; i < x.length - 1; i++) {
        slope[i] = inner(i);
      }
    }
  }

  private double secant(int i) {
    return (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  }

  /** The weighted harmonic mean of the slopes at both sides; 0 at a peak. */
  private double inner(int i) {
    double before = secant(i - 1);
    double after = secant(i);
    if (before * after <= 0) {
      return 0;
    }
    double left = x[i] - x[i - 1];
    double right = x[i + 1] - x[i];
    return 3 * (left + right) / ((2 * right + left) / before + (right + 2 * left) / after);
  }

  double at(double place) {
    int n = x.length;
    if (place <= x[0]) {
      return y[0] + slope[0] * (place - x[0]);
    }
    if (place >= x[n - 1]) {
      return y[n - 1] + slope[n - 1] * (place - x[n - 1]);
    }
    int found = Arrays.binarySearch(x, place);
    int i = found >= 0 ? found : -found - 2;
    double width = x[i + 1] - x[i];
    double t = (place - x[i]) / width;
    double u = 1 - t;
    return u * u * (1 + 2 * t) * y[i]
        + t * u * u * width * slope[i]
        + t * t * (3 - 2 * t) * y[i + 1]
        - t * t * u * width * slope[i + 1];
  }
}
