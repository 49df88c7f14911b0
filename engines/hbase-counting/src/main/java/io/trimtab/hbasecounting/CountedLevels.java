package io.trimtab.hbasecounting;

import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;

/** A block cache with a bucket cache as second level, counted; the levels are those of the real. */
final class CountedLevels extends CombinedBlockCache {
  private final BlockCounts counts;

  CountedLevels(CombinedBlockCache real, BlockCounts counts) {
    super(real.getFirstLevelCache(), real.getSecondLevelCache());
    this.counts = counts;
  }

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    Cacheable found = super.getBlock(key, caching, repeat, updateCacheMetrics);
    CountedCache.count(counts, key, repeat, updateCacheMetrics, found);
    return found;
  }

  @Override
  public int evictBlocksByHfileName(String file) {
    counts.forget(file);
    return super.evictBlocksByHfileName(file);
  }
}
