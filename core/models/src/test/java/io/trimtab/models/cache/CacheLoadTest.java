package io.trimtab.models.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CacheLoadTest {
  private static final double BLOCK = 65_536;

  private static AccessHistogram histogram(Random random, int blocks, double skew) {
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    for (int i = 0; i < blocks; i++) {
      builder.add(1 + Math.rint(1e6 * Math.pow(i + 1.0, -skew) * random.nextDouble()), 1, BLOCK);
    }
    return builder.build();
  }

  @Test
  void theHitRatioIsThatOfTheWholeHistogram() {
    Random random = new Random(2);
    for (double skew : new double[] {0, 0.6, 0.99, 1.3}) {
      AccessHistogram histogram = histogram(random, 5_000, skew);
      CacheLoad load = CacheLoad.of(histogram, 700);
      for (double share : new double[] {0.05, 0.3, 0.7, 0.95}) {
        double bytes = share * 5_000 * BLOCK / 0.97;
        assertThat(load.hitRatio(bytes))
            .as("skew %s, cache %s", skew, share)
            .isCloseTo(LruModel.ofBytes(histogram, 0.97 * bytes).hitRatio(), within(0.002));
      }
    }
  }

  @Test
  void mergingIsThatOfTheHistogramsAtTheirRates() {
    Random random = new Random(4);
    AccessHistogram a = histogram(random, 2_000, 0.99);
    AccessHistogram b = histogram(random, 3_000, 0.3);
    CacheLoad both = CacheLoad.of(a, 900).plus(CacheLoad.of(b, 100));
    AccessHistogram merged =
        AccessHistogram.merge(java.util.List.of(a.scaledTo(900), b.scaledTo(100)));
    double bytes = 1_500 * BLOCK;

    assertThat(both.hitRatio(bytes))
        .isCloseTo(LruModel.ofBytes(merged, 0.97 * bytes).hitRatio(), within(0.002));
    CacheLoad less = both.minus(CacheLoad.of(b, 100));
    assertThat(less.hitRatio(bytes)).isCloseTo(CacheLoad.of(a, 900).hitRatio(bytes), within(1e-4));
    assertThat(less.bytes()).isCloseTo(CacheLoad.of(a, 900).bytes(), within(1.0));
  }

  @Test
  void askedMoreOftenItHitsAsMuchAndOutweighsOthers() {
    CacheLoad one = CacheLoad.of(histogram(new Random(6), 2_000, 0.9), 100);
    CacheLoad other = CacheLoad.of(histogram(new Random(7), 2_000, 0.1), 100);
    double bytes = 1_000 * BLOCK;

    assertThat(one.times(7).hitRatio(bytes)).isCloseTo(one.hitRatio(bytes), within(0.002));
    assertThat(one.times(7).plus(other).hitRatio(bytes))
        .isGreaterThan(one.plus(other).hitRatio(bytes));
    assertThat(one.times(0).bytes()).isZero();
  }

  @Test
  void whatFitsIsHit() {
    assertThat(CacheLoad.NONE.hitRatio(1)).isEqualTo(1);
    CacheLoad small = CacheLoad.of(histogram(new Random(1), 10, 1), 50);
    assertThat(small.hitRatio(11 * BLOCK)).isEqualTo(1);
    assertThat(small.hitRatio(5 * BLOCK)).isLessThan(1);
  }

  @Test
  void ofACacheOfWhichOnlyTheHitRatioIsKnownItHasThat() {
    double bytes = 400 << 20;
    for (double hits : new double[] {0, 0.3, 0.9, 0.99, 1}) {
      CacheLoad load = CacheLoad.hitting(hits, bytes, 700);
      CacheLoad parts =
          load.part(0.25).plus(load.part(0.6)).plus(load.part(0.15)).minus(CacheLoad.NONE);
      assertThat(load.hitRatio(bytes)).as("%s", hits).isCloseTo(hits, within(0.003));
      assertThat(parts.hitRatio(bytes)).as("%s in parts", hits).isCloseTo(hits, within(0.003));
      assertThat(load.hitRatio(bytes / 2))
          .as("%s with half of the cache", hits)
          .isCloseTo(0.75 * hits, within(0.003));
    }
    // A second node's load on one node has half of the cache, each.
    CacheLoad one = CacheLoad.hitting(0.8, bytes, 700);
    assertThat(one.plus(CacheLoad.hitting(0.8, bytes, 700)).hitRatio(bytes))
        .isCloseTo(0.6, within(0.003));
    assertThat(CacheLoad.hitting(0.8, bytes, 0).bytes()).isZero();
  }

  /** Counts age by half for as long as nobody asks. */
  @Test
  void whatNobodyHasAskedForForDaysTakesNoRoom() {
    CacheLoad asked = CacheLoad.of(histogram(new Random(8), 1_000, 0.9), 100);
    CacheLoad forgotten = CacheLoad.of(histogram(new Random(9), 5_000, 0.9), 1e-290);
    double bytes = 500 * BLOCK;

    assertThat(forgotten.hitRatio(bytes)).isEqualTo(1);
    assertThat(asked.plus(forgotten).hitRatio(bytes)).isEqualTo(asked.hitRatio(bytes));
    assertThat(asked.plus(asked.times(1e-290)).hitRatio(bytes)).isEqualTo(asked.hitRatio(bytes));
    CacheLoad stays = asked.plus(asked.times(1e-3));
    assertThat(stays.minus(asked).hitRatio(bytes)).isBetween(0.0, 1.0);
    assertThat(CacheLoad.hitting(0.9, 1e9, 1e-290).hitRatio(1e8)).isEqualTo(1);
  }
}
