package io.trimtab.plugincore.ranking;

/**
 * An exponentially weighted moving average of times or numbers, 0 or more. Any thread may read it;
 * of two values that are added at once one may be missed.
 */
public final class Average {
  /** Of the newest service time in the one that a replica tells. */
  private static final double RECENT_WEIGHT = 0.15;

  /**
   * As many reads may end in the time that one takes and count whole. More of them, or some that
   * end together after one pause, have not told more of the replica than so many.
   */
  private static final double AT_ONCE = 8;

  private final double weight;
  private final boolean ofRoots;
  private volatile double value;
  private volatile long last = Long.MIN_VALUE;

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
    this(weight, start, false);
  }

  private Average(double weight, double start, boolean ofRoots) {
    this.weight = weight;
    this.ofRoots = ofRoots;
    value = start;
  }

  /**
   * The service time that a replica tells: the fourth power of the mean of fourth roots. A healthy
   * node whose disk's limit held up one read of ten is not ten times as slow, and all would leave
   * it for the next, which then has to hold up theirs.
   */
  public static Average ofServiceTimes() {
    return new Average(RECENT_WEIGHT, Double.NaN, true);
  }

  public void add(double newest) {
    blend(newest, weight);
  }

  /**
   * A time that ended now. Reads that a pause has held up end together: they count as one.
   *
   * @param now nanoseconds
   */
  public void add(double newest, long now) {
    long before = last;
    last = now;
    double since = before == Long.MIN_VALUE ? newest : Math.max(0, now - before);
    blend(newest, weight * Math.min(1, AT_ONCE * since / Math.max(1, newest)));
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
