package io.trimtab.workload;

import org.HdrHistogram.Histogram;

/** Hears each tenant's latencies of a second, in microseconds; must be quick. */
@FunctionalInterface
public interface LatencyListener {
  /** Of all operations. */
  void latencies(String tenant, Histogram ofSecond);

  /**
   * The same by kind.
   *
   * @param reads and scans, and what reads and then writes
   * @param writes updates and inserts
   */
  default void kinds(String tenant, Histogram reads, Histogram writes) {}
}
