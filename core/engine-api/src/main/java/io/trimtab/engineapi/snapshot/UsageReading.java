package io.trimtab.engineapi.snapshot;

/**
 * Cumulative resource usage of a node up to a moment; the difference of two readings is its usage
 * in between.
 *
 * @param atNs time of the reading, by the monotonic clock of the reader
 * @param userS CPU seconds in user mode
 * @param systemS CPU seconds in the kernel
 * @param cores number of cores that the node may use, &gt; 0
 * @param diskS seconds for which its disk was busy, or for which it waited for the disk
 * @param load5 load average of its machine per core, a gauge; see {@link NodeUsage}
 * @param source what was measured; readings of different sources can't be compared
 */
public record UsageReading(
    long atNs,
    double userS,
    double systemS,
    double cores,
    double diskS,
    double load5,
    String source) {

  /**
   * The usage since an earlier reading, as shares of what the node may use. I/O wait is the part of
   * its idle time in which its disk was busy, as far as this follows from totals: the smaller of
   * the two shares.
   *
   * @return {@link NodeUsage#UNKNOWN} if the readings are not comparable
   */
  public NodeUsage since(UsageReading earlier) {
    double seconds = (atNs - earlier.atNs) / 1e9;
    boolean restarted = userS < earlier.userS || systemS < earlier.systemS || diskS < earlier.diskS;
    if (seconds <= 0 || restarted || !source.equals(earlier.source)) {
      return NodeUsage.UNKNOWN;
    }
    double user = Math.min(1, (userS - earlier.userS) / seconds / cores);
    double system = Math.min(1 - user, (systemS - earlier.systemS) / seconds / cores);
    double disk = Math.min(1, (diskS - earlier.diskS) / seconds);
    return new NodeUsage(user, system, Math.min(1 - user - system, disk), load5);
  }
}
