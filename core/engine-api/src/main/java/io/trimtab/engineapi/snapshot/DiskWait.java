package io.trimtab.engineapi.snapshot;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * How long a node has waited for its disk up to a moment.
 *
 * @param source what was read
 * @param seconds cumulative, each ≥ 0: by task where tasks are told apart, otherwise one value
 */
public record DiskWait(WaitSource source, Map<String, Double> seconds) {
  /** Of a node whose wait nobody measures. */
  public static final DiskWait NONE = new DiskWait(WaitSource.NONE, Map.of());

  public DiskWait {
    seconds = Map.copyOf(seconds);
  }

  /** A single value. */
  public static DiskWait of(WaitSource source, double seconds) {
    return new DiskWait(source, Map.of("", seconds));
  }

  /**
   * The share of the time since an earlier reading in which the node's processors had nothing to do
   * but wait for its disk, if they had no other work. Tasks that have ended since are left out, and
   * tasks that have begun since count in full.
   *
   * @param elapsedS between the two readings, &gt; 0
   * @param cores number of cores that the node may use, &gt; 0
   * @return in [0, 1], or NaN if nobody measures it; empty if the two readings are not comparable
   */
  OptionalDouble share(DiskWait earlier, double elapsedS, double cores) {
    if (source != earlier.source) {
      return OptionalDouble.empty();
    }
    if (source == WaitSource.NONE) {
      return OptionalDouble.of(Double.NaN);
    }
    double sum = 0;
    double most = 0;
    for (Map.Entry<String, Double> part : seconds.entrySet()) {
      double waited = part.getValue() - earlier.seconds.getOrDefault(part.getKey(), 0.0);
      if (waited < 0) {
        return OptionalDouble.empty();
      }
      // A wait is accounted when it ends, and may have begun before the earlier reading.
      double share = Math.min(1, waited / elapsedS);
      sum += share;
      most = Math.max(most, share);
    }
    return OptionalDouble.of(
        source == WaitSource.DELAY_ACCOUNTING ? ofTasks(sum, most, cores) : sum);
  }

  /**
   * From how many tasks wait on average to the share of the cores that can be idle because of it.
   * Tasks that wait for a disk that serves one after the other are a queue, and if its mean length
   * is L by Little's law, it holds at least k with the probability (L / (1 + L))^k (M/M/1). A node
   * of c cores has at most c of them idle, so that the share is E[min(N, c)] / c = L (1 − (L / (1 +
   * L))^c) / c; for up to one core, L / (1 + L), which is the disk's utilisation. A task that waits
   * all the time, as a compaction's, is no such queue: whatever the others do, one core can be idle
   * for as long as the longest wait.
   *
   * <p>0 without waits, at most 1; rises with both waits; falls with the number of cores.
   *
   * @param waiting mean number of tasks that wait, ≥ 0
   * @param most share of the time in which the task that waited longest did so, in [0, 1]
   */
  static double ofTasks(double waiting, double most, double cores) {
    double c = Math.max(1, cores);
    double queue = waiting * -Math.expm1(-c * Math.log1p(1 / waiting)) / c;
    return Math.min(1, Math.max(queue, most / c));
  }
}
