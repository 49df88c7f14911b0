package io.trimtab.models.usage;

import java.util.List;

/**
 * Finds what scans cost beyond single-row reads: the four constants of Cruz 2016, §5.3.2, equations
 * 5.1 to 5.4, by least squares, none of them below nothing.
 */
public final class ScanRegression {
  private static final int COSTS = 4;

  /**
   * One measurement with scans only.
   *
   * @param scans a second
   * @param length mean rows of a scan
   * @param columns of a row
   * @param blocks mean blocks of a scan
   * @param hitRatio of the block cache, in [0, 1]
   * @param extra usage beyond idle and beyond as many single-row reads
   */
  public record ScanSample(
      double scans, double length, double columns, double blocks, double hitRatio, double extra) {
    private double[] costs() {
      return new double[] {
        scans * (length - 1),
        scans * (columns - 1) * length,
        scans * (blocks - 1) * hitRatio,
        scans * (blocks - 1) * (1 - hitRatio)
      };
    }
  }

  private ScanRegression() {}

  /**
   * @throws IllegalArgumentException on fewer than five samples
   */
  public static UsageModel.ScanCosts fit(List<ScanSample> samples) {
    if (samples.size() <= COSTS) {
      throw new IllegalArgumentException(
          samples.size() + " scan measurements are too few for four constants");
    }
    double[][] x = samples.stream().map(ScanSample::costs).toArray(double[][]::new);
    double[] y = samples.stream().mapToDouble(ScanSample::extra).toArray();
    double[] costs = NonNegativeLeastSquares.solve(x, y);
    double residual = Math.sqrt(NonNegativeLeastSquares.squares(x, y, costs) / y.length);
    return new UsageModel.ScanCosts(costs[0], costs[1], costs[2], costs[3], residual);
  }
}
