package io.trimtab.workload.lengths;

/**
 * A distribution of lengths, as the inverse of its distribution function. YCSB's generators draw
 * from the thread's own random numbers, which can't be repeated; here the draw is an argument, so
 * that a reader of a value can derive the length that it was written with.
 */
public interface Lengths {
  /**
   * The length that belongs to a draw; grows with it.
   *
   * @param draw in [0, 1)
   */
  int of(double draw);

  /** The expectation of {@link #of} over uniform draws. */
  double mean();

  /** All from {@code min} to {@code max} equally often; always the same where both are equal. */
  static Lengths uniform(int min, int max) {
    return new Lengths() {
      @Override
      public int of(double draw) {
        return min + (int) (draw * (max - min + 1L));
      }

      @Override
      public double mean() {
        return (min + (double) max) / 2;
      }
    };
  }
}
