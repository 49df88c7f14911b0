package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How far expected service times have come true: the slope of what was measured over what was
 * expected, each as a deviation from its average. 1 where servers stay as they are, near 0 where
 * they change faster than is heard of them. Small deviations are learned apart from large ones: of
 * an average of few reads, a little more or less is chance, ten times as much is a slow disk.
 * Thread-safe; nothing allocates.
 */
final class Foresight {
  /** Of the newest pair: some thousand reads back, for a single service time says little. */
  private static final double WEIGHT = 0.001;

  /** The same of large deviations, which are rare, and of which a hundred say more. */
  private static final double WEIGHT_LARGE = 0.01;

  /** Pairs that came true before there was any: as many reads, and doubt may be half. */
  private static final int PRIOR = 100;

  /** Least variance of what is expected, as a share of the average's square, at first. */
  private static final double VARIANCE = 0.1;

  /** As many times as much as was expected counts as more does: a pause is not all that counts. */
  private static final double MOST = 8;

  /** Less than twice as much or as little as the average, and by powers of two up to eight. */
  private static final int SIZES = 4;

  private final Slope[] slopes = new Slope[SIZES];

  /** Of deviations of one size. */
  private static final class Slope {
    private final double least;
    private final AtomicBoolean busy = new AtomicBoolean();
    private double variance;
    private double covariance;
    private long pairs;
    volatile double trust = 1;

    Slope(double least) {
      this.least = least;
    }

    /** Of two pairs that come at once one is left out. */
    void learn(double before, double after) {
      if (busy.compareAndSet(false, true)) {
        add(before, after);
        busy.set(false);
      }
    }

    private void add(double before, double after) {
      if (pairs == 0) {
        variance = Math.max(before * before, VARIANCE);
        covariance = variance;
      }
      pairs++;
      double weight = Math.max(least, 1.0 / (PRIOR + pairs));
      variance += weight * (before * before - variance);
      covariance += weight * (before * after - covariance);
      trust = variance > 0 ? Math.max(0, Math.min(1, covariance / variance)) : 1;
    }
  }

  Foresight() {
    for (int i = 0; i < slopes.length; i++) {
      slopes[i] = new Slope(i == 0 ? WEIGHT : WEIGHT_LARGE);
    }
  }

  private Slope slope(double expected, double average) {
    int size = Math.getExponent(Math.max(expected / average, average / expected));
    return slopes[Math.min(SIZES - 1, size)];
  }

  /**
   * A read's service time, against what was expected when it was sent.
   *
   * @param expected &gt; 0
   * @param average of what is expected of all replicas, &gt; 0
   * @param usual average of what is measured, &gt; 0: where a few reads take long, more than that
   */
  void learn(double expected, double average, double measured, double usual) {
    double before = expected / average;
    double after = Math.min(measured / usual, MOST * Math.max(before, 1));
    slope(expected, average).learn(before - 1, after - 1);
  }

  /**
   * How much the difference of an expected time from the average counts: 0 to 1; 1 while nothing is
   * known.
   */
  double trust(double expected, double average) {
    return slope(expected, average).trust;
  }
}
