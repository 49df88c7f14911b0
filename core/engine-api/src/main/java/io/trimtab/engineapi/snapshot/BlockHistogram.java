package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.PartitionId;
import java.util.List;

/**
 * How often the blocks of a partition are asked for. Counts are of the recent past; only their
 * ratios mean something.
 *
 * @param bins blocks that were asked for equally often; none for a partition that has no blocks
 *     yet, all of which is in memory
 * @param blockBytes mean size of a block in the cache, in bytes
 * @param scans that the following rest on
 * @param scanRows rows that they returned
 * @param scanBlocks blocks that they touched
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
   * @param count how often each of the blocks was asked for, ≥ 0
   * @param blocks how many, &gt; 0; not always whole, since some stand for others
   */
  public record Bin(double count, double blocks) {}
}
