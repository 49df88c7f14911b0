package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicLong;

/**
 * An exponentially weighted moving average of times or numbers, 0 or more. Any thread may read it;
 * of two values that are added at once one may be missed.
 */
public final class Average {
  /** Of the newest service time in the one that a replica tells. */
  private static final double RECENT_WEIGHT = 0.15;

  private final double weight;
  private final boolean ofRoots;

  /** As many long times may end in one of them and count whole. */
  private final double atOnce;

  /** When the last long one ended. */
  private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

  private volatile double value;

  /**
   * An average whose first value counts whole.
   *
   * @param weight of the newest value, between 0 and 1
   */
  public Average(double weight) {
    this(weight, Double.NaN);
  }

  /**
   * @param start the average before the first value
   */
  Average(double weight, double start) {
    this(weight, start, false, 1);
  }

  private Average(double weight, double start, boolean ofRoots, double atOnce) {
    this.weight = weight;
    this.ofRoots = ofRoots;
    this.atOnce = atOnce;
    value = start;
  }

  /**
   * The fourth power of the mean of fourth roots, in which one long time among many short ones
   * counts little, and of some that end together only the first.
   *
   * @param atOnce as many long times may end in one of them and count whole; what a pause has held
   *     up ends sooner
   */
  static Average ofRoots(double weight, double atOnce) {
    return new Average(weight, Double.NaN, true, atOnce);
  }

  /**
   * The service time that a replica tells, a mean of roots: a healthy node whose disk's limit held
   * up one read of ten, or which stood still for a moment, is not ten times as slow, and all would
   * leave it for the next, which then has to hold up theirs.
   *
   * @param readers how many reads it works on at a time
   */
  public static Average ofServiceTimes(int readers) {
    return ofRoots(RECENT_WEIGHT, 2.0 * readers);
  }

  public void add(double newest) {
    blend(newest, weight);
  }

  /**
   * A time that ended now. Those that a pause has held up end together, and have not told more than
   * one of them; less than the average is never so.
   *
   * @param now nanoseconds
   */
  public void add(double newest, long now) {
    if (!isKnown() || newest <= value()) {
      add(newest);
      return;
    }
    long before = last.getAndSet(now);
    double since = before == Long.MIN_VALUE ? newest : Math.max(0, now - before);
    blend(newest, weight * Math.min(1, atOnce * since / newest));
  }

  private void blend(double newest, double its) {
    double root = ofRoots ? Math.sqrt(Math.sqrt(newest)) : newest;
    double before = value;
    value = Double.isNaN(before) ? root : before + its * (root - before);
  }

  public boolean isKnown() {
    return !Double.isNaN(value);
  }

  /** The average; NaN before the first value. */
  public double value() {
    double now = value;
    return ofRoots ? now * now * now * now : now;
  }

  /** The average; what is given before the first value. */
  double or(double otherwise) {
    double now = value();
    return Double.isNaN(now) ? otherwise : now;
  }
}
