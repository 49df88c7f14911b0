package io.trimtab.simulator.replicas;

/**
 * What a server's disk may read, as a control group or a cloud's volume limits it: so many reads in
 * each slice of 100 ms, and what comes beyond waits for the next. Times are milliseconds.
 *
 * @param readsPerSecond of a server, a multiple of 10; 0: no limit
 * @param share of requests that read from the disk, 0 to 1; the others find all in memory
 * @param cutsPerSecond how often a server's limit becomes lower
 * @param cutMs for how long
 * @param cutReadsPerSecond the lower limit, a multiple of 10, at least 10
 */
public record DiskLimit(
    double readsPerSecond,
    double share,
    double cutsPerSecond,
    double cutMs,
    double cutReadsPerSecond) {
  public static final DiskLimit NONE = new DiskLimit(0, 1, 0, 0, 10);

  boolean isLimited() {
    return readsPerSecond > 0;
  }

  /** Requests a second that a server's disk admits, on average. */
  double requestsPerSecond() {
    double cut = Disturbances.share(cutsPerSecond, cutMs);
    double reads = (1 - cut) * readsPerSecond + cut * cutReadsPerSecond;
    return isLimited() && share > 0 ? reads / share : Double.MAX_VALUE;
  }
}
