package io.trimtab.experiments.report;

import java.util.Arrays;
import org.hipparchus.distribution.discrete.BinomialDistribution;

/**
 * The median of repeated measurements, and between which of them the true one lies: by their ranks,
 * which needs no assumption of how they are distributed, only that each is independent.
 *
 * @param low the interval's lower end, one of the measurements
 * @param high its upper end
 * @param coverage the probability that the interval holds the true median; less than 0.95 where
 *     there are fewer than six measurements: it is their whole range then
 */
public record MedianInterval(Spread spread, double low, double high, double coverage) {
  private static final double WANTED = 0.95;

  public static MedianInterval of(double... values) {
    Spread spread = Spread.of(values);
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    int rank = 1;
    while (2 * (rank + 1) <= n && coverage(n, rank + 1) >= WANTED) {
      rank++;
    }
    return new MedianInterval(spread, sorted[rank - 1], sorted[n - rank], coverage(n, rank));
  }

  /** That neither fewer than so many nor more than all but so many lie below the true median. */
  private static double coverage(int n, int rank) {
    return 1 - 2 * new BinomialDistribution(n, 0.5).cumulativeProbability(rank - 1);
  }

  public double median() {
    return spread.median();
  }
}
