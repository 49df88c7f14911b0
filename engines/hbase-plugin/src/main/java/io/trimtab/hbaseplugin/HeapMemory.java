package io.trimtab.hbaseplugin;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.ResizableBlockCache;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerAccounting;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/** A live RegionServer's memory. */
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

  long cacheUsedBytes() {
    return cache().map(BlockCache::getCurrentSize).orElse(0L);
  }

  @Override
  public String notResizable() {
    Optional<BlockCache> cache = cache();
    if (cache.isEmpty()) {
      return "the server has no block cache (" + CACHE + " is 0)";
    }
    if (cache.get() instanceof CombinedBlockCache) {
      return "the server has a bucket cache, and its data blocks are not on the heap";
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
    return cache().map(BlockCache::getMaxSize).orElse(0L);
  }

  @Override
  public void setCacheMaxBytes(long bytes) {
    ((ResizableBlockCache) cache().orElseThrow()).setMaxSize(bytes);
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
