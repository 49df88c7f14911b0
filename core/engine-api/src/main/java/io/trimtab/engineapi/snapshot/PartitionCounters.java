package io.trimtab.engineapi.snapshot;

/**
 * Requests that a partition has served since its node opened it. Cumulative; reset to zero by a
 * move or a restart.
 *
 * @param pointReads single-row reads
 * @param scanCalls requests for rows of a scan. A scan that needs several calls counts once for
 *     each: in HBase for each call to the region's scanner; in Cassandra, on each replica, for each
 *     range of each page that it is asked for
 * @param rowsScanned rows that scan calls returned; one for each call in Cassandra, where they are
 *     not known
 * @param writes rows put, deleted, incremented, appended
 */
public record PartitionCounters(long pointReads, long scanCalls, long rowsScanned, long writes) {
  public static final PartitionCounters ZERO = new PartitionCounters(0, 0, 0, 0);
}
