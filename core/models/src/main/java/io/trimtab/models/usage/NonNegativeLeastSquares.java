package io.trimtab.models.usage;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * Costs that explain measurements best and of which none is below nothing. With fewer measurements
 * than costs the smallest of the costs that fit, if none of them is below nothing. First each cost
 * that is below nothing becomes 0 and the others are found anew; one that became so only because of
 * another comes back (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23).
 */
final class NonNegativeLeastSquares {
  /** Of the gradient, as a share of the largest that there could be: what rounding leaves. */
  private static final double ROUNDING = 1e-10;

  private final double[][] x;
  private final double[] y;
  private final double[] scale;

  /** Columns whose cost may be more than nothing. */
  private final List<Integer> kept = new ArrayList<>();

  private NonNegativeLeastSquares(double[][] x, double[] y) {
    this.x = x;
    this.y = y;
    this.scale = new double[x[0].length];
    for (int c = 0; c < scale.length; c++) {
      for (double[] row : x) {
        scale[c] = Math.max(scale[c], Math.abs(row[c]));
      }
      if (scale[c] > 0) {
        kept.add(c);
      }
    }
  }

  /**
   * @param x for each measurement how much of each cost it had
   * @param y what each came to
   * @return a cost for each column of x; 0 where no measurement had any of it
   */
  static double[] solve(double[][] x, double[] y) {
    NonNegativeLeastSquares problem = new NonNegativeLeastSquares(x, y);
    double[] costs = problem.reduced();
    // Each round explains more than the one before; the bound is for what rounding does.
    for (int round = 0; round < 3 * costs.length; round++) {
      int missed = problem.missed(costs);
      if (missed < 0) {
        break;
      }
      problem.kept.add(missed);
      costs = problem.towardsBest(costs);
    }
    return costs;
  }

  /** Without the column whose cost is most below nothing, until none is. */
  private double[] reduced() {
    while (true) {
      double[] costs = unbounded();
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

  /** The column left out of which a little explains most; -1 if none explains any more. */
  private int missed(double[] costs) {
    double[] left = left(x, y, costs);
    double sum = 0;
    for (double each : y) {
      sum += Math.abs(each);
    }
    int most = -1;
    double mostGain = ROUNDING * sum;
    for (int c = 0; c < scale.length; c++) {
      if (scale[c] == 0 || kept.contains(c)) {
        continue;
      }
      double gain = 0;
      for (int i = 0; i < left.length; i++) {
        gain += left[i] * x[i][c] / scale[c];
      }
      if (gain > mostGain) {
        most = c;
        mostGain = gain;
      }
    }
    return most;
  }

  /** From costs that are not below nothing as far as such costs go, towards the best. */
  private double[] towardsBest(double[] from) {
    double[] costs = from;
    while (true) {
      double[] best = unbounded();
      int first = -1;
      double share = 1;
      for (int c : kept) {
        if (best[c] < 0 && (first < 0 || costs[c] / (costs[c] - best[c]) < share)) {
          share = costs[c] / (costs[c] - best[c]);
          first = c;
        }
      }
      if (first < 0) {
        return best;
      }
      double[] next = new double[scale.length];
      for (int c : kept) {
        next[c] = Math.max(0, costs[c] + share * (best[c] - costs[c]));
      }
      next[first] = 0;
      kept.remove(Integer.valueOf(first));
      costs = next;
    }
  }

  private double[] unbounded() {
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
    for (double miss : left(x, y, costs)) {
      squares += miss * miss;
    }
    return squares;
  }

  /** Of each measurement, what the costs leave unexplained. */
  private static double[] left(double[][] x, double[] y, double[] costs) {
    double[] left = y.clone();
    for (int i = 0; i < y.length; i++) {
      for (int c = 0; c < costs.length; c++) {
        left[i] -= costs[c] * x[i][c];
      }
    }
    return left;
  }
}
