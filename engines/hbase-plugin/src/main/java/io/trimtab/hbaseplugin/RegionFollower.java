package io.trimtab.hbaseplugin;

import io.trimtab.hbaseplugin.RegionRequests.Range;
import io.trimtab.plugincore.BlockAccesses;
import io.trimtab.plugincore.SplitAdvice;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.LruCachedBlock;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * What is known of the requests of one region: where they halve, and how often each of its blocks
 * is requested. Thread-safe; requests never wait.
 */
final class RegionFollower {
  private static final String BUCKET_CACHE = "hbase.bucketcache.ioengine";
  private static final String BUCKET_SIZES = "hbase.bucketcache.bucket.sizes";

  /** Block sizes that HBase's bucket cache expects; each of its places has 1 KiB more. */
  private static final int[] BUCKET_KIB = {
    4, 8, 16, 32, 40, 48, 56, 64, 96, 128, 192, 256, 384, 512
  };

  private final Range range;
  private final SplitCollector splits;

  /** Empty until first requested, since reading the block index may cost disk reads. */
  private volatile BlockAccesses accesses;

  /** What the parent had counted; null once it is in its own counts, which are as large. */
  private BlockAccesses heritage;

  private final boolean handedOver;
  private String file = "";
  private double scale = 1;
  private double blockBytes;

  RegionFollower(Range range) {
    this(range, new SplitCollector(range.start(), range.end()), null, false);
  }

  /** For a region that moves here from another server, with its counts so far. */
  RegionFollower(Range range, BlockAccesses known) {
    this(range, new SplitCollector(range.start(), range.end()), null, true);
    accesses = known;
  }

  private RegionFollower(
      Range range, SplitCollector splits, BlockAccesses heritage, boolean handedOver) {
    this.range = range;
    this.splits = splits;
    this.heritage = heritage;
    this.handedOver = handedOver;
  }

  /** For a daughter of this region, which starts with the parent's counts. */
  RegionFollower part(Range daughter) {
    return new RegionFollower(
        daughter, splits.part(daughter.start(), daughter.end()), accesses, false);
  }

  /** As HBase names it, with its namespace unless that is the default one. */
  String table() {
    return range.table();
  }

  void read(byte[] row) {
    splits.add(row, 0, row.length);
    BlockAccesses into = accesses;
    if (into != null) {
      into.add(row);
    }
  }

  void write(byte[] row) {
    splits.add(row, 0, row.length);
  }

  /** A scanner opens. */
  void open() {
    BlockAccesses into = accesses;
    if (into != null) {
      into.addScan();
    }
  }

  /**
   * A call asked an open scanner for rows, and returned these: what HBase's {@code scanCount}
   * counts.
   *
   * @param before last row of the same scanner's calls before; empty where they returned none
   * @return last row of this call; of those before where it returned none; empty where blocks are
   *     not counted, which is all that it is for
   */
  Optional<byte[]> call(Optional<byte[]> before, List<Result> results) {
    BlockAccesses into = accesses;
    Optional<byte[]> first = results.isEmpty() ? Optional.empty() : row(results.get(0));
    Optional<byte[]> last =
        results.isEmpty() ? Optional.empty() : row(results.get(results.size() - 1));
    if (first.isEmpty() || last.isEmpty()) {
      if (into != null) {
        into.addCall();
      }
      return before;
    }
    boolean up = Arrays.compareUnsigned(first.get(), last.get()) <= 0;
    splits.addScanCall(up ? first.get() : last.get(), up ? last.get() : first.get());
    if (into != null) {
      long cells = 0;
      for (Result result : results) {
        cells += result.size();
      }
      into.addCall(before.orElse(null), first.get(), last.get(), results.size(), cells);
      return last;
    }
    return Optional.empty();
  }

  private static Optional<byte[]> row(Result result) {
    return result.isEmpty()
        ? Optional.empty()
        : Optional.of(CellUtil.cloneRow(result.rawCells()[0]));
  }

  SplitAdvice advice() {
    return splits.advice();
  }

  Optional<BlockAccesses> accesses() {
    return Optional.ofNullable(accesses);
  }

  /** Whether another server told its counts as the region came here; they are the newest. */
  boolean handedOver() {
    return handedOver;
  }

  /** Goes on from counts of before; those since the region opened are added. */
  synchronized void goOnFrom(BlockAccesses before) {
    if (accesses != null) {
      before.inherit(accesses);
    }
    replace(before);
  }

  /** Goes on from counts of another server, which include what was counted here. */
  synchronized void replace(BlockAccesses newer) {
    accesses = newer;
    // They are of the blocks of then: the next look divides them anew.
    file = "";
  }

  /** All of the region's blocks over those of the file whose block index is used, ≥ 1. */
  synchronized double scale() {
    return scale;
  }

  /** Mean size of a block in the cache, in bytes. */
  synchronized double blockBytes() {
    return blockBytes;
  }

