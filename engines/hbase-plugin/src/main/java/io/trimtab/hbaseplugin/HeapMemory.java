package io.trimtab.hbaseplugin;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.ResizableBlockCache;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerAccounting;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/**
 * A live RegionServer's memory. With a bucket cache only the first level of the block cache, which
 * then has the blocks of indexes and Bloom filters, is on the heap and can be resized; the second
 * level, with the data blocks, keeps the size that it started with.
 */
final class HeapMemory implements ServerMemory {
  private static final String MEMSTORE = "hbase.regionserver.global.memstore.size";
  private static final String CACHE = "hfile.block.cache.size";

  /** A region that is being flushed still counts as full; asking again would flush it twice. */
  private static final long FLUSH_PERIOD_NS = 1_000_000_000L;

  private final RegionServerServices server;
  private long flushedAtNs = System.nanoTime() - FLUSH_PERIOD_NS;

  HeapMemory(RegionServerServices server) {
    this.server = server;
  }

  private Optional<BlockCache> cache() {
    return server.getBlockCache();
  }

  String cacheClass() {
    return cache().map(c -> c.getClass().getSimpleName()).orElse("none");
  }

  /** A cache's levels: the one on the heap, and one beside it if there is any. */
  static List<BlockCache> levels(BlockCache cache) {
    BlockCache[] levels = cache.getBlockCaches();
    return levels == null || levels.length == 0 ? List.of(cache) : List.of(levels);
  }

  private Optional<BlockCache> onHeap() {
    return cache().map(all -> levels(all).get(0));
  }

  private Optional<BlockCache> besideHeap() {
    return cache().map(HeapMemory::levels).filter(all -> all.size() > 1).map(all -> all.get(1));
  }

  long cacheUsedBytes() {
    return onHeap().map(BlockCache::getCurrentSize).orElse(0L);
  }

  /** Capacity of the bucket cache, 0 without one. */
  long bucketMaxBytes() {
    return besideHeap().map(BlockCache::getMaxSize).orElse(0L);
  }

  long bucketUsedBytes() {
    return besideHeap().map(BlockCache::getCurrentSize).orElse(0L);
  }

  /** Blocks in the cache, those of indexes and Bloom filters included. */
  long cachedBlocks() {
    return cache().map(BlockCache::getBlockCount).orElse(0L);
  }

  @Override
  public String notResizable() {
    Optional<BlockCache> cache = onHeap();
    if (cache.isEmpty()) {
      return "the server has no block cache (" + CACHE + " is 0)";
    }
    if (!(cache.get() instanceof ResizableBlockCache)) {
      return "the server's block cache, " + cacheClass() + ", has a fixed size";
    }
    if (server.getRegionServerAccounting().getGlobalMemStoreOffHeapSize() > 0) {
      return "the server's memstores are off the heap";
    }
    return tunerOn() ? "HBase's own heap tuner is on and would undo it (" + MEMSTORE + ".*)" : "";
  }

  /** As HBase decides it at start-up: the tuner runs when both shares have a range to move in. */
  private boolean tunerOn() {
    Configuration conf = server.getConfiguration();
    return ranged(conf, MEMSTORE, 0.4f) && ranged(conf, CACHE, 0.4f);
  }

  private static boolean ranged(Configuration conf, String key, float unset) {
    float value = conf.getFloat(key, unset);
    float min = conf.getFloat(key + ".min.range", value);
    float max = conf.getFloat(key + ".max.range", value);
    return min < value || max > value;
  }

  @Override
  public long heapMaxBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
  }

  @Override
  public long cacheMaxBytes() {
    return onHeap().map(BlockCache::getMaxSize).orElse(0L);
  }

  @Override
  public void setCacheMaxBytes(long bytes) {
    ((ResizableBlockCache) onHeap().orElseThrow()).setMaxSize(bytes);
  }

  @Override
  public long memstoreMaxBytes() {
    try {
      // HBase has a public way to set the limit, and none to read it.
      Method limit = RegionServerAccounting.class.getDeclaredMethod("getGlobalMemStoreLimit");
      limit.setAccessible(true);
      return (Long) limit.invoke(server.getRegionServerAccounting());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this HBase version hides its memstore limit", e);
    }
  }

  @Override
  public long memstoreUsedBytes() {
    return server.getRegionServerAccounting().getGlobalMemStoreHeapSize();
  }

  @Override
  public void setMemstoreMaxBytes(long bytes) {
    server.getFlushRequester().setGlobalMemStoreLimit(bytes);
  }

  @Override
  public synchronized void flushDownTo(long bytes) {
    if (System.nanoTime() - flushedAtNs < FLUSH_PERIOD_NS) {
      return;
    }
    flushedAtNs = System.nanoTime();
    List<Region> regions = new ArrayList<>(server.getRegions());
    regions.sort(Comparator.comparingLong(Region::getMemStoreHeapSize).reversed());
    long left = memstoreUsedBytes();
    for (Region region : regions) {
      if (left <= bytes) {
        return;
      }
      // A region that is queued already is not queued twice.
      server.getFlushRequester().requestFlush((HRegion) region, FlushLifeCycleTracker.DUMMY);
      left -= region.getMemStoreHeapSize();
    }
  }
}
