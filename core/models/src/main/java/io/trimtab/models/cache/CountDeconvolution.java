package io.trimtab.models.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

  /** Beyond five standard deviations of chance, on the same scale, a rate gives no such count. */
  private static final double REACH = 2.5;

  private static final int ITERATIONS = 300;
  private static final double DONE = 1e-4;

  private CountDeconvolution() {}

  /**
   * Blocks with the same count, or nearly.
   *
   * @param from the grid's first rate that may give it
   * @param likelihood of the count at each rate from there on, relative to the likeliest
   */
  private record Row(double blocks, int from, double[] likelihood) {}

  /**
   * How many of the blocks have each of the grid's rates.
   *
   * @param counts each below {@link #LARGE}, the largest first
   * @param blocks that have the count
   */
  static double[] masses(double[] counts, double[] blocks) {
    double most = Arrays.stream(counts).max().orElse(0);
    int points = (int) Math.ceil((Math.sqrt(most) + 1) / STEP) + 1;
    double all = Arrays.stream(blocks).sum();
    List<Row> rows = rows(counts, blocks, points);
    double[] mass = new double[points];
    Arrays.fill(mass, all / points);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      double[] next = new double[points];
      for (Row row : rows) {
        share(row, mass, next);
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

  /** Adds a row's blocks to the rates that may have given their count, as likely as each is. */
  private static void share(Row row, double[] mass, double[] next) {
    double[] likelihood = row.likelihood();
    double sum = 0;
    for (int j = 0; j < likelihood.length; j++) {
      sum += mass[row.from() + j] * likelihood[j];
    }
    double share = sum > 0 ? row.blocks() / sum : 0;
    for (int j = 0; j < likelihood.length; j++) {
      next[row.from() + j] += mass[row.from() + j] * likelihood[j] * share;
    }
  }

  /** Counts that chance makes no difference between are taken together. */
  private static List<Row> rows(double[] counts, double[] blocks, int points) {
    List<Row> rows = new ArrayList<>();
    int i = 0;
    while (i < counts.length) {
      double cell = cell(counts[i]);
      double sum = 0;
      double weighted = 0;
      while (i < counts.length && cell(counts[i]) == cell) {
        sum += blocks[i];
        weighted += blocks[i] * counts[i];
        i++;
      }
      if (sum > 0) {
        rows.add(row(weighted / sum, sum, points));
      }
    }
    return rows;
  }

  private static double cell(double count) {
    return Math.floor(Math.sqrt(count) / (STEP / 2));
  }

  static double rate(int point) {
    return Math.pow(STEP * point, 2);
  }

  private static Row row(double count, double blocks, int points) {
    int from = (int) Math.max(0, Math.floor((Math.sqrt(count) - REACH) / STEP));
    int to = (int) Math.min(points, Math.ceil((Math.sqrt(count) + REACH) / STEP) + 1);
    double[] log = new double[to - from];
    double most = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < log.length; j++) {
      double rate = rate(from + j);
      log[j] = rate > 0 ? count * Math.log(rate) - rate : count > 0 ? Double.NEGATIVE_INFINITY : 0;
      most = Math.max(most, log[j]);
    }
    for (int j = 0; j < log.length; j++) {
      log[j] = Math.exp(log[j] - most);
    }
    return new Row(blocks, from, log);
  }
}
