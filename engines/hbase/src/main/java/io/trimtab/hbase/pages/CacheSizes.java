package io.trimtab.hbase.pages;

import io.trimtab.hbasewire.NodeReport;
import io.trimtab.hbasewire.NodeReport.Field;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How large a RegionServer's block cache is, and how full, in bytes; -1 if not available.
 *
 * @param heapMax the most that it may hold on the heap
 * @param heapUsed what it holds there: all blocks, or those of indexes and Bloom filters
 * @param bucketMax capacity of its bucket cache, in which data blocks are then; 0 without one
 * @param bucketUsed what that holds
 * @param blocks how many blocks both hold
 */
public record CacheSizes(
    long heapMax, long heapUsed, long bucketMax, long bucketUsed, long blocks) {

  /** By the plug-in, which knows the values of now; by JMX, 10 s old, where it does not tell. */
  public static CacheSizes of(ServerBeans beans, Optional<NodeReport> report) {
    if (report.isPresent() && report.get().number(Field.BUCKET_MAX_BYTES) >= 0) {
      NodeReport told = report.get();
      return new CacheSizes(
          told.number(Field.CACHE_MAX_BYTES),
          told.number(Field.CACHE_USED_BYTES),
          told.number(Field.BUCKET_MAX_BYTES),
          told.number(Field.BUCKET_USED_BYTES),
          told.number(Field.CACHED_BLOCKS));
    }
    long bucket = beans.bucketMaxBytes();
    // An older plug-in adds the two up.
    Optional<NodeReport> alone = report.filter(r -> bucket == 0);
    return new CacheSizes(
        number(alone, Field.CACHE_MAX_BYTES).orElse(beans.cacheMaxBytes()),
        number(alone, Field.CACHE_USED_BYTES).orElse(beans.cacheUsedBytes()),
        bucket,
        beans.bucketUsedBytes(),
        beans.cachedBlocks());
  }

  private static Optional<Long> number(Optional<NodeReport> report, Field field) {
    return report.map(r -> r.number(field)).filter(value -> value >= 0);
  }

  /** Whether data blocks are in a bucket cache. */
  public boolean beside() {
    return bucketMax > 0;
  }

  /** The most that the cache of data blocks may hold. */
  public long max() {
    return beside() ? bucketMax : heapMax;
  }

  /** What the cache of data blocks holds. */
  public long used() {
    return beside() ? bucketUsed : heapUsed;
  }

  /** For information: how many blocks there are, and what of them is not told otherwise. */
  public Map<String, Double> own() {
    Map<String, Double> own = new TreeMap<>();
    if (blocks >= 0) {
      own.put("BlockCache.blocks", (double) blocks);
    }
    if (beside()) {
      own.put("BlockCache.heapMaxBytes", (double) heapMax);
      own.put("BlockCache.heapUsedBytes", (double) heapUsed);
    }
    return own;
  }
}
