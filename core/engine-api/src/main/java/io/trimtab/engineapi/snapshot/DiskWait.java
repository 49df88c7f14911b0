package io.trimtab.engineapi.snapshot;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * How long a node has waited for its disk up to a moment.
 *
 * @param source what was read
 * @param seconds cumulative, each ≥ 0: by task where tasks are told apart, otherwise one value;
 *     none of {@link WaitSource#DISK_TIMES}
 * @param disks of that source, by the disk's name
 */
public record DiskWait(WaitSource source, Map<String, Double> seconds, Map<String, Disk> disks) {
  /** Of a node whose wait nobody measures. */
  public static final DiskWait NONE = new DiskWait(WaitSource.NONE, Map.of());

  /** Share of a disk's reads from which on it is the node's own. */
  private static final double ALONE = 0.95;

  public DiskWait {
    seconds = Map.copyOf(seconds);
    disks = Map.copyOf(disks);
  }

  /**
   * What a disk has done up to a moment, all cumulative and ≥ 0.
   *
   * @param own reads of the node
   * @param all reads of all that use the disk, in the same unit
   * @param readS seconds that all these reads took, from when they were asked of the disk
   * @param busyS seconds in which the disk had something to do
   */
  public record Disk(double own, double all, double readS, double busyS) {}

  /** Where a wait is told and not computed from disks. */
  public DiskWait(WaitSource source, Map<String, Double> seconds) {
    this(source, seconds, Map.of());
  }

  /** From the disks that a node has read from. */
  public static DiskWait ofDisks(Map<String, Disk> disks) {
    return new DiskWait(WaitSource.DISK_TIMES, Map.of(), disks);
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
    if (source == WaitSource.DISK_TIMES) {
      return ofDisks(earlier.disks, elapsedS, cores);
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
   * By Little's law as many reads are under way on average as come in a second, times the seconds
   * that each takes; all of a disk's take as long as the node's. Where the disk is the node's own,
   * at least one is under way for as long as it is at work, but for writes, and never for longer
   * than reads took together.
   */
  private OptionalDouble ofDisks(Map<String, Disk> earlier, double elapsedS, double cores) {
    double waiting = 0;
    double most = 0;
    double atWork = 0;
    for (Map.Entry<String, Disk> entry : disks.entrySet()) {
      Disk now = entry.getValue();
      Disk then = earlier.get(entry.getKey());
      if (then == null) {
        // The node has just begun to read from it; how much it did since is not known.
        continue;
      }
      double own = now.own - then.own;
      double all = now.all - then.all;
      double seconds = now.readS - then.readS;
      double busy = now.busyS - then.busyS;
      if (own < 0 || all < 0 || seconds < 0 || busy < 0) {
        return OptionalDouble.empty();
      }
      double used = Math.min(1, busy / elapsedS);
      double its;
      if (all > 0) {
        its = Math.min(1, own / all) * seconds / elapsedS;
      } else {
        // Reads count when they end: a disk that answers none is waited for.
        its = own > 0 ? used : 0;
      }
      waiting += its;
      atWork += used;
      if (own >= ALONE * all) {
        most = Math.max(most, Math.min(its, used));
      }
    }
    double share = waiting == 0 ? 0 : ofTasks(waiting, most, cores);
    return OptionalDouble.of(Math.min(share, atWork));
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
