package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.PartitionId;
import java.util.List;

/**
 * Access counts of the blocks of a partition. Counts cover the recent past; only their ratios are
 * meaningful.
 *
 * @param bins blocks with equal access counts; empty for a partition without store files, whose
 *     data are all in memory
 * @param blockBytes mean size of a block in the cache, in bytes
 * @param scans scanners that clients opened on the partition, in the time that all counts of scans
 *     cover; a client's scan opens one on each partition that it reads
 * @param scanCalls requests to these scanners for rows, the one that opens a scanner included; 0
 *     with {@code scans} above 0 where the plug-in is older than this count
 * @param scanRows rows that these calls returned
 * @param scanCells cells in these rows
 * @param scanBlocks data blocks that these calls read
 */
public record BlockHistogram(
    PartitionId partition,
    List<Bin> bins,
    double blockBytes,
    long scans,
    long scanCalls,
    long scanRows,
    long scanCells,
    long scanBlocks) {

  public BlockHistogram {
    bins = List.copyOf(bins);
  }

  /** Of a partition that is not scanned. */
  public static BlockHistogram ofReads(PartitionId partition, List<Bin> bins, double blockBytes) {
    return new BlockHistogram(partition, bins, blockBytes, 0, 0, 0, 0, 0);
  }

  /** Whether the partition was scanned, and its node's plug-in does not count calls of scans. */
  public boolean lacksScanCalls() {
    return scans > 0 && scanCalls == 0;
  }

  /**
   * A group of blocks.
   *
   * @param count accesses of each of the blocks, ≥ 0
   * @param blocks number of blocks, &gt; 0; not always an integer, since sampled blocks represent
   *     others
   */
  public record Bin(double count, double blocks) {}
}
