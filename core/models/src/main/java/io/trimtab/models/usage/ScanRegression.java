package io.trimtab.models.usage;

import java.util.List;

/**
 * Finds what scans cost beyond single-row reads: the four constants of Cruz 2016, §5.3.2, equations
 * 5.1 to 5.4, and one for each further call, by least squares, none of them below nothing.
 */
public final class ScanRegression {
  private static final int COSTS = 5;

  /**
   * One measurement with scans only.
   *
   * @param scans opened a second
   * @param scan what each asks for
   * @param hitRatio of the block cache, in [0, 1]
   * @param extra usage beyond idle and beyond as many single-row reads
   */
  public record ScanSample(double scans, ScanShape scan, double hitRatio, double extra) {
    private double[] costs() {
      return new double[] {
        scans * (scan.rows() - 1),
        scans * (scan.columns() - 1) * scan.rows(),
        scans * (scan.blocks() - 1) * hitRatio,
        scans * (scan.blocks() - 1) * (1 - hitRatio),
        scans * (scan.calls() - 1)
      };
    }
  }

  private ScanRegression() {}

  /**
   * The cost of a further call is left open where no sample has one.
   *
   * @throws IllegalArgumentException on fewer than six samples
   */
  public static UsageModel.ScanCosts fit(List<ScanSample> samples) {
    if (samples.size() <= COSTS) {
      throw new IllegalArgumentException(
          samples.size() + " scan measurements are too few for " + COSTS + " constants");
    }
    double[][] x = samples.stream().map(ScanSample::costs).toArray(double[][]::new);
    double[] y = samples.stream().mapToDouble(ScanSample::extra).toArray();
    double[] costs = NonNegativeLeastSquares.solve(x, y);
    double residual = Math.sqrt(NonNegativeLeastSquares.squares(x, y, costs) / y.length);
    Double call = samples.stream().anyMatch(s -> s.scan().calls() > 1) ? costs[4] : null;
    return new UsageModel.ScanCosts(costs[0], costs[1], costs[2], costs[3], call, residual);
  }
}
