package io.trimtab.engineapi.snapshot;

import java.util.OptionalDouble;

/**
 * Cumulative resource usage of a node up to a moment; the difference of two readings is its usage
 * in between.
 *
 * @param atNs time of the reading, by the monotonic clock of the reader
 * @param userS CPU seconds in user mode
 * @param systemS CPU seconds in the kernel
 * @param limits what the node may use; its cores are known
 * @param disk how long it has waited for its disk
 * @param load5 load average of its machine per core, a gauge; see {@link NodeUsage}
 * @param source what was measured; readings of different sources can't be compared
 */
public record UsageReading(
    long atNs,
    double userS,
    double systemS,
    NodeLimits limits,
    DiskWait disk,
    double load5,
    String source) {

  /** Of a node whose disk is not limited, as far as is known. */
  public UsageReading(
      long atNs,
      double userS,
      double systemS,
      double cores,
      DiskWait disk,
      double load5,
      String source) {
    this(atNs, userS, systemS, NodeLimits.ofCores(cores), disk, load5, source);
  }

  /**
   * The usage since an earlier reading, as shares of what the node may use. I/O wait is the part of
   * its idle time in which it waited for its disk, as far as this follows from totals: the smaller
   * of the two shares. NaN if nobody measures its waits.
   *
   * @return {@link NodeUsage#UNKNOWN} if the readings are not comparable
   */
  public NodeUsage since(UsageReading earlier) {
    double seconds = (atNs - earlier.atNs) / 1e9;
    boolean restarted = userS < earlier.userS || systemS < earlier.systemS;
    if (seconds <= 0 || restarted || !source.equals(earlier.source)) {
      return NodeUsage.UNKNOWN;
    }
    double cores = limits.cores();
    OptionalDouble wait = disk.share(earlier.disk, seconds, cores);
    if (wait.isEmpty()) {
      return NodeUsage.UNKNOWN;
    }
    double user = Math.min(1, (userS - earlier.userS) / seconds / cores);
    double system = Math.min(1 - user, (systemS - earlier.systemS) / seconds / cores);
    double idle = 1 - user - system;
    return new NodeUsage(
        user, system, Math.min(idle, wait.getAsDouble()), load5, disk.source(), limits);
  }
}