  /**
   * Looks at the region's store files, and divides its keys anew where the largest is another one,
   * or keys are divided into many more parts than they may be. Keys in the other files are taken to
   * be spread as in that one.
   *
   * @param stretchesMax parts that may be counted individually
   */
  synchronized void look(HRegion region, int stretchesMax) throws IOException {
    HStoreFile largest = null;
    double bytes = 0;
    for (HStore store : region.getStores()) {
      for (HStoreFile candidate : store.getStorefiles()) {
        bytes += bytes(candidate);
        if (largest == null || bytes(candidate) > bytes(largest)) {
          largest = candidate;
        }
      }
    }
    if (largest == null || largest.getReader() == null) {
      return;
    }
    scale = Math.max(1, bytes / bytes(largest));
    String path = largest.getPath().toString();
    if (isDivided(path, stretchesMax)) {
      return;
    }
    StoreFileReader stored = largest.getReader();
    HFile.Reader reader = stored.getHFileReader();
    List<byte[]> keys = BlockIndex.firstRows(reader);
    Configuration conf = region.getReadOnlyConfiguration();
    divide(
        path,
        keys,
        conf.get(BUCKET_CACHE, "").isEmpty()
            ? bytesInFile(reader, keys.size()) + overhead(reader)
            : inBucket(dataBytes(stored, keys.size()), conf.getStrings(BUCKET_SIZES)),
        stretchesMax);
  }

  /** Whether its keys are divided by the blocks of a file of its own. */
  synchronized boolean isDivided() {
    return !file.isEmpty();
  }

  /** Not for each region that comes or goes: reading the block index costs more than its room. */
  synchronized boolean isDivided(String by, int stretchesMax) {
    return file.equals(by) && accesses.stretches() <= 2 * stretchesMax;
  }

  /**
   * Divides its keys anew.
   *
   * @param by path of a file
   * @param keys with which the file's blocks begin
   * @param bytesOfBlock mean size of one in the cache
   */
  synchronized void divide(String by, List<byte[]> keys, double bytesOfBlock, int stretchesMax) {
    BlockAccesses fresh = new BlockAccesses(keys, range.start(), range.end(), stretchesMax);
    BlockAccesses older = accesses == null ? heritage : accesses;
    if (older != null) {
      fresh.inherit(older);
    }
    blockBytes = bytesOfBlock;
    file = by;
    accesses = fresh;
    heritage = null;
  }

  /**
   * Mean size of a block with its share of all that is in the file beside data, in bytes: blocks of
   * the index and of Bloom filters take their room in the same cache, if that is on the heap.
   */
  static double bytesInFile(HFile.Reader reader, int blocks) {
    return (double) reader.getTrailer().getTotalUncompressedBytes() / Math.max(1, blocks);
  }

  /**
   * Mean size of a block of data, in bytes. What else is in the file has some parts in a hundred of
   * it where rows are narrow, which would make each block one that is too long for its place. HBase
   * does not write down with which block size it has made a file.
   */
  static double dataBytes(StoreFileReader stored, int blocks) {
    FixedFileTrailer trailer = stored.getHFileReader().getTrailer();
    long others =
        trailer.getTrailerSize()
            + trailer.getUncompressedDataIndexSize()
            + stored.getTotalBloomSize();
    return (double) (trailer.getTotalUncompressedBytes() - others) / Math.max(1, blocks);
  }

  /**
   * What a block takes of the cache beside its bytes, by HBase's own count: more than one part in a
   * hundred of a 32 KiB block.
   */
  private static double overhead(HFile.Reader reader) {
    return LruCachedBlock.PER_BLOCK_OVERHEAD
        + new BlockCacheKey(reader.getName(), 0).heapSize()
        + HFileBlock.FIXED_OVERHEAD
        + HFileBlock.MULTI_BYTE_BUFFER_HEAP_SIZE
        + reader.getFileContext().heapSize();
  }

  /**
   * What a block takes of a bucket cache, whose places have a few sizes: the smallest of them into
   * which it fits. As coarse as it sounds where blocks are now just below a size, now just above.
   *
   * @param sizes in bytes, as they are configured; null for HBase's own
   */
  static double inBucket(double bytes, String[] sizes) {
    double needed = bytes + HFileBlock.BLOCK_METADATA_SPACE;
    IntStream places =
        sizes == null
            ? IntStream.of(BUCKET_KIB).map(kib -> (kib + 1) << 10)
            : Arrays.stream(sizes).mapToInt(size -> Integer.parseInt(size.strip()));
    // A block that is larger than any place is not cached.
    return places.filter(place -> place >= needed).min().orElse((int) needed);
  }

  /** Of a split's daughter, half of its parent's file. */
  private static double bytes(HStoreFile file) {
    if (file.getReader() == null) {
      return 0;
    }
    return file.getReader().length() * (file.getFileInfo().isReference() ? 0.5 : 1);
  }
}
