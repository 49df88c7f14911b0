package io.trimtab.engineapi.snapshot;

/**
 * Requests that a partition has served since its node opened it. Cumulative; reset to zero by a
 * move or a restart.
 *
 * @param pointReads single-row reads
 * @param scans scan requests
 * @param rowsScanned rows that scans returned
 * @param writes rows put, deleted, incremented, appended
 */
public record PartitionCounters(long pointReads, long scans, long rowsScanned, long writes) {
  public static final PartitionCounters ZERO = new PartitionCounters(0, 0, 0, 0);
}
