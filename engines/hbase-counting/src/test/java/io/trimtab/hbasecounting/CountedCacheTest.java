package io.trimtab.hbasecounting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.hbaseplugin.BlockIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.InclusiveCombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.ResizableBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On HBase's own cache and files. */
class CountedCacheTest {
  @TempDir Path folder;

  private final Configuration conf = HBaseConfiguration.create();
  private final BlockCounts counts = new BlockCounts(10_000);
  private LruBlockCache real;
  private BlockCache cache;

  @BeforeEach
  void make() {
    // Room for a tenth of the file, so that most accesses are misses.
    real = new LruBlockCache(60 << 10, 1 << 10, true, conf);
    cache = CountedCache.of(real, counts);
  }

  @AfterEach
  void end() {
    real.shutdown();
  }

  private HFile.Reader file() throws IOException {
    return HFileOfRows.write(
        folder, conf, new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP));
  }

  private static int block(List<byte[]> firsts, String row) {
    int at = 0;
    while (at + 1 < firsts.size() && new String(firsts.get(at + 1), UTF_8).compareTo(row) <= 0) {
      at++;
    }
    return at;
  }

  private void read(HFile.Reader reader, String row) throws IOException {
    HFileScanner scanner = reader.getScanner(conf, true, true);
    byte[] key = row.getBytes(UTF_8);
    assertThat(
            scanner.seekTo(
                new KeyValue(key, "f".getBytes(UTF_8), "q".getBytes(UTF_8), new byte[100])))
        .isZero();
    scanner.close();
  }

  @Test
  void everyAccessToADataBlockCountsOnce() throws IOException {
    Random random = new Random(5);
    SortedMap<Integer, Integer> byBlock = new TreeMap<>();
    try (HFile.Reader reader = file()) {
      List<byte[]> firsts = BlockIndex.firstRows(reader);
      for (int i = 0; i < 3_000; i++) {
        String row = HFileOfRows.row((int) (HFileOfRows.ROWS * Math.pow(random.nextDouble(), 3)));
        read(reader, row);
        byBlock.merge(block(firsts, row), 1, Integer::sum);
      }
      SortedMap<Integer, Integer> expected = new TreeMap<>();
      byBlock.values().forEach(count -> expected.merge(count, 1, Integer::sum));
      assertThat(counts.histogram(List.of("file"))).isEqualTo(expected);
      assertThat(real.getStats().getMissCount()).isGreaterThan(500);
      assertThat(real.getStats().getHitCount()).isGreaterThan(500);
    }
    assertThat(counts.histogram(List.of("another"))).isEmpty();
    assertThat(counts.missing()).isEmpty();
  }

  /** HBase itself looks for a bucket cache by the class of the whole. */
  @Test
  void withABucketCacheBothLevelsAreTheRealOnesAndCounted() throws IOException {
    int[] sizes = {2 << 10, 5 << 10};
    BucketCache bucket = new BucketCache("offheap", 8L << 20, 1 << 10, sizes, 1, 64, null);
    try {
      cache = CountedCache.of(new CombinedBlockCache(real, bucket), counts);
      assertThat(cache.getBlockCaches()).containsExactly(real, bucket);
      try (HFile.Reader reader = file()) {
        for (int i = 0; i < 3; i++) {
          read(reader, HFileOfRows.row(7));
        }
      }
      assertThat(counts.histogram(List.of("file"))).isEqualTo(Map.of(3, 1));
      assertThat(bucket.getStats().getHitCount()).isEqualTo(2);
      cache.evictBlocksByHfileName("file");
      assertThat(counts.histogram(List.of("file"))).isEmpty();
    } finally {
      bucket.shutdown();
    }
  }

  /** Its counted form would put blocks into one level only. */
  @Test
  void aCacheThatKeepsBlocksInBothLevelsStaysAsItIs() throws IOException {
    int[] sizes = {2 << 10, 5 << 10};
    BucketCache bucket = new BucketCache("offheap", 8L << 20, 1 << 10, sizes, 1, 64, null);
    try {
      BlockCache inclusive = new InclusiveCombinedBlockCache(real, bucket);
      assertThat(CountedCache.of(inclusive, counts)).isSameAs(inclusive);
    } finally {
      bucket.shutdown();
    }
  }

  /** A scan goes on from block to block without saying what they are. */
  @Test
  void aScanAsksForEachBlockOnce() throws IOException {
    try (HFile.Reader reader = file()) {
      HFileScanner scanner = reader.getScanner(conf, true, true);
      assertThat(scanner.seekTo()).isTrue();
      int rows = 1;
      while (scanner.next()) {
        rows++;
      }
      scanner.close();
      assertThat(rows).isEqualTo(HFileOfRows.ROWS);
      int blocks = BlockIndex.firstRows(reader).size();
      assertThat(counts.histogram(List.of("file"))).isEqualTo(Map.of(1, blocks));
    }
  }

  @Test
  void aFileThatLeavesTheCacheIsForgottenAndNoMoreThanTheMostAreCounted() {
    BlockCounts few = new BlockCounts(2);
    BlockCache counted = CountedCache.of(real, few);
    assertThat(few.missing()).isEmpty();
    for (long offset = 0; offset < 5; offset++) {
      few.add("f", offset);
      few.add("f", offset);
    }
    assertThat(few.histogram(List.of("f"))).isEqualTo(Map.of(2, 2));
    assertThat(few.missing()).hasValue("more than 2 blocks have been asked for");
    counted.evictBlocksByHfileName("f");
    assertThat(few.histogram(List.of("f"))).isEmpty();
    assertThat(few.missing()).isEmpty();
  }

  /** The profiles resize what the server says is its cache. */
  @Test
  void whatIsToldToTheCacheReachesTheRealOne() {
    ((ResizableBlockCache) cache).setMaxSize(1 << 20);
    assertThat(real.getMaxSize()).isEqualTo(1 << 20);
    assertThat(cache).isEqualTo(real).hasSameHashCodeAs(real);
    List<Object> blocks = new ArrayList<>();
    cache.iterator().forEachRemaining(blocks::add);
    assertThat(blocks).isEmpty();
  }
}
