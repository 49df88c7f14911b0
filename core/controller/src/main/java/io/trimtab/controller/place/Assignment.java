package io.trimtab.controller.place;

import java.util.Arrays;

/**
 * Shares items out to equal bins so that the fullest bin is as empty as can be: longest processing
 * time first (Graham 1969; Cruz 2016, §3.3) with a cap on the items of a bin, then moves and swaps
 * out of the fullest bin. Graham's rule alone is within 4/3 of the best; the swaps close most of
 * the rest. O(n log n) for n items, and a bounded number of improvement steps.
 */
public final class Assignment {
  private static final int STEPS_PER_BIN = 32;

  /** Bins that an item may go to in one improvement: the emptiest gain the fullest most. */
  private static final int PARTNERS = 32;

  /** Pairs of items that all improvements together may look at, so that large inputs end. */
  private static final long PAIRS_MAX = 20_000_000;

  /** Where items are; arrays are changed in place. */
  private record Filled(int[] bin, double[] sum, int[] count) {}

  private Assignment() {}

  /**
   * The bin of each item.
   *
   * @param loads ≥ 0, one for each item
   * @param bins ≥ 1
   */
  public static int[] assign(double[] loads, int bins) {
    Filled filled = fill(loads, bins);
    improve(loads, filled.bin(), filled.sum(), filled.count(), cap(loads.length, bins));
    return filled.bin();
  }

  /** The same without moves and swaps: the thesis's Algorithm 2 alone. */
  public static int[] longestFirst(double[] loads, int bins) {
    return fill(loads, bins).bin();
  }

  private static Filled fill(double[] loads, int bins) {
    int cap = cap(loads.length, bins);
    int[] bin = new int[loads.length];
    double[] sum = new double[bins];
    int[] count = new int[bins];
    IndexHeap emptiest = new IndexHeap(bins, (a, b) -> emptier(a, b, sum, count));
    for (int b = 0; b < bins; b++) {
      emptiest.add(b);
    }
    for (int item : Indexes.descending(loads)) {
      int b = emptiest.first();
      bin[item] = b;
      sum[b] += loads[item];
      count[b]++;
      if (count[b] < cap) {
        emptiest.changed(b);
      } else {
        emptiest.remove(b);
      }
    }
    return new Filled(bin, sum, count);
  }

  private static boolean emptier(int a, int b, double[] sum, int[] count) {
    if (sum[a] != sum[b]) {
      return sum[a] < sum[b];
    }
    return count[a] != count[b] ? count[a] < count[b] : a < b;
  }

  /** The most items that a bin may hold: ceil(items / bins). */
  public static int cap(int items, int bins) {
    return (items + bins - 1) / bins;
  }

  /**
   * No assignment's fullest bin is below this: the mean; the largest item with the least items that
   * the cap on the other bins forces on its bin; and, where bins must hold two of the {@code bins +
   * 1} largest items, the two least of those, and so on.
   */
  public static double lowerBound(double[] loads, int bins) {
    double[] sorted = loads.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double largest = n == 0 ? 0 : sorted[n - 1];
    int forced = n - (bins - 1) * cap(n, bins);
    for (int i = 0; i < forced - 1; i++) {
      largest += sorted[i];
    }
    double bound = Math.max(Arrays.stream(loads).sum() / bins, largest);
    // Among the k·bins + 1 largest some bin holds k + 1, at best the k + 1 least of them.
    for (int k = 1; k * bins + 1 <= n; k++) {
      double least = 0;
      for (int i = 0; i <= k; i++) {
        least += sorted[n - 1 - k * bins + i];
      }
      bound = Math.max(bound, least);
    }
    return bound;
  }

  private static void improve(double[] loads, int[] bin, double[] sum, int[] count, int cap) {
    int bins = sum.length;
    if (bins < 2) {
      return;
    }
    IntList[] items = new IntList[bins];
    Arrays.setAll(items, b -> new IntList());
    for (int i = 0; i < bin.length; i++) {
      items[bin[i]].add(i);
    }
    double bound = lowerBound(loads, bins);
    long pairs = 0;
    for (int step = 0; step < STEPS_PER_BIN * bins && pairs < PAIRS_MAX; step++) {
      int full = 0;
      for (int b = 1; b < bins; b++) {
        full = sum[b] > sum[full] ? b : full;
      }
      if (sum[full] <= bound * 1.001) {
        return;
      }
      int[] partners = emptiest(sum, full);
      for (int partner : partners) {
        pairs += (long) items[full].size() * (1 + items[partner].size());
      }
      if (!relieve(full, partners, loads, bin, sum, count, cap, items)) {
        return;
      }
    }
  }

  /** The emptiest bins but one, the emptiest first; of equal ones the first. */
  private static int[] emptiest(double[] sum, int but) {
    int[] found = new int[Math.min(PARTNERS, sum.length - 1)];
    int size = 0;
    for (int b = 0; b < sum.length; b++) {
      if (b == but || (size == found.length && sum[b] >= sum[found[size - 1]])) {
        continue;
      }
      size = Math.min(size + 1, found.length);
      int at = size - 1;
      while (at > 0 && sum[b] < sum[found[at - 1]]) {
        found[at] = found[at - 1];
        at--;
      }
      found[at] = b;
    }
    return found;
  }

  /** The move or swap that leaves the fuller of the two bins emptiest; false when none helps. */
  private static boolean relieve(
      int full,
      int[] partners,
      double[] loads,
      int[] bin,
      double[] sum,
      int[] count,
      int cap,
      IntList[] items) {
    double best = sum[full] * (1 - 1e-9);
    int bestItem = -1;
    int bestOther = -1;
    int bestBin = -1;
    for (int b : partners) {
      for (int i = 0; i < items[full].size(); i++) {
        int item = items[full].get(i);
        if (count[b] < cap) {
          double worst = Math.max(sum[full] - loads[item], sum[b] + loads[item]);
          if (worst < best) {
            best = worst;
            bestItem = item;
            bestOther = -1;
            bestBin = b;
          }
        }
        for (int j = 0; j < items[b].size(); j++) {
          int other = items[b].get(j);
          double delta = loads[item] - loads[other];
          double worst = Math.max(sum[full] - delta, sum[b] + delta);
          if (delta > 0 && worst < best) {
            best = worst;
            bestItem = item;
            bestOther = other;
            bestBin = b;
          }
        }
      }
    }
    if (bestItem < 0) {
      return false;
    }
    shift(bestItem, full, bestBin, loads, bin, sum, count, items);
    if (bestOther >= 0) {
      shift(bestOther, bestBin, full, loads, bin, sum, count, items);
    }
    return true;
  }

  private static void shift(
      int item,
      int from,
      int to,
      double[] loads,
      int[] bin,
      double[] sum,
      int[] count,
      IntList[] items) {
    items[from].removeFirst(item);
    items[to].add(item);
    bin[item] = to;
    sum[from] -= loads[item];
    sum[to] += loads[item];
    count[from]--;
    count[to]++;
  }
}
