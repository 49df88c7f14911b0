package io.trimtab.workload;

import org.HdrHistogram.Histogram;

/** Hears each tenant's latencies of a second, in microseconds; must be quick. */
@FunctionalInterface
public interface LatencyListener {
  /** Of all operations that ended, those that failed included. */
  void latencies(String tenant, Histogram ofSecond);

  /**
   * The same by kind.
   *
   * @param reads and scans, and what reads and then writes
   * @param writes updates and inserts
   */
  default void kinds(String tenant, Histogram reads, Histogram writes) {}

  /**
   * How long operations that had not ended at the second's end had been waited for, after the
   * latencies of those that had.
   *
   * @param readMicros of the oldest as of {@link #kinds}; 0 if none was under way
   */
  default void waiting(String tenant, long readMicros, long writeMicros) {}
}
