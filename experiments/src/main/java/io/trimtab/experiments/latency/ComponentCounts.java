package io.trimtab.experiments.latency;

import java.util.Map;
import java.util.TreeMap;

/** Values of one component of all reads, in bins of 1/32 of a power of two. */
final class ComponentCounts {
  private final TreeMap<Long, Long> bins = new TreeMap<>();

  /**
   * @param rows the least value of a bin, and how many values are in it
   */
  void add(long[][] rows) {
    for (long[] row : rows) {
      bins.merge(row[0], row[1], Long::sum);
    }
  }

  long count() {
    return bins.values().stream().mapToLong(Long::longValue).sum();
  }

  /** By nearest rank: the least value of its bin; 0 where there are none. */
  double percentile(double percent) {
    long rank = Math.max(1, (long) Math.ceil(percent / 100 * count()));
    long before = 0;
    for (Map.Entry<Long, Long> bin : bins.entrySet()) {
      before += bin.getValue();
      if (before >= rank) {
        return bin.getKey();
      }
    }
    return 0;
  }

  /** The share of the values from one, included, to another, excluded; 0 where there are none. */
  double share(double from, double to) {
    long its = 0;
    for (Map.Entry<Long, Long> bin : bins.entrySet()) {
      its += bin.getKey() >= from && bin.getKey() < to ? bin.getValue() : 0;
    }
    return count() == 0 ? 0 : (double) its / count();
  }

  double mean() {
    double sum = 0;
    for (Map.Entry<Long, Long> bin : bins.entrySet()) {
      sum += (double) bin.getKey() * bin.getValue();
    }
    return count() == 0 ? 0 : sum / count();
  }

  /** Bins and counts, for a reader who computes again. */
  Map<Long, Long> bins() {
    return bins;
  }
}
