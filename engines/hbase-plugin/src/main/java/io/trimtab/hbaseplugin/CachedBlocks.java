package io.trimtab.hbaseplugin;

import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.BlockList.FileBlocks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Lets a region's cached blocks follow it to another RegionServer. HBase's caches name a block by
 * its file's name and offset, so blocks that the new server has read before the region opens there
 * are hits from the first request on. Of a bucket cache as of one on the heap: blocks of data come
 * from the one and go to the other, whichever a server has.
 */
final class CachedBlocks {
  private static final long PAUSE_MILLIS = 5;
  private static final int TRIES_MAX = 400;

  /** Of reading a block that the cache does not take: about a second in all, with the pauses. */
  static final int INSERT_TRIES_MAX = 10;

  private static final long INSERT_PAUSE_MAX_MILLIS = 200;

  private final RegionServerServices server;

  CachedBlocks(RegionServerServices server) {
    this.server = server;
  }

  /**
   * Flushes a region and lists its blocks in this server's cache. A file that the flush made held
   * the newest writes in memory until now, so all of it is listed.
   */
  BlockList cached(String encodedRegion) throws IOException {
    Region found = server.getRegion(encodedRegion);
    if (!(found instanceof HRegion)) {
      throw new IllegalArgumentException("region " + encodedRegion + " is not on this server");
    }
    HRegion region = (HRegion) found;
    Set<String> old = files(region).keySet();
    region.flush(true);
    Map<String, String> paths = files(region);
    Map<String, SortedSet<Long>> offsets =
        server.getBlockCache().map(cache -> offsets(cache, paths.keySet())).orElse(Map.of());
    List<FileBlocks> list = new ArrayList<>();
    for (Map.Entry<String, String> file : paths.entrySet()) {
      SortedSet<Long> cached = offsets.getOrDefault(file.getKey(), Collections.emptySortedSet());
      if (!old.contains(file.getKey())) {
        list.add(new FileBlocks(file.getValue(), Collections.emptyList()));
      } else if (!cached.isEmpty()) {
        list.add(new FileBlocks(file.getValue(), new ArrayList<>(cached)));
      }
    }
    return BlockList.of(list);
  }

  /**
   * Where the blocks begin that a cache has of files, by file. A bucket cache may have millions of
   * blocks, and each region that moves asks, so it is asked for the files; another is walked
   * through.
   */
  static Map<String, SortedSet<Long>> offsets(BlockCache cache, Set<String> files) {
    Map<String, SortedSet<Long>> offsets = new HashMap<>();
    for (BlockCache level : HeapMemory.levels(cache)) {
      Optional<NavigableSet<BlockCacheKey>> byFile = byFile(level);
      if (byFile.isEmpty()) {
        for (CachedBlock block : level) {
          if (files.contains(block.getFilename())) {
            add(offsets, block.getFilename(), block.getOffset());
          }
        }
        continue;
      }
      for (String file : files) {
        BlockCacheKey first = new BlockCacheKey(file, 0);
        BlockCacheKey last = new BlockCacheKey(file, Long.MAX_VALUE);
        for (BlockCacheKey key : byFile.get().subSet(first, true, last, true)) {
          add(offsets, file, key.getOffset());
        }
      }
    }
    return offsets;
  }

  private static void add(Map<String, SortedSet<Long>> offsets, String file, long offset) {
    offsets.computeIfAbsent(file, f -> new TreeSet<>()).add(offset);
  }

  /** A bucket cache's own index, by file and offset; empty where there is none. */
  @SuppressWarnings("unchecked") // The field's own type, in HBase 2.4 to 2.6.
  private static Optional<NavigableSet<BlockCacheKey>> byFile(BlockCache level) {
    if (!(level instanceof BucketCache)) {
      return Optional.empty();
    }
    try {
      // HBase evicts by it, and has no way to read it.
      Field field = BucketCache.class.getDeclaredField("blocksByHFile");
      field.setAccessible(true);
      Object found = field.get(level);
      return found instanceof NavigableSet
          ? Optional.of((NavigableSet<BlockCacheKey>) found)
          : Optional.empty();
    } catch (ReflectiveOperationException e) {
      // Another version; a walk finds the same.
      return Optional.empty();
    }
  }

