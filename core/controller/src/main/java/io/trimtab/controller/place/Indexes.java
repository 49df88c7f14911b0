package io.trimtab.controller.place;

import java.util.Arrays;

/** Orders of indexes, without an object for each. */
public final class Indexes {
  private Indexes() {}

  /**
   * Indexes by value, the greatest first; of equal values the least index first.
   *
   * @param values no NaN
   */
  public static int[] descending(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = values.length;
    // By the place of the greatest of equal values: how many of them have been given a place.
    int[] given = new int[n];
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      int end = notAbove(sorted, values[i]);
      order[n - end + given[end - 1]++] = i;
    }
    return order;
  }

  /** How many are not above a value. */
  private static int notAbove(double[] sorted, double value) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
