package io.trimtab.engineapi.metrics;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What a {@link MetricSource} can tell of a node, with its unit. */
public enum Metric {
  /** CPU time in user mode, as a share of all cores. */
  CPU_USER("cpu.user", 1, true),
  /** CPU time in the kernel, as a share of all cores. */
  CPU_SYSTEM("cpu.system", 1, true),
  /** Share of the time in which cores were idle and waited for a disk. */
  CPU_IO_WAIT("cpu.ioWait", 1, true),
  /** Load average of five minutes per core. */
  LOAD5("load5", Double.MAX_VALUE, true),
  /** Number of cores. */
  CORES("cores", 100_000, false),
  /** Bytes of memory in use, without cached pages of files. */
  MEMORY_USED("memory.used", Long.MAX_VALUE, false),
  /** Bytes that the disks with the node's data have. */
  DISK_SIZE("disk.size", Long.MAX_VALUE, false),
  /** Bytes that are free on these disks for the database's user. */
  DISK_FREE("disk.free", Long.MAX_VALUE, false),
  /** Share of the time in which the busiest disk was busy. */
  DISK_BUSY("disk.busy", 1, true),
  /** Requests per second that the node serves. */
  REQUESTS("requests.perSecond", Double.MAX_VALUE, true),
  /** 99th percentile of the last seconds' response times in milliseconds. */
  P99_MS("requests.p99Ms", Double.MAX_VALUE, false);

  /** Shares of a rate over a window may pass 1 by as much as clocks differ. */
  private static final double ROUNDING = 0.02;

  private final String key;
  private final double max;
  private final boolean averaged;

  Metric(String key, double max, boolean averaged) {
    this.key = key;
    this.max = max;
    this.averaged = averaged;
  }

  /** The name in mapping files. */
  public String key() {
    return key;
  }

  /** Whether readings of some time are averaged; otherwise the newest counts. */
  public boolean averaged() {
    return averaged;
  }

  /** The value within the metric's range [0, max]; NaN if it is none of this metric. */
  public double checked(double value) {
    return value >= 0 && value <= max * (1 + ROUNDING) ? Math.min(value, max) : Double.NaN;
  }

  /**
   * The metric of a name.
   *
   * @throws IllegalArgumentException naming all, if there is none
   */
  public static Metric of(String key) {
    return Arrays.stream(values())
        .filter(metric -> metric.key.equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s is no metric; there are %s"
                        .formatted(
                            key,
                            Arrays.stream(values())
                                .map(Metric::key)
                                .collect(Collectors.joining(", ")))));
  }
}
