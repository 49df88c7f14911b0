package io.trimtab.plugincore.ranking;

/**
 * How far expected service times have come true: the slope of what was measured over what was
 * expected, both as deviations from the average. 1 where servers stay as they are, near 0 where
 * they change faster than is heard of them. Thread-safe; nothing allocates.
 */
final class Foresight {
  /** Of the newest pair: some thousand reads back, for a single service time says little. */
  private static final double WEIGHT = 0.001;

  /** Variance of what is expected, as a share of the average's square, before anything is known. */
  private static final double PRIOR = 0.1;

  private double variance = Double.NaN;
  private double covariance;
  private volatile double trust = 1;

  /**
   * A read's service time, against what was expected when it was sent.
   *
   * @param average of all replicas
   */
  void learn(double expected, double measured, double average) {
    double before = expected - average;
    double after = measured - average;
    synchronized (this) {
      if (Double.isNaN(variance)) {
        variance = PRIOR * average * average;
        covariance = variance;
      }
      variance += WEIGHT * (before * before - variance);
      covariance += WEIGHT * (before * after - covariance);
      trust = variance > 0 ? Math.max(0, Math.min(1, covariance / variance)) : 1;
    }
  }

  /** 0 to 1; 1 while nothing is known. */
  double trust() {
    return trust;
  }
}
