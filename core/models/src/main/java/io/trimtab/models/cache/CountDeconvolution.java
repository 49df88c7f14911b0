package io.trimtab.models.cache;

import java.util.Arrays;

/**
 * Takes the chance out of counts. Blocks that are requested equally often have different counts,
 * and a model of a cache that believes them sees popular blocks where there are none: read
 * uniformly, with twenty requests a block, a cache seems to hit six points more than it does.
 *
 * <p>The distribution of rates that most likely gave the counts, each of them drawn from Poisson's
 * distribution about its rate (Kiefer and Wolfowitz 1956), is found by expectation maximisation on
 * a fixed grid. Large counts are left as they are: of them chance is a small part.
 */
final class CountDeconvolution {
  /** From here on a count is within 5 % of its rate. */
  static final double LARGE = 400;

  /** The grid's step on the scale of square roots, on which chance is one half everywhere. */
  private static final double STEP = 0.2;

  private static final int ITERATIONS = 300;
  private static final double DONE = 1e-4;

  private CountDeconvolution() {}

  /**
   * How many of the blocks have each of the grid's rates.
   *
   * @param counts each below {@link #LARGE}
   * @param blocks that have the count
   */
  static double[] masses(double[] counts, double[] blocks) {
    double most = Arrays.stream(counts).max().orElse(0);
    int points = (int) Math.ceil((Math.sqrt(most) + 1) / STEP) + 1;
    double all = Arrays.stream(blocks).sum();
    double[][] likelihood = new double[counts.length][points];
    for (int i = 0; i < counts.length; i++) {
      likelihood[i] = likelihood(counts[i], points);
    }
    double[] mass = new double[points];
    Arrays.fill(mass, all / points);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      double[] next = new double[points];
      for (int i = 0; i < counts.length; i++) {
        double sum = 0;
        for (int j = 0; j < points; j++) {
          sum += mass[j] * likelihood[i][j];
        }
        double share = sum > 0 ? blocks[i] / sum : 0;
        for (int j = 0; j < points; j++) {
          next[j] += mass[j] * likelihood[i][j] * share;
        }
      }
      double moved = 0;
      for (int j = 0; j < points; j++) {
        moved += Math.abs(next[j] - mass[j]);
      }
      mass = next;
      if (moved < DONE * all) {
        break;
      }
    }
    return mass;
  }

  static double rate(int point) {
    return Math.pow(STEP * point, 2);
  }

  /** Of a count, at each rate, relative to the likeliest. */
  private static double[] likelihood(double count, int points) {
    double[] log = new double[points];
    double most = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < points; j++) {
      double rate = rate(j);
      log[j] = rate > 0 ? count * Math.log(rate) - rate : count > 0 ? Double.NEGATIVE_INFINITY : 0;
      most = Math.max(most, log[j]);
    }
    for (int j = 0; j < points; j++) {
      log[j] = Math.exp(log[j] - most);
    }
    return log;
  }
}
