package io.trimtab.models.usage;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * Costs that explain measurements best and of which none is below nothing: where the data say so of
 * one, it is 0 and the others are found anew. With fewer measurements than costs the smallest of
 * the costs that fit.
 */
final class NonNegativeLeastSquares {
  private NonNegativeLeastSquares() {}

  /**
   * @param x for each measurement how much of each cost it had
   * @param y what each came to
   * @return a cost for each column of x; 0 where no measurement had any of it
   */
  static double[] solve(double[][] x, double[] y) {
    int columns = x[0].length;
    List<Integer> kept = new ArrayList<>();
    double[] scale = new double[columns];
    for (int c = 0; c < columns; c++) {
      for (double[] row : x) {
        scale[c] = Math.max(scale[c], Math.abs(row[c]));
      }
      if (scale[c] > 0) {
        kept.add(c);
      }
    }
    while (true) {
      double[] costs = unbounded(x, y, kept, scale);
      int worst = -1;
      for (int c : kept) {
        // Compared as shares of a measurement, since the columns' units differ.
        if (costs[c] < 0 && (worst < 0 || costs[c] * scale[c] < costs[worst] * scale[worst])) {
          worst = c;
        }
      }
      if (worst < 0) {
        return costs;
      }
      kept.remove(Integer.valueOf(worst));
    }
  }

  private static double[] unbounded(double[][] x, double[] y, List<Integer> kept, double[] scale) {
    double[] costs = new double[scale.length];
    if (kept.isEmpty()) {
      return costs;
    }
    // Columns a million times as large as others would cost the factorisation its precision.
    double[][] scaled = new double[y.length][kept.size()];
    for (int i = 0; i < y.length; i++) {
      for (int k = 0; k < kept.size(); k++) {
        scaled[i][k] = x[i][kept.get(k)] / scale[kept.get(k)];
      }
    }
    double[] found =
        new SingularValueDecomposition(new Array2DRowRealMatrix(scaled, false))
            .getSolver()
            .solve(new ArrayRealVector(y, false))
            .toArray();
    for (int k = 0; k < kept.size(); k++) {
      costs[kept.get(k)] = found[k] / scale[kept.get(k)];
    }
    return costs;
  }

  /** Sum of the squares of what the costs leave unexplained. */
  static double squares(double[][] x, double[] y, double[] costs) {
    double squares = 0;
    for (int i = 0; i < y.length; i++) {
      double miss = y[i];
      for (int c = 0; c < costs.length; c++) {
        miss -= costs[c] * x[i][c];
      }
      squares += miss * miss;
    }
    return squares;
  }
}
