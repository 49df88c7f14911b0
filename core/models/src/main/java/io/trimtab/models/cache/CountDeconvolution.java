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

  /** Of two steps of expectation maximisation each. */
  private static final int STEPS_MAX = 50;

  private static final double LEAST = 0.01;
  private static final double DONE = 1e-4;

  /** By whole count; blocks are mostly counted in whole requests. */
  private static final Shape[] SHAPES = new Shape[(int) LARGE + 1];

  static {
    Arrays.setAll(SHAPES, CountDeconvolution::shape);
  }

  private CountDeconvolution() {}

  /**
   * Which rates may give a count.
   *
   * @param from the grid's first of them
   * @param likelihood of the count at each rate from there on, relative to the likeliest
   */
  private record Shape(int from, double[] likelihood) {}

  /**
   * Blocks with the same count, or nearly.
   *
   * @param rates that may give it, of which the grid has the first so many
   */
  private record Row(double blocks, Shape rates, int most) {}

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
    for (int steps = 0; steps < STEPS_MAX; steps++) {
      double[] once = maximised(rows, mass);
      if (distance(once, mass) < DONE * all) {
        return once;
      }
      double[] twice = maximised(rows, once);
      mass = further(mass, once, twice);
    }
    return maximised(rows, mass);
  }

  /** One step of expectation maximisation. */
  private static double[] maximised(List<Row> rows, double[] mass) {
    double[] next = new double[mass.length];
    for (Row row : rows) {
      share(row, mass, next);
    }
    return next;
  }

  private static double distance(double[] one, double[] other) {
    double sum = 0;
    for (int j = 0; j < one.length; j++) {
      sum += Math.abs(one[j] - other[j]);
    }
    return sum;
  }

  /**
   * Where two steps lead to if they are gone on with: the squared extrapolation of Varadhan and
   * Roland (2008, scheme 3), which takes a tenth of the steps.
   */
  private static double[] further(double[] mass, double[] once, double[] twice) {
    double first = 0;
    double change = 0;
    for (int j = 0; j < mass.length; j++) {
      double r = once[j] - mass[j];
      double v = twice[j] - once[j] - r;
      first += r * r;
      change += v * v;
    }
    double length = change > 0 ? Math.max(1, Math.sqrt(first / change)) : 1;
    double[] next = new double[mass.length];
    for (int j = 0; j < mass.length; j++) {
      double r = once[j] - mass[j];
      double v = twice[j] - once[j] - r;
      double far = mass[j] + 2 * length * r + length * length * v;
      // Nothing is taken away for good: a rate without any mass would never get some again.
      next[j] = Math.max(far, LEAST * twice[j]);
    }
    return next;
  }

  /** Adds a row's blocks to the rates that may have given their count, as likely as each is. */
  private static void share(Row row, double[] mass, double[] next) {
    double[] likelihood = row.rates().likelihood();
    int from = row.rates().from();
    int most = row.most();
    double sum = 0;
    for (int j = 0; j < most; j++) {
      sum += mass[from + j] * likelihood[j];
    }
    double share = sum > 0 ? row.blocks() / sum : 0;
    for (int j = 0; j < most; j++) {
      next[from + j] += mass[from + j] * likelihood[j] * share;
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
    Shape rates = count == Math.rint(count) ? SHAPES[(int) count] : shape(count);
    return new Row(blocks, rates, Math.min(rates.likelihood().length, points - rates.from()));
  }

  private static Shape shape(double count) {
    int from = (int) Math.max(0, Math.floor((Math.sqrt(count) - REACH) / STEP));
    int to = (int) Math.ceil((Math.sqrt(count) + REACH) / STEP) + 1;
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
    return new Shape(from, log);
  }
}
