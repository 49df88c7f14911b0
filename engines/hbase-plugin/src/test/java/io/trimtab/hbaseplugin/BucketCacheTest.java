package io.trimtab.hbaseplugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.hbasewire.BlockList;
import io.trimtab.hbasewire.BlockList.FileBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with its data blocks in HBase's own bucket cache, and its other blocks on the heap. */
class BucketCacheTest {
  @TempDir Path folder;

  private FakeServer server;
  private BucketCache bucket;

  @BeforeEach
  void make() throws IOException {
    server = new FakeServer(false);
    server.configuration.set("hbase.rootdir", "file:" + folder);
    // Its writer takes one block at a time, so that most come while it is busy.
    bucket = server.addBucketCache(1);
  }

  @AfterEach
  void end() {
    bucket.shutdown();
  }

  @Test
  void theShareOfTheHeapIsResizedAndTheBucketCacheStays() {
    HeapMemory memory = new HeapMemory(server.services());
    assertThat(memory.notResizable()).isEmpty();
    assertThat(memory.cacheMaxBytes()).isEqualTo(64L << 20);
    assertThat(memory.bucketMaxBytes()).isEqualTo(8L << 20);

    memory.setCacheMaxBytes(10L << 20);

    assertThat(server.cache.getMaxSize()).isEqualTo(10L << 20);
    assertThat(memory.cacheMaxBytes()).isEqualTo(10L << 20);
    assertThat(bucket.getMaxSize()).isEqualTo(8L << 20);
    assertThat(memory.cacheClass()).isEqualTo("CombinedBlockCache");
  }

  @Test
  void withoutOneAllOfTheCacheIsOnTheHeap() throws IOException {
    HeapMemory memory = new HeapMemory(new FakeServer(false).services());
    assertThat(memory.cacheMaxBytes()).isEqualTo(64L << 20);
    assertThat(memory.bucketMaxBytes()).isZero();
    assertThat(memory.bucketUsedBytes()).isZero();
  }

  private FileBlocks file(List<Long> offsets) {
    return new FileBlocks("file:" + folder + "/data/file", offsets);
  }

