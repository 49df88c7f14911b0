package io.trimtab.models.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SharedCacheTest {
  private static final double BLOCK = 65_536;

  private static CacheLoad load(int blocks, double perSecond, IntToDoubleFunction count) {
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    for (int i = 0; i < blocks; i++) {
      builder.add(count.applyAsDouble(i), 1, BLOCK);
    }
    return CacheLoad.of(builder.build(), perSecond);
  }

  private static CacheLoad skewed(int blocks, double perSecond) {
    return load(blocks, perSecond, i -> 1 + Math.rint(1e5 / (i + 1)));
  }

  private static double bytes(double blocks) {
    return blocks * BLOCK / LruBlockCacheModel.FILL;
  }

  @Test
  void whatAllHitTogetherIsWhatTheModelOfOneCacheSays() {
    CacheLoad one = skewed(400, 900);
    CacheLoad other = skewed(1_500, 300);
    for (double blocks : new double[] {50, 300, 1_200}) {
      double[] hits = SharedCache.hitRatios(new CacheLoad[] {one, other}, bytes(blocks));

      assertThat((900 * hits[0] + 300 * hits[1]) / 1_200)
          .as("%.0f blocks", blocks)
          .isCloseTo(one.plus(other).hitRatio(bytes(blocks)), within(0.005));
    }
  }

  /** Equal data, one asked for ten times as often: its blocks stay. */
  @Test
  void whoAsksMoreOftenHitsMore() {
    double[] hits =
        SharedCache.hitRatios(
            new CacheLoad[] {load(500, 1_000, i -> 7), load(500, 100, i -> 7)}, bytes(500));

    assertThat(hits[0]).isGreaterThan(hits[1] + 0.4);
  }

  @Test
  void allIsHitWhereAllFits() {
    double[] hits =
        SharedCache.hitRatios(
            new CacheLoad[] {skewed(100, 50), CacheLoad.NONE, skewed(200, 70)}, bytes(301));

    assertThat(hits).containsExactly(1, 1, 1);
  }
}
