package io.trimtab.models.usage;

import java.time.Duration;
import java.util.Arrays;

/**
 * Sums over samples from which costs are found, so that their number does not matter; older ones
 * count less and less. Immutable.
 */
public final class CostLearner {
  /** After this time a sample counts for a third. */
  private static final Duration MEMORY = Duration.ofHours(6);

  public static final CostLearner NOTHING =
      new CostLearner(
          new double[CostSample.COSTS][CostSample.COSTS],
          new double[CostSample.COSTS],
          new double[CostSample.COSTS],
          0,
          0,
          0);

  private final double[][] products;
  private final double[] cpu;
  private final double[] disk;
  private final double cpuSquares;
  private final double waitSquares;
  private final double weight;

  private CostLearner(
      double[][] products,
      double[] cpu,
      double[] disk,
      double cpuSquares,
      double waitSquares,
      double weight) {
    this.products = products;
    this.cpu = cpu;
    this.disk = disk;
    this.cpuSquares = cpuSquares;
    this.waitSquares = waitSquares;
    this.weight = weight;
  }

  /** With one more sample. */
  public CostLearner with(CostSample sample) {
    double[] x = sample.amounts();
    double[][] p = new double[x.length][];
    double[] c = cpu.clone();
    double[] w = disk.clone();
    for (int i = 0; i < x.length; i++) {
      p[i] = products[i].clone();
      for (int j = 0; j < x.length; j++) {
        p[i][j] += x[i] * x[j];
      }
      c[i] += x[i] * sample.cpu();
      w[i] += x[i] * sample.disk();
    }
    return new CostLearner(
        p,
        c,
        w,
        cpuSquares + sample.cpu() * sample.cpu(),
        waitSquares + sample.disk() * sample.disk(),
        weight + 1);
  }

  /** After some time has passed. */
  public CostLearner after(Duration time) {
    double left = Math.exp(-(double) time.toMillis() / MEMORY.toMillis());
    double[][] p = new double[products.length][];
    Arrays.setAll(p, i -> times(products[i], left));
    return new CostLearner(
        p,
        times(cpu, left),
        times(disk, left),
        cpuSquares * left,
        waitSquares * left,
        weight * left);
  }

  private static double[] times(double[] values, double factor) {
    return Arrays.stream(values).map(v -> v * factor).toArray();
  }

  /** How many samples it stands for. */
  public double weight() {
    return weight;
  }

  /** The costs that agree with the samples best, none of them below nothing. */
  public LearnedCosts costs() {
    return new LearnedCosts(products, cpu, disk, cpuSquares, waitSquares, weight);
  }
}
