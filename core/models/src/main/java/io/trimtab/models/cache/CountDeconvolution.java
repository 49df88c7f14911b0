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
 *
 * <p>A decision does this for every partition of a cluster. So counts are brought to a fixed set,
 * for which likelihoods are known beforehand.
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

  /** Of blocks that are some of many which were brought to an end together. */
  private static final int STEPS_OF_SOME = 1;

  private static final double LEAST = 0.01;
  private static final double DONE = 1e-4;

  /** Whole numbers that stand for all counts, the smallest first. */
  private static final int[] COUNTS = counts();

  /** By whole count, the place in {@link #COUNTS} of the largest that is not above it. */
  private static final int[] PLACES = places();

  /** By place, how likely each rate of the grid gives the count. */
  private static final Shape[] SHAPES =
      Arrays.stream(COUNTS).mapToObj(CountDeconvolution::shape).toArray(Shape[]::new);

  /**
   * Which rates may give a count.
   *
   * @param from the grid's first of them
   * @param likelihood of the count at each rate from there on, relative to the likeliest
   */
  private record Shape(int from, double[] likelihood) {}

  /** Rates of the grid that the largest count needs. */
  private final int points;

  /** Counts that blocks have, with how many have them; the first so many are in use. */
  private final Shape[] shapes = new Shape[COUNTS.length];

  private final double[] blocks = new double[COUNTS.length];
  private int rows;

  /** All blocks. */
  private final double all;

  /**
   * @param byPlace how many blocks have each count, as of {@link #add}
   */
  private CountDeconvolution(double[] byPlace) {
    int most = 0;
    for (int place = 0; place < byPlace.length; place++) {
      if (byPlace[place] > 0) {
        most = COUNTS[place];
        shapes[rows] = SHAPES[place];
        blocks[rows++] = byPlace[place];
      }
    }
    points = (int) Math.ceil((Math.sqrt(most) + 1) / STEP) + 1;
    all = Arrays.stream(byPlace).sum();
  }

  /** None of any count yet. */
  static double[] noBlocks() {
    return new double[COUNTS.length];
  }

  /**
   * Adds blocks to those that have the same count.
   *
   * @param count below {@link #LARGE}
   */
  static void add(double count, double blocks, double[] byPlace) {
    int below = PLACES[(int) count];
    // Between two of them to both, so that there are as many requests as before.
    double above = (count - COUNTS[below]) / (COUNTS[below + 1] - COUNTS[below]);
    byPlace[below] += (1 - above) * blocks;
    byPlace[below + 1] += above * blocks;
  }

  /**
   * How many of the blocks have each of the grid's rates.
   *
   * @param byPlace as of {@link #add}
   */
  static double[] masses(double[] byPlace) {
    CountDeconvolution own = new CountDeconvolution(byPlace);
    double[] mass = new double[own.points];
    Arrays.fill(mass, own.all / mass.length);
    return own.masses(mass, STEPS_MAX);
  }

  /**
   * The same, of blocks that are some of many.
   *
   * @param common how many of all have each rate
   */
  static double[] masses(double[] byPlace, double[] common) {
    CountDeconvolution own = new CountDeconvolution(byPlace);
    double[] mass = Arrays.copyOf(common, own.points);
    double share = own.all / Arrays.stream(mass).sum();
    Arrays.setAll(mass, j -> share * mass[j]);
    return own.masses(mass, STEPS_OF_SOME);
  }

  private double[] masses(double[] mass, int stepsMax) {
    double[] once = new double[points];
    double[] twice = new double[points];
    for (int steps = 0; steps < stepsMax; steps++) {
      maximise(mass, once);
      if (distance(once, mass) < DONE * all) {
        return once;
      }
      maximise(once, twice);
      goFurther(mass, once, twice);
    }
    maximise(mass, once);
    return once;
  }

  /** One step of expectation maximisation: blocks go to the rates that may have given a count. */
  private void maximise(double[] mass, double[] next) {
    Arrays.fill(next, 0);
    for (int row = 0; row < rows; row++) {
      double[] likelihood = shapes[row].likelihood();
      int from = shapes[row].from();
      int most = Math.min(likelihood.length, points - from);
      double sum = weighted(mass, from, likelihood, most);
      double share = sum > 0 ? blocks[row] / sum : 0;
      for (int j = 0; j < most; j++) {
        next[from + j] += likelihood[j] * share;
      }
    }
    for (int j = 0; j < next.length; j++) {
      next[j] *= mass[j];
    }
  }

  /** Four sums beside each other, since each addition waits for the one before. */
  private static double weighted(double[] mass, int from, double[] likelihood, int most) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int j = 0;
    for (; j + 3 < most; j += 4) {
      a += mass[from + j] * likelihood[j];
      b += mass[from + j + 1] * likelihood[j + 1];
      c += mass[from + j + 2] * likelihood[j + 2];
      d += mass[from + j + 3] * likelihood[j + 3];
    }
    for (; j < most; j++) {
      a += mass[from + j] * likelihood[j];
    }
    return a + b + (c + d);
  }

  private static double distance(double[] one, double[] other) {
    double sum = 0;
    for (int j = 0; j < one.length; j++) {
      sum += Math.abs(one[j] - other[j]);
    }
    return sum;
  }

  /**
   * To where two steps lead if they are gone on with: the squared extrapolation of Varadhan and
   * Roland (2008, scheme 3), which takes a tenth of the steps.
   */
  private static void goFurther(double[] mass, double[] once, double[] twice) {
    double first = 0;
    double change = 0;
    for (int j = 0; j < mass.length; j++) {
      double r = once[j] - mass[j];
      double v = twice[j] - once[j] - r;
      first += r * r;
      change += v * v;
    }
    double length = change > 0 ? Math.max(1, Math.sqrt(first / change)) : 1;
    for (int j = 0; j < mass.length; j++) {
      double r = once[j] - mass[j];
      double v = twice[j] - once[j] - r;
      double far = mass[j] + 2 * length * r + length * length * v;
      // Nothing is taken away for good: a rate without any mass would never get some again.
      mass[j] = Math.max(far, LEAST * twice[j]);
    }
  }

  /** What blocks with these rates are asked for together. */
  static double requests(double[] masses) {
    double requests = 0;
    for (int j = 0; j < masses.length; j++) {
      requests += masses[j] * rate(j);
    }
    return requests;
  }

  static double rate(int point) {
    return (STEP * point) * (STEP * point);
  }

  /** All small ones, and then as near to each other as the rates of the grid. */
  private static int[] counts() {
    int[] found = new int[(int) LARGE + 1];
    int size = 1;
    while (found[size - 1] < LARGE) {
      double next = Math.pow(Math.sqrt(found[size - 1]) + STEP, 2);
      found[size] = (int) Math.min(LARGE, Math.max(found[size - 1] + 1, Math.floor(next)));
      size++;
    }
    return Arrays.copyOf(found, size);
  }

  private static int[] places() {
    int[] places = new int[(int) LARGE];
    for (int count = 0, place = 0; count < places.length; count++) {
      place += COUNTS[place + 1] == count ? 1 : 0;
      places[count] = place;
    }
    return places;
  }

  private static Shape shape(int count) {
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
