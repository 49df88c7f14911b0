package io.trimtab.experiments.latency;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values of one component of all reads, in bins of 1/32 of a power of two; of the response time
 * also for how long the reads of a bin waited and were served.
 */
final class ComponentCounts {
  /** Of a bin. */
  private static final class Bin {
    private long count;
    private double waited;
    private double served;
  }

  private final TreeMap<Long, Bin> bins = new TreeMap<>();

  private Bin bin(List<Long> row) {
    return bins.computeIfAbsent(row.get(0), least -> new Bin());
  }

  /**
   * @param rows the least value of a bin, and how many values are in it
   */
  void add(List<List<Long>> rows) {
    rows.forEach(row -> bin(row).count += row.get(1));
  }

  /**
   * @param rows the least value of a bin, and for how many nanoseconds its reads waited and were
   *     served, together
   */
  void addParts(List<List<Long>> rows) {
    for (List<Long> row : rows) {
      bin(row).waited += row.get(1);
      bin(row).served += row.get(2);
    }
  }

  long count() {
    return count(bins.values());
  }

  private static long count(Collection<Bin> bins) {
    return bins.stream().mapToLong(bin -> bin.count).sum();
  }

  /** By nearest rank: the least value of its bin; 0 where there are none. */
  double percentile(double percent) {
    long rank = Math.max(1, (long) Math.ceil(percent / 100 * count()));
    long before = 0;
    for (Map.Entry<Long, Bin> bin : bins.entrySet()) {
      before += bin.getValue().count;
      if (before >= rank) {
        return bin.getKey();
      }
    }
    return 0;
  }

  /** The share of the values from one, included, to another, excluded; 0 where there are none. */
  double share(double from, double to) {
    long its = 0;
    for (Map.Entry<Long, Bin> bin : bins.entrySet()) {
      its += bin.getKey() >= from && bin.getKey() < to ? bin.getValue().count : 0;
    }
    return count() == 0 ? 0 : (double) its / count();
  }

  double mean() {
    return mean(bins);
  }

  private static double mean(Map<Long, Bin> those) {
    double sum = 0;
    for (Map.Entry<Long, Bin> bin : those.entrySet()) {
      sum += (double) bin.getKey() * bin.getValue().count;
    }
    long count = count(those.values());
    return count == 0 ? 0 : sum / count;
  }

  /**
   * Of what the time of the slowest reads consists, of the response time only.
   *
   * @param reads how many
   * @param mean nanoseconds
   * @param waited share of their time
   * @param served share of their time
   */
  record Slowest(long reads, double mean, double waited, double served) {
    double rest() {
      return Math.max(0, 1 - waited - served);
    }
  }

  /** Those in the bin of a percentile, or above it. */
  Slowest slowest(double percent) {
    Map<Long, Bin> those = bins.tailMap((long) percentile(percent), true);
    long count = count(those.values());
    double mean = mean(those);
    double all = Math.max(1, mean * count);
    return new Slowest(
        count,
        mean,
        Math.min(1, those.values().stream().mapToDouble(bin -> bin.waited).sum() / all),
        Math.min(1, those.values().stream().mapToDouble(bin -> bin.served).sum() / all));
  }

  /** The least value of each bin that has any. */
  double[] values() {
    return bins.keySet().stream().mapToDouble(Long::doubleValue).toArray();
  }

  /** For each of {@link #values()} the share of all values in its bin, or in one below. */
  double[] upTo() {
    double all = count();
    double sum = 0;
    double[] shares = new double[bins.size()];
    int i = 0;
    for (Bin bin : bins.values()) {
      sum += bin.count;
      shares[i++] = sum / all;
    }
    return shares;
  }
}