  /** Writes a store file of small blocks; how many there are. */
  private int write() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    try (HFile.Reader reader =
        BlockIndexTest.file(folder.resolve("data"), conf, new CacheConfig(conf))) {
      return reader.getTrailer().getDataIndexCount();
    }
  }

  /** What was cached may still be on its way from the queue. */
  private void drained(int blocks) throws InterruptedException {
    for (int i = 0; bucket.getBackingMap().size() < blocks && i < 1_000; i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(bucket.getBackingMap().size()).isEqualTo(blocks);
  }

  @Test
  void everyBlockIsWarmAlthoughTheQueueIsFull() throws Exception {
    int blocks = write();
    CachedBlocks cached = new CachedBlocks(server.services());

    assertThat(cached.warm(BlockList.of(List.of(file(List.of()))))).isEqualTo(blocks);

    drained(blocks);
    HeapMemory memory = new HeapMemory(server.services());
    assertThat(memory.bucketUsedBytes()).isGreaterThan(blocks * 1_000L);
    assertThat(memory.cachedBlocks()).isGreaterThanOrEqualTo(blocks);
  }

  /** One that counts each block as refused, and has it all the same or not. */
  private static final class Failing extends BucketCache {
    private final AtomicInteger offered = new AtomicInteger();
    private final boolean takes;

    Failing(boolean takes) throws IOException {
      super("offheap", 8L << 20, 64 << 10, new int[] {2 << 10, 5 << 10}, 1, 1_024, null);
      this.takes = takes;
    }

    @Override
    public void cacheBlockWithWait(
        BlockCacheKey key, Cacheable block, boolean inMemory, boolean wait) {
      offered.incrementAndGet();
      if (takes) {
        super.cacheBlockWithWait(key, block, inMemory, wait);
      }
      getStats().failInsert();
    }
  }

  @Test
  void whatTheCacheRefusesIsNotWarmAndIsNotWaitedForAtEachBlock() throws IOException {
    Failing full = new Failing(false);
    server.add(full);
    try {
      int blocks = write();

      long warm = new CachedBlocks(server.services()).warm(BlockList.of(List.of(file(List.of()))));

      assertThat(warm).isZero();
      assertThat(full.offered).hasValue(CachedBlocks.INSERT_TRIES_MAX + blocks - 1);
    } finally {
      full.shutdown();
    }
  }

  /** Failed inserts are counted for all threads together. */
  @Test
  void aBlockThatIsThereIsWarmWhoeverWasRefused() throws IOException {
    Failing busy = new Failing(true);
    server.add(busy);
    try {
      int blocks = write();

      long warm = new CachedBlocks(server.services()).warm(BlockList.of(List.of(file(List.of()))));

      assertThat(warm).isEqualTo(blocks);
      assertThat(busy.offered).as("none is read again").hasValue(blocks);
    } finally {
      busy.shutdown();
    }
  }

  /** It may have millions of blocks, and every region that moves asks. */
  @Test
  void theBlocksOfAFileAreFoundWithoutAWalkThroughTheBucketCache() throws Exception {
    int blocks = write();
    new CachedBlocks(server.services()).warm(BlockList.of(List.of(file(List.of()))));
    drained(blocks);
    SortedSet<Long> walked = new TreeSet<>();
    bucket.iterator().forEachRemaining(block -> walked.add(block.getOffset()));
    BucketCache unwalked =
        new BucketCache("offheap", 8L << 20, 64 << 10, new int[] {2 << 10, 5 << 10}, 1, 64, null) {
          @Override
          public Iterator<CachedBlock> iterator() {
            throw new AssertionError("walked through");
          }
        };
    bucket.shutdown();
    bucket = unwalked;
    server.add(bucket);
    new CachedBlocks(server.services()).warm(BlockList.of(List.of(file(List.of()))));
    drained(blocks);
    BlockCache all = server.services().getBlockCache().orElseThrow();

    assertThat(CachedBlocks.offsets(all, Set.of("file", "another")))
        .isEqualTo(Map.of("file", walked));
    assertThat(CachedBlocks.offsets(all, Set.of("fil", "filf"))).isEmpty();
  }

  @Test
  void blocksOfACacheOnTheHeapAreFound() throws IOException {
    FakeServer heap = new FakeServer(false);
    heap.configuration.set("hbase.rootdir", "file:" + folder);
    int blocks = write();
    new CachedBlocks(heap.services()).warm(BlockList.of(List.of(file(List.of()))));

    assertThat(CachedBlocks.offsets(heap.cache, Set.of("file")).get("file")).hasSize(blocks);
    assertThat(CachedBlocks.offsets(heap.cache, Set.of("another"))).isEmpty();
  }

  @Test
  void blocksOfARegionThatHasLeftAreDropped() throws Exception {
    int blocks = write();
    CachedBlocks cached = new CachedBlocks(server.services());
    cached.warm(BlockList.of(List.of(file(List.of()))));
    drained(blocks);

    assertThat(cached.evict(BlockList.of(List.of(file(List.of()))))).isEqualTo(blocks);

    assertThat(bucket.getBackingMap().size()).isZero();
  }

  /** A bucket cache has places of a few sizes, in which blocks take more than they are long. */
  @Test
  void aBlockTakesTheSmallestPlaceIntoWhichItFits() {
    assertThat(RegionFollower.inBucket(65_600, null)).isEqualTo(65 << 10);
    assertThat(RegionFollower.inBucket(66_550, null)).isEqualTo(97 << 10);
    String[] sizes = {"67584", " 34816", "133120"};
    assertThat(RegionFollower.inBucket(20_000, sizes)).isEqualTo(34_816);
    assertThat(RegionFollower.inBucket(65_600, sizes)).isEqualTo(67_584);
    assertThat(RegionFollower.inBucket(200_000, sizes)).isEqualTo(200_013);
  }

  /** A file of narrow rows, for each of which its Bloom filter has more than a byte. */
  private HStoreFile narrow() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    FileSystem files = FileSystem.getLocal(conf);
    CacheConfig uncached = new CacheConfig(conf);
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, uncached, files)
            .withOutputDir(new org.apache.hadoop.fs.Path(folder.toString()))
            .withBloomType(BloomType.ROW)
            .withMaxKeyCount(200_000)
            .withFileContext(new HFileContextBuilder().withBlockSize(64 << 10).build())
            .build();
    for (int i = 0; i < 200_000; i++) {
      byte[] row = BlockIndexTest.row(i).getBytes(UTF_8);
      writer.append(new KeyValue(row, "f".getBytes(UTF_8), "q".getBytes(UTF_8), new byte[4]));
    }
    writer.appendMetadata(1, false);
    writer.close();
    StoreFileInfo info =
        new StoreFileInfo(conf, files, files.getFileStatus(writer.getPath()), null, null);
    HStoreFile stored = new HStoreFile(info, BloomType.ROW, uncached);
    stored.initReader();
    return stored;
  }

  /** With them each block would be taken for one that needs the next larger place. */
  @Test
  void bloomFiltersAndIndexesAreNoPartOfABlocksPlace() throws IOException {
    HStoreFile stored = narrow();
    try {
      HFile.Reader reader = stored.getReader().getHFileReader();
      int blocks = BlockIndex.firstRows(reader).size();
      double all = RegionFollower.bytesInFile(reader, blocks);
      double data = RegionFollower.dataBytes(stored.getReader(), blocks);

      assertThat(RegionFollower.inBucket(all, null)).isEqualTo(97 << 10);
      assertThat(RegionFollower.inBucket(data, null)).isEqualTo(65 << 10);
    } finally {
      stored.closeStoreFile(true);
    }
  }
}
