package io.trimtab.workload.lengths;

/**
 * The shortest length is the most frequent. The formulas are those of YCSB's {@code
 * ZipfianGenerator} (Gray et al., Quickly Generating Billion-Record Synthetic Databases, SIGMOD
 * 1994): the two shortest have their exact shares, the others those of a continuous approximation.
 */
final class ZipfianLengths implements Lengths {
  /** YCSB's zipfian constant. */
  private static final double THETA = 0.99;

  private static final double ALPHA = 1 / (1 - THETA);

  /** The sum of the two most frequent items' weights. */
  private static final double ZETA_2 = 1 + Math.pow(0.5, THETA);

  private final int min;
  private final int max;
  private final int items;
  private final double zeta;
  private final double eta;

  /** Takes time that grows with {@code max - min}: a tenth of a second for a million. */
  ZipfianLengths(int min, int max) {
    this.min = min;
    this.max = max;
    this.items = max - min + 1;
    double sum = 0;
    for (int i = 1; i <= items; i++) {
      sum += 1 / Math.pow(i, THETA);
    }
    this.zeta = sum;
    this.eta = (1 - Math.pow(2.0 / items, 1 - THETA)) / (1 - ZETA_2 / zeta);
  }

  @Override
  public int of(double draw) {
    double weight = draw * zeta;
    if (weight < 1) {
      return min;
    }
    if (weight < ZETA_2) {
      return min + 1;
    }
    return Math.min(max, min + (int) (items * Math.pow(eta * draw - eta + 1, ALPHA)));
  }

  /** The sum of the shares of draws that lead to more than each length, see {@link #of}. */
  @Override
  public double mean() {
    double mean = min;
    for (int more = 1; more < items; more++) {
      mean += 1 - below(more);
    }
    return mean;
  }

  /** The draw from which on lengths are at least {@code min + more}. */
  private double below(int more) {
    return switch (more) {
      case 1 -> 1 / zeta;
      case 2 -> ZETA_2 / zeta;
      default -> 1 - (1 - Math.pow((double) more / items, 1 - THETA)) / eta;
    };
  }
}
