package io.trimtab.experiments.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruBlockCacheModel;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.junit.jupiter.api.Test;

/** The model against HBase's own cache class, fed with requests of known distribution. */
class LruBlockCacheModelTest {
  private static final int BLOCKS = 4_000;
  private static final int REQUESTS = 800_000;
  private static final int BYTES = 64 << 10;

  /** A block without content. */
  private record Block() implements Cacheable {
    @Override
    public long heapSize() {
      return BYTES;
    }

    @Override
    public int getSerializedLength() {
      return BYTES;
    }

    @Override
    public void serialize(ByteBuffer destination, boolean includeNextBlockMetadata) {
      throw new UnsupportedOperationException("has no content");
    }

    @Override
    public CacheableDeserializer<Cacheable> getDeserializer() {
      throw new UnsupportedOperationException("has no content");
    }

    @Override
    public BlockType getBlockType() {
      return BlockType.DATA;
    }
  }

  @Test
  void theModelIsNearHBasesCache() {
    Map<String, IntToDoubleFunction> all = new LinkedHashMap<>();
    all.put("uniform", i -> 1);
    all.put("Zipf 0.7", i -> Math.pow(i + 1, -0.7));
    all.put("Zipf 0.99", i -> Math.pow(i + 1, -0.99));
    all.put("hotspot 50/40", i -> i < 0.4 * BLOCKS ? 0.5 / 0.4 : 0.5 / 0.6);
    all.put("hotspot 90/10", i -> i < 0.1 * BLOCKS ? 9 : 0.1 / 0.9);
    StringBuilder told = new StringBuilder();
    double worst = 0;
    for (var entry : all.entrySet()) {
      double[] rates = new double[BLOCKS];
      for (int i = 0; i < BLOCKS; i++) {
        rates[i] = entry.getValue().applyAsDouble(i);
      }
      for (double share : new double[] {0.1, 0.3, 0.6}) {
        double model =
            LruBlockCacheModel.ofBlocks(AccessHistogram.ofCounts(rates), share * BLOCKS).hitRatio();
        double real = real(rates, (int) (share * BLOCKS));
        told.append(
            String.format("%s, cache %.1f: %.4f, real %.4f%n", entry.getKey(), share, model, real));
        worst = Math.max(worst, Math.abs(model - real));
      }
    }
    assertThat(worst).as(told.toString()).isLessThan(0.015);
  }

  /** Hit ratio of the second half of the requests. */
  private static double real(double[] rates, int blocks) {
    double[] upTo = rates.clone();
    for (int i = 1; i < upTo.length; i++) {
      upTo[i] += upTo[i - 1];
    }
    Random random = new Random(7);
    // What HBase adds to each block's own size.
    long perBlock = BYTES + 200;
    LruBlockCache cache =
        new LruBlockCache(blocks * perBlock, BYTES, false, new Configuration(false));
    BlockCacheKey[] keys = new BlockCacheKey[upTo.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = new BlockCacheKey("f", i);
    }
    int hits = 0;
    for (int i = 0; i < REQUESTS; i++) {
      double u = random.nextDouble() * upTo[upTo.length - 1];
      int found = Arrays.binarySearch(upTo, u);
      BlockCacheKey key = keys[found < 0 ? -found - 1 : found];
      if (cache.getBlock(key, true, false, true) != null) {
        hits += i >= REQUESTS / 2 ? 1 : 0;
      } else {
        cache.cacheBlock(key, new Block());
      }
    }
    return hits / (REQUESTS / 2.0);
  }
}
