package io.trimtab.experiments.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruModel;
import io.trimtab.plugincore.BlockAccesses;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Hit ratios of a region with more blocks than are followed, against those from exact counts. Each
 * block has the same number of requests at every run, so nothing here is due to chance but which
 * blocks are followed.
 */
class SampledBlocksTest {
  private static final int ROWS = 4;
  private static final double REQUESTS_PER_BLOCK = 20;

  /** How requests fall on blocks. */
  private enum Load {
    UNIFORM(block -> 1, false),
    ZIPF_CLUSTERED(block -> 1.0 / (block + 1), false),
    ZIPF_SCATTERED(block -> 1.0 / (block + 1), true),
    HOTSPOT(block -> block % 1_000 < 300 ? 5 : 1, false),
    HOTSPOT_SCATTERED(block -> block % 10 < 3 ? 5 : 1, true);

    private final java.util.function.IntToDoubleFunction share;
    private final boolean scattered;

    Load(java.util.function.IntToDoubleFunction share, boolean scattered) {
      this.share = share;
      this.scattered = scattered;
    }

    int[] counts(int blocks) {
      double all = 0;
      for (int i = 0; i < blocks; i++) {
        all += share.applyAsDouble(i);
      }
      int[] counts = new int[blocks];
      for (int i = 0; i < blocks; i++) {
        counts[i] = (int) Math.round(share.applyAsDouble(i) / all * REQUESTS_PER_BLOCK * blocks);
      }
      if (scattered) {
        Random random = new Random(5);
        for (int i = blocks - 1; i > 0; i--) {
          int j = random.nextInt(i + 1);
          int other = counts[i];
          counts[i] = counts[j];
          counts[j] = other;
        }
      }
      return counts;
    }
  }

  private static byte[] key(int row) {
    return String.format(Locale.ROOT, "r%012d", row).getBytes(UTF_8);
  }

  private static double[] hitRatios(Load load, int blocks) {
    List<byte[]> first = new ArrayList<>();
    for (int i = 1; i < blocks; i++) {
      first.add(key(ROWS * i));
    }
    BlockAccesses accesses = new BlockAccesses(first, new byte[0], new byte[0]);
    var exact = new AccessHistogram.Builder();
    int[] counts = load.counts(blocks);
    IntUnaryOperator row = i -> ROWS * i + i % ROWS;
    for (int i = 0; i < blocks; i++) {
      byte[] key = key(row.applyAsInt(i));
      for (int n = 0; n < counts[i]; n++) {
        accesses.add(key);
      }
      exact.add(counts[i], 1);
    }
    var told = new AccessHistogram.Builder();
    BlockAccesses.Histogram histogram = accesses.histogram();
    for (int i = 0; i < histogram.size(); i++) {
      told.add(histogram.count(i), histogram.blocks(i));
    }
    assertThat(histogram.size()).isLessThan(1_000);
    double[] errors = new double[3];
    double[] caches = {0.1, 0.3, 0.6};
    for (int i = 0; i < caches.length; i++) {
      errors[i] =
          100
              * (LruModel.ofBlocks(told.build(), caches[i] * blocks).hitRatio()
                  - LruModel.ofBlocks(exact.build(), caches[i] * blocks).hitRatio());
    }
    return errors;
  }

  @ParameterizedTest
  @EnumSource
  void allBlocksAreFollowedUpToTheBound(Load load) {
    for (double error : hitRatios(load, BlockAccesses.STRETCHES_MAX)) {
      // Large counts are told to one part in 128.
      assertThat(error).isCloseTo(0, within(0.2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void beyondTheBoundTheErrorIsSmall(Load load) {
    for (double error : hitRatios(load, 4 * BlockAccesses.STRETCHES_MAX)) {
      assertThat(error).isCloseTo(0, within(1.5));
    }
  }
}
