package io.trimtab.models.usage;

import io.trimtab.models.usage.UsageModel.Load;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * What requests cost, found from what a cluster's own nodes use while they serve: usage = idle +
 * reads · c₁ + scan calls · c₂ + rows · c₃ + misses · c₄ + updates · c₅, for the CPU and for the
 * disk apart. Costs that samples say nothing of stay near what they usually are, and widen the
 * interval.
 */
public final class LearnedCosts implements UsageEstimate {
  /**
   * Of an ordinary node: idle, a read, a scan call, a row, a miss, an update; in seconds but idle.
   */
  private static final double[] USUAL_CPU = {0.01, 100e-6, 200e-6, 5e-6, 60e-6, 100e-6};

  private static final double[] USUAL_WAIT = {0.001, 1e-6, 1e-6, 1e-7, 1e-3, 20e-6};

  /** Standard deviation of what is usual, relative to it. */
  private static final double UNUSUAL = 2;

  /** Beyond the most that was seen: standard deviation, as a share of what that costs. */
  private static final double UNSEEN = 0.25;

  /** Times what is usual, at most: what uses more does so for other reasons. */
  private static final double SLOWEST = 30;

  /** Of a sample's usage, until the samples themselves say. */
  private static final double NOISE = 0.02;

  /** What is multiplied by the costs, as it is called. */
  private static final List<String> AMOUNTS =
      List.of("idling", "reads", "calls of scans", "rows of scans", "misses", "updates");

  /** What lies so far beyond the least or the most that was seen was not seen. */
  private static final double BEYOND = 0.1;

  private final double[] cpu;
  private final double[] disk;

  /** Least of each amount, but for few samples; and the most, from whichever node. */
  private final double[] least;

  private final double[] most;
  private final RealMatrix cpuUncertain;
  private final RealMatrix waitUncertain;
  private final double weight;

  LearnedCosts(
      double[][] products,
      double[] cpuSums,
      double[] waitSums,
      double[] highest,
      double cpuSquares,
      double waitSquares,
      double weight) {
    Fit forCpu = Fit.of(products, cpuSums, cpuSquares, weight, usual(products[0], cpuSums[0]));
    Fit forWait = Fit.of(products, waitSums, waitSquares, weight, USUAL_WAIT);
    this.cpu = forCpu.costs();
    this.disk = forWait.costs();
    this.cpuUncertain = forCpu.uncertain();
    this.waitUncertain = forWait.uncertain();
    this.weight = weight;
    least = new double[products.length];
    most = new double[products.length];
    for (int i = 0; i < products.length && weight > 0; i++) {
      double mean = products[0][i] / weight;
      double spread = 2 * Math.sqrt(Math.max(0, products[i][i] / weight - mean * mean));
      least[i] = Math.max(0, mean - spread);
      // The hottest of many nodes is beyond their spread, but was seen.
      most[i] = Math.max(highest[i], mean + spread);
    }
  }

  /**
   * The CPU that requests usually take, times how much more the node used, as a whole: of a share
   * of a core each request takes many times as much. With what is usual of whole cores, requests
   * that are dear only relative to others could not be believed to be as dear as they are. A node
   * that mostly idles says little of them, and what it idles with stays as usual; on a faster one
   * samples are soon surer than the guess.
   *
   * @param amounts sums over the samples
   * @param used sum of the shares of the CPU
   */
  private static double[] usual(double[] amounts, double used) {
    double would = 0;
    for (int i = 0; i < amounts.length; i++) {
      would += amounts[i] * USUAL_CPU[i];
    }
    double times = would > 0 ? Math.min(Math.max(1, used / would), SLOWEST) : 1;
    double[] usual = USUAL_CPU.clone();
    for (int i = 1; i < usual.length; i++) {
      usual[i] *= times;
    }
    return usual;
  }

  /**
   * Costs, and how uncertain they are.
   *
   * @param uncertain covariance of the costs
   */
  private record Fit(double[] costs, RealMatrix uncertain) {
    static Fit of(
        double[][] products, double[] sums, double squares, double weight, double[] usual) {
      double noise = NOISE * NOISE;
      Fit fit = of(products, sums, usual, noise);
      for (int i = 0; i < 2; i++) {
        noise = Math.max(1e-6, residual(products, sums, squares, weight, fit.costs()));
        fit = of(products, sums, usual, noise);
      }
      return fit;
    }

    /** Mean square of what the costs leave unexplained. */
    private static double residual(
        double[][] products, double[] sums, double squares, double weight, double[] costs) {
      RealVector c = new ArrayRealVector(costs);
      double left =
          squares
              - 2 * c.dotProduct(new ArrayRealVector(sums))
              + c.dotProduct(new Array2DRowRealMatrix(products).operate(c));
      // Before there are more samples than costs, what is usual is as good as its own noise.
      double free = weight - costs.length;
      return free > 1 ? Math.max(0, left) / free : NOISE * NOISE;
    }

