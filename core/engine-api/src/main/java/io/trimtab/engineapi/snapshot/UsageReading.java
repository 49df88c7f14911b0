package io.trimtab.engineapi.snapshot;

/**
 * Cumulative readings of what a node has used up to a moment; two of them give its usage between
 * them.
 *
 * @param atNs when, by the monotonic clock of whoever took it
 * @param userS CPU seconds in user mode
 * @param systemS CPU seconds in the kernel
 * @param cores what the node may use of the CPU at once; &gt; 0
 * @param diskS seconds for which its disk was kept busy, or for which it waited for it
 * @param load5 five-minute load average, a gauge
 * @param source what the numbers are about; readings of different sources can't be compared
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
   * its idle time in which its disk was busy for it, as far as that can be told from totals: the
   * smaller of the two shares.
   *
   * @return {@link NodeUsage#UNKNOWN} when the readings are not of one series
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
