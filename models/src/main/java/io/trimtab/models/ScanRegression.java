package io.trimtab.models;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;

/**
 * Finds what scans cost beyond single-row reads: the four constants of Cruz 2016, §5.3.2, equations
 * 5.1 to 5.4, by least squares. A cost can't be below nothing: where the data say so, that constant
 * is 0 and the others are found anew.
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
  public record Sample(
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
  public static UsageModel.ScanCosts fit(List<Sample> samples) {
    if (samples.size() <= COSTS) {
      throw new IllegalArgumentException(
          samples.size() + " scan measurements are too few for four constants");
    }
    List<Integer> kept = new ArrayList<>(List.of(0, 1, 2, 3));
    kept.removeIf(c -> samples.stream().allMatch(s -> s.costs()[c] == 0));
    double[] costs = solve(samples, kept);
    while (true) {
      int worst = -1;
      for (int c : kept) {
        worst = costs[c] < 0 && (worst < 0 || costs[c] < costs[worst]) ? c : worst;
      }
      if (worst < 0) {
        return result(samples, costs);
      }
      kept.remove(Integer.valueOf(worst));
      costs = solve(samples, kept);
    }
  }

  private static double[] solve(List<Sample> samples, List<Integer> kept) {
    double[] costs = new double[COSTS];
    if (kept.isEmpty()) {
      return costs;
    }
    double[] scale = new double[COSTS];
    for (int c : kept) {
      // Columns a million times as large as others would cost the factorisation its precision.
      scale[c] = samples.stream().mapToDouble(s -> s.costs()[c]).max().orElse(1);
    }
    double[][] x = new double[samples.size()][kept.size()];
    double[] y = new double[samples.size()];
    for (int i = 0; i < y.length; i++) {
      double[] all = samples.get(i).costs();
      for (int k = 0; k < kept.size(); k++) {
        x[i][k] = all[kept.get(k)] / scale[kept.get(k)];
      }
      y[i] = samples.get(i).extra();
    }
    var regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(y, x);
    double[] found = regression.estimateRegressionParameters();
    for (int k = 0; k < kept.size(); k++) {
      costs[kept.get(k)] = found[k] / scale[kept.get(k)];
    }
    return costs;
  }

  private static UsageModel.ScanCosts result(List<Sample> samples, double[] costs) {
    double squares = 0;
    for (Sample sample : samples) {
      double[] all = sample.costs();
      double miss = sample.extra();
      for (int c = 0; c < COSTS; c++) {
        miss -= costs[c] * all[c];
      }
      squares += miss * miss;
    }
    return new UsageModel.ScanCosts(
        costs[0], costs[1], costs[2], costs[3], Math.sqrt(squares / samples.size()));
  }
}