  /** The region's own store files by name; parts of a parent region's files are left out. */
  private static Map<String, String> files(HRegion region) {
    Map<String, String> files = new HashMap<>();
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        if (!file.getFileInfo().isReference() && !file.getFileInfo().isLink()) {
          files.put(file.getPath().getName(), file.getPath().toString());
        }
      }
    }
    return files;
  }

  /**
   * Reads blocks into this server's cache, in the order of their place on disk, so that they cost
   * few seeks.
   *
   * @return how many the cache has taken. One that is larger than any of a bucket cache's places is
   *     among them: it is dropped later, and no cache counts it
   */
  long warm(BlockList list) throws IOException {
    BlockCache cache = server.getBlockCache().orElse(null);
    if (cache == null) {
      return 0;
    }
    Configuration conf = server.getConfiguration();
    // Without a family: its prefetch would read the whole file.
    CacheConfig config = new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
    Path root = CommonFSUtils.getRootDir(conf);
    Warmer warmer = new Warmer(cache);
    for (FileBlocks file : list.files()) {
      Path path = new Path(file.path());
      if (!path.toString().startsWith(root + "/data/")) {
        throw new IllegalArgumentException(path + " is not a store file of this cluster");
      }
      HFile.Reader reader = HFile.createReader(server.getFileSystem(), path, config, true, conf);
      try {
        warmer.read(reader, file.offsets());
      } finally {
        reader.close(false);
      }
    }
    return warmer.taken;
  }

  /**
   * Drops the blocks of files whose region has left. HBase keeps them until they are the oldest,
   * and those that were requested several times longer than what comes to this server now.
   *
   * @return how many were dropped
   */
  long evict(BlockList list) throws IOException {
    BlockCache cache = server.getBlockCache().orElse(null);
    // A list of none is how a new controller announces itself.
    if (cache == null || list.files().isEmpty()) {
      return 0;
    }
    Set<String> served = new HashSet<>();
    for (Region region : server.getRegions()) {
      if (region instanceof HRegion) {
        served.addAll(files((HRegion) region).keySet());
      }
    }
    long dropped = 0;
    for (FileBlocks file : list.files()) {
      String name = new Path(file.path()).getName();
      if (!served.contains(name)) {
        dropped += cache.evictBlocksByHfileName(name);
      }
    }
    return dropped;
  }

  /** Reads the blocks of one call into the cache. */
  private static final class Warmer {
    private final BlockCache cache;

    /** A cache on the heap alone refuses what it will never take: blocks that are too large. */
    private final int triesMax;

    private int tries;
    private long taken;

    Warmer(BlockCache cache) {
      this.cache = cache;
      triesMax = HeapMemory.levels(cache).size() > 1 ? INSERT_TRIES_MAX : 1;
      tries = triesMax;
    }

    /**
     * @param offsets of the blocks; empty for all of the file
     */
    void read(HFile.Reader reader, List<Long> offsets) throws IOException {
      long end = reader.getTrailer().getLoadOnOpenDataOffset();
      if (offsets.isEmpty()) {
        for (long offset = 0; offset < end; ) {
          offset += read(reader, offset);
        }
      }
      for (long offset : offsets) {
        if (offset < end) {
          read(reader, offset);
        }
      }
    }

    /**
     * Reads a block. A bucket cache takes blocks by queues, and drops what comes while they are
     * full; that is read again, after longer and longer pauses. Once it has taken nothing for that
     * long, blocks are tried once each until it takes one.
     *
     * @return how long it is in its file, in bytes
     */
    private long read(HFile.Reader reader, long offset) throws IOException {
      awaitRoom(cache);
      long pauseMillis = PAUSE_MILLIS;
      for (int left = tries - 1; ; left--) {
        long refused = cache.getStats().getFailedInserts();
        HFileBlock block = block(reader, offset);
        long length = block.getOnDiskSizeWithHeader();
        block.release();
        if (cache.getStats().getFailedInserts() == refused || holds(reader, offset)) {
          taken++;
          tries = triesMax;
          return length;
        }
        if (left == 0) {
          tries = 1;
          return length;
        }
        pause(pauseMillis);
        pauseMillis = Math.min(INSERT_PAUSE_MAX_MILLIS, 2 * pauseMillis);
      }
    }

    /** What was refused may have been another thread's block. */
    private boolean holds(HFile.Reader reader, long offset) {
      Cacheable found =
          cache.getBlock(new BlockCacheKey(reader.getName(), offset), true, true, false);
      if (found == null) {
        return false;
      }
      found.release();
      return true;
    }
  }

  /**
   * Lets the cache's own thread evict before more is put in. Without that, blocks that come faster
   * than it works take up to a fifth more of the heap than the cache's share (HBase's hard limit).
   */
  private static void awaitRoom(BlockCache cache) throws IOException {
    for (BlockCache level : HeapMemory.levels(cache)) {
      for (int tries = 0; level.getCurrentSize() > level.getMaxSize(); tries++) {
        if (tries == TRIES_MAX) {
          throw new IllegalArgumentException("the block cache is full and evicts nothing");
        }
        pause(PAUSE_MILLIS);
      }
    }
  }

  private static void pause(long millis) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for room in the block cache");
    }
  }

  /** As a stream, not by position: the disk reads ahead. */
  private static HFileBlock block(HFile.Reader reader, long offset) throws IOException {
    return reader.readBlock(offset, -1, true, false, false, false, null, null);
  }
}
