package io.trimtab.models.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class TwoPartCacheTest {
  private static final double BLOCK = 65_536;
  private static final int BLOCKS = 1_000;

  /** A tenth of a point, and what the bins add. */
  private static final double NEAR = 0.003;

  private static AccessHistogram histogram(IntToDoubleFunction count) {
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    for (int i = 0; i < BLOCKS; i++) {
      builder.add(count.applyAsDouble(i), 1, BLOCK);
    }
    return builder.build();
  }

  /** A fifth of the blocks is asked for 33 times as often as the others. */
  private static AccessHistogram hotSpot() {
    return histogram(i -> i < BLOCKS / 5 ? 100 : 3);
  }

  private static void assertAlike(AccessHistogram histogram, String what) {
    CacheLoad load = CacheLoad.of(histogram, 700);
    for (double share : new double[] {0.05, 0.3, 0.7, 0.95}) {
      double bytes = share * BLOCKS * BLOCK / 0.97;
      assertThat(load.hitRatioOfTwoParts(bytes))
          .as("%s, cache %s", what, share)
          .isCloseTo(LruBlockCacheModel.ofBytes(histogram, bytes).hitRatio(), within(NEAR));
    }
  }

  @Test
  void theHitRatioIsThatOfTheModel() {
    Random random = new Random(3);
    for (double skew : new double[] {0, 0.6, 0.99, 1.3}) {
      assertAlike(
          histogram(i -> 1 + Math.rint(1e6 * Math.pow(i + 1.0, -skew) * random.nextDouble())),
          "skew " + skew);
    }
    assertAlike(hotSpot(), "hot spot");
  }

  /** By some points, so that it matters which of the two is asked. */
  @Test
  void aHotSpotIsHitLessThanByPlainLru() {
    CacheLoad load = CacheLoad.of(hotSpot(), 700);
    double bytes = 0.3 * BLOCKS * BLOCK / 0.97;

    assertThat(load.hitRatio(bytes) - load.hitRatioOfTwoParts(bytes)).isGreaterThan(0.03);
  }

  @Test
  void whatFitsIsHit() {
    CacheLoad small = CacheLoad.of(histogram(i -> 7), 50);

    assertThat(CacheLoad.NONE.hitRatioOfTwoParts(1)).isEqualTo(1);
    assertThat(small.hitRatioOfTwoParts(1.1 * BLOCKS * BLOCK)).isEqualTo(1);
    assertThat(small.hitRatioOfTwoParts(0.5 * BLOCKS * BLOCK)).isCloseTo(0.485, within(0.005));
    assertThat(small.hitRatioOfTwoParts(0)).isEqualTo(small.hitRatio(0));
  }
}