    private static Fit of(double[][] products, double[] sums, double[] usual, double noise) {
      int n = usual.length;
      RealMatrix precision = new Array2DRowRealMatrix(n, n);
      RealVector right = new ArrayRealVector(n);
      // In units of what is usual, so that all are of the same size.
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          precision.setEntry(i, j, products[i][j] * usual[i] * usual[j] / noise);
        }
        precision.addToEntry(i, i, 1 / (UNUSUAL * UNUSUAL));
        right.setEntry(i, sums[i] * usual[i] / noise + 1 / (UNUSUAL * UNUSUAL));
      }
      CholeskyDecomposition cholesky = new CholeskyDecomposition(precision, 1e-8, 1e-14);
      RealMatrix rows = cholesky.getLT();
      RealVector target = rows.operate(cholesky.getSolver().solve(right));
      double[] costs = NonNegativeLeastSquares.solve(rows.getData(), target.toArray());
      RealMatrix uncertain = cholesky.getSolver().getInverse();
      for (int i = 0; i < n; i++) {
        costs[i] *= usual[i];
        for (int j = 0; j < n; j++) {
          uncertain.setEntry(i, j, uncertain.getEntry(i, j) * usual[i] * usual[j]);
        }
      }
      return new Fit(costs, uncertain);
    }
  }

  /** How many samples it stands on. */
  public double weight() {
    return weight;
  }

  @Override
  public double idle() {
    return cpu[0] + disk[0];
  }

  @Override
  public double usage(Load load) {
    double[] amounts = CostSample.amounts(load);
    double sum = 0;
    for (int i = 0; i < amounts.length; i++) {
      sum += amounts[i] * (cpu[i] + disk[i]);
    }
    return sum;
  }

  @Override
  public Optional<Parts> parts(Load load) {
    double[] amounts = CostSample.amounts(load);
    double busy = 0;
    double waits = 0;
    for (int i = 0; i < amounts.length; i++) {
      busy += amounts[i] * cpu[i];
      waits += amounts[i] * disk[i];
    }
    return Optional.of(new Parts(busy, waits));
  }

  @Override
  public double deviation(Load load) {
    double[] amounts = CostSample.amounts(load);
    RealVector x = new ArrayRealVector(amounts);
    double variance =
        x.dotProduct(cpuUncertain.operate(x)) + x.dotProduct(waitUncertain.operate(x));
    double unseen = 0;
    for (int i = 1; i < amounts.length; i++) {
      unseen += unseen(amounts, i);
    }
    // What is far from all samples is wrong for all requests alike, so that it adds up.
    return Math.sqrt(Math.max(0, variance) + unseen * unseen);
  }

  /** Usage by what lies beyond the most that was seen of one amount, as far as it may be wrong. */
  private double unseen(double[] amounts, int of) {
    return UNSEEN * Math.max(0, amounts[of] - most[of]) * (cpu[of] + disk[of]);
  }

  /** Names what is uncertain most: what was seen of it, or that it never came without the rest. */
  @Override
  public String uncertainty(Load load) {
    double[] x = CostSample.amounts(load);
    RealVector uncertain = cpuUncertain.add(waitUncertain).operate(new ArrayRealVector(x));
    int worst = 1;
    double largest = 0;
    for (int i = 1; i < x.length; i++) {
      double variance = x[i] * uncertain.getEntry(i) + Math.pow(unseen(x, i), 2);
      if (variance > largest) {
        largest = variance;
        worst = i;
      }
    }
    String what = AMOUNTS.get(worst);
    double asked = x[worst];
    boolean seen =
        asked >= (1 - BEYOND) * least[worst] && asked <= (1 + BEYOND) * most[worst] && weight > 0;
    String why =
        seen
            ? what
                + " rose and fell only with the rest of the load lately; it takes some minutes"
                + " in which they do not"
            : String.format(
                Locale.ROOT,
                "%s between %s and %s/s lately, %s/s now; it takes some minutes of about so many",
                what,
                rate(least[worst]),
                rate(most[worst]),
                rate(asked));
    return UsageEstimate.super.uncertainty(load) + ", too little variation: " + why;
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
  }

  @Override
  public double missSeconds() {
    return cpu[4] + disk[4];
  }

  /** Cost of one more of each, in seconds of the node: read, scan call, row, miss, update. */
  public double[] costs() {
    double[] costs = new double[cpu.length - 1];
    for (int i = 0; i < costs.length; i++) {
      costs[i] = cpu[i + 1] + disk[i + 1];
    }
    return costs;
  }
}
