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
 * @param scans number of scans that {@code scanRows} and {@code scanBlocks} refer to
 * @param scanRows rows returned by these scans
 * @param scanBlocks blocks accessed by these scans
 */
public record BlockHistogram(
    PartitionId partition,
    List<Bin> bins,
    double blockBytes,
    long scans,
    long scanRows,
    long scanBlocks) {

  public BlockHistogram {
    bins = List.copyOf(bins);
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
