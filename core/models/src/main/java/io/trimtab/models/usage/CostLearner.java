package io.trimtab.models.usage;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sums over samples from which costs are found, so that their number does not matter; older ones
 * count less and less. Immutable.
 */
public final class CostLearner {
  /** After this time a sample counts for a third. */
  private static final Duration MEMORY = Duration.ofHours(6);

  /** After this time the most that was seen of an amount is a third: a week's peak is known of. */
  private static final Duration SEEN = Duration.ofDays(7);

  public static final CostLearner NOTHING =
      new CostLearner(
          new double[CostSample.COSTS][CostSample.COSTS],
          new double[CostSample.COSTS],
          new double[CostSample.COSTS],
          new double[CostSample.COSTS],
          0,
          0,
          0);

  private final double[][] products;
  private final double[] cpu;
  private final double[] disk;

  /** The most of each amount. */
  private final double[] highest;

  private final double cpuSquares;
  private final double waitSquares;
  private final double weight;

  private CostLearner(
      double[][] products,
      double[] cpu,
      double[] disk,
      double[] highest,
      double cpuSquares,
      double waitSquares,
      double weight) {
    this.products = products;
    this.cpu = cpu;
    this.disk = disk;
    this.highest = highest;
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
        most(highest, x),
        cpuSquares + sample.cpu() * sample.cpu(),
        waitSquares + sample.disk() * sample.disk(),
        weight + 1);
  }

  /** With all samples of another, as if one had seen those of both. */
  public CostLearner plus(CostLearner other) {
    double[][] p = new double[products.length][];
    Arrays.setAll(p, i -> sum(products[i], other.products[i]));
    return new CostLearner(
        p,
        sum(cpu, other.cpu),
        sum(disk, other.disk),
        most(highest, other.highest),
        cpuSquares + other.cpuSquares,
        waitSquares + other.waitSquares,
        weight + other.weight);
  }

  private static double[] sum(double[] one, double[] other) {
    double[] sum = one.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other[i];
    }
    return sum;
  }

  private static double[] most(double[] one, double[] other) {
    double[] most = one.clone();
    Arrays.setAll(most, i -> Math.max(one[i], other[i]));
    return most;
  }

  /** After some time has passed. */
  public CostLearner after(Duration time) {
    double left = left(time, MEMORY);
    double[][] p = new double[products.length][];
    Arrays.setAll(p, i -> times(products[i], left));
    return new CostLearner(
        p,
        times(cpu, left),
        times(disk, left),
        times(highest, left(time, SEEN)),
        cpuSquares * left,
        waitSquares * left,
        weight * left);
  }

  private static double left(Duration time, Duration memory) {
    return Math.exp(-(double) time.toMillis() / memory.toMillis());
  }

  private static double[] times(double[] values, double factor) {
    return Arrays.stream(values).map(v -> v * factor).toArray();
  }

  /**
   * What is kept of it on disk: sums over samples, of the amounts of what was served and of what
   * that used.
   *
   * @param products of each amount with each
   * @param cpu of each amount with the share of the CPU
   * @param disk of each amount with the share of the time in which the disk was waited for
   * @param cpuSquares of the shares of the CPU
   * @param diskSquares of the shares of the time in which the disk was waited for
   * @param weight samples that they stand for
   * @param highest the most of each amount; nothing in files of before it was kept
   */
  public record Kept(
      List<List<Double>> products,
      List<Double> cpu,
      List<Double> disk,
      double cpuSquares,
      double diskSquares,
      double weight,
      List<Double> highest) {
    public Kept {
      highest = highest == null ? list(new double[CostSample.COSTS]) : List.copyOf(highest);
      products = products.stream().map(List::copyOf).toList();
      cpu = List.copyOf(cpu);
      disk = List.copyOf(disk);
      boolean square =
          products.size() == CostSample.COSTS
              && products.stream().allMatch(row -> row.size() == CostSample.COSTS)
              && cpu.size() == CostSample.COSTS
              && disk.size() == CostSample.COSTS
              && highest.size() == CostSample.COSTS;
      double sum =
          Stream.concat(products.stream(), Stream.of(cpu, disk, highest))
              .flatMap(List::stream)
              .mapToDouble(v -> v)
              .sum();
      if (!square || !Double.isFinite(sum + cpuSquares + diskSquares) || !(weight >= 0)) {
        throw new IllegalArgumentException(
            "costs are learned from " + CostSample.COSTS + " amounts, each finite");
      }
    }
  }

  /** The same, as it is kept. */
  public Kept kept() {
    return new Kept(
        Arrays.stream(products).map(CostLearner::list).toList(),
        list(cpu),
        list(disk),
        cpuSquares,
        waitSquares,
        weight,
        list(highest));
  }

  private static List<Double> list(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  /** One that was kept, which goes on. */
  public static CostLearner of(Kept kept) {
    return new CostLearner(
        kept.products().stream().map(CostLearner::array).toArray(double[][]::new),
        array(kept.cpu()),
        array(kept.disk()),
        array(kept.highest()),
        kept.cpuSquares(),
        kept.diskSquares(),
        kept.weight());
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(v -> v).toArray();
  }

  /** How many samples it stands for. */
  public double weight() {
    return weight;
  }

  /** The costs that agree with the samples best, none of them below nothing. */
  public LearnedCosts costs() {
    return new LearnedCosts(products, cpu, disk, highest, cpuSquares, waitSquares, weight);
  }
}
