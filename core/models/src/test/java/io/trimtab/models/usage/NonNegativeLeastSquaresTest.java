package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NonNegativeLeastSquaresTest {
  private static double gradient(double[][] x, double[] y, double[] costs, int column) {
    double gradient = 0;
    for (int i = 0; i < y.length; i++) {
      double left = y[i];
      for (int c = 0; c < costs.length; c++) {
        left -= costs[c] * x[i][c];
      }
      gradient += left * x[i][column];
    }
    return gradient;
  }

  /** Without reads first, and then without updates, nothing but idling would be left. */
  @Test
  void aCostThatWasBelowNothingOnlyBesideAnotherComesBack() {
    double[][] x = {{4, 3, 1}, {5, 1, 1}, {6, 0, 1}};
    double[] y = {1, 2, 2};
    double[] costs = NonNegativeLeastSquares.solve(x, y);
    assertThat(costs[0]).isCloseTo(26.0 / 77, within(1e-9));
    assertThat(costs[1]).isZero();
    assertThat(costs[2]).isZero();
    assertThat(NonNegativeLeastSquares.squares(x, y, costs)).isCloseTo(0.2208, within(1e-4));
  }

  /** The best of all: no cost that is 0 would explain more if it were not. */
  @Test
  void noOtherCostsExplainMore() {
    Random random = new Random(5);
    for (int problem = 0; problem < 1_000; problem++) {
      int rows = 1 + random.nextInt(12);
      int columns = 1 + random.nextInt(6);
      double[][] x = new double[rows][columns];
      double[] y = new double[rows];
      for (int i = 0; i < rows; i++) {
        for (int c = 0; c < columns; c++) {
          // Alike, as reads and misses are, and of different units.
          x[i][c] = (c + random.nextInt(4)) * Math.pow(1000, c % 3) * (1 + 0.1 * i);
        }
        y[i] = random.nextInt(50);
      }
      double[] costs = NonNegativeLeastSquares.solve(x, y);
      for (int c = 0; c < columns; c++) {
        double unit = Math.pow(1000, c % 3);
        double gradient = gradient(x, y, costs, c) / unit;
        assertThat(costs[c]).as("problem %d, cost %d", problem, c).isNotNegative();
        assertThat(gradient).as("problem %d, gradient %d", problem, c).isLessThan(1e-5);
        if (costs[c] > 0) {
          assertThat(gradient).as("problem %d, gradient %d", problem, c).isGreaterThan(-1e-5);
        }
      }
    }
  }

  @Test
  void nothingMeasuredCostsNothing() {
    assertThat(NonNegativeLeastSquares.solve(new double[][] {{0, 2}}, new double[] {4}))
        .containsExactly(0, 2);
    assertThat(NonNegativeLeastSquares.solve(new double[][] {{0}}, new double[] {4}))
        .containsExactly(0);
  }
}
