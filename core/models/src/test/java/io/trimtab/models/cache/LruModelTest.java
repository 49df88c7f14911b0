package io.trimtab.models.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class LruModelTest {

  @Test
  void uniformRequestsHitInProportion() {
    AccessHistogram uniform = new AccessHistogram.Builder().add(7, 10_000).build();
    for (double share : new double[] {0.01, 0.3, 0.9}) {
      LruModel.Estimate estimate = LruModel.ofBlocks(uniform, 10_000 * share);
      assertThat(estimate.hitRatio()).isCloseTo(share, within(1e-9));
      // 1 − e^(−T/n) = share
      assertThat(estimate.characteristicTime())
          .isCloseTo(-10_000 * Math.log(1 - share), within(1e-6));
    }
  }

  @Test
  void whatFitsIsAlwaysHit() {
    AccessHistogram some = new AccessHistogram.Builder().add(3, 10).add(0, 90).build();
    assertThat(LruModel.ofBlocks(some, 10))
        .isEqualTo(new LruModel.Estimate(1, Double.POSITIVE_INFINITY));
    assertThat(LruModel.ofBlocks(some, 9.99).hitRatio()).isLessThan(1);
  }

  @Test
  void sizesCount() {
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    for (int i = 1; i <= 1_000; i++) {
      builder.add(1_000.0 / i, 1, 65_536);
    }
    AccessHistogram equal = builder.build();
    assertThat(LruModel.ofBytes(equal, 200 * 65_536.0).hitRatio())
        .isCloseTo(LruModel.ofBlocks(equal, 200).hitRatio(), within(1e-9));
    AccessHistogram unsized = new AccessHistogram.Builder().add(1, 5).build();
    assertThatThrownBy(() -> LruModel.ofBytes(unsized, 3))
        .hasMessage("the blocks' sizes are not known");
  }

  @Test
  void theEquationHolds() {
    for (int n : new int[] {50, 20_000}) {
      double[] counts = counts(n, i -> 1e6 / Math.pow(i + 1, 0.8));
      AccessHistogram histogram = AccessHistogram.ofCounts(counts);
      for (double share : new double[] {0.001, 0.1, 0.5, 0.99, 0.9999}) {
        double capacity = Math.max(1, n * share);
        double time = LruModel.ofBlocks(histogram, capacity).characteristicTime();
        double filled = 0;
        for (double count : counts) {
          filled -= Math.expm1(-count / histogram.requests() * time);
        }
        assertThat(filled).as(n + " blocks, " + share).isCloseTo(capacity, within(1e-6 * n));
      }
    }
  }

  @Test
  void moreCacheIsNeverWorse() {
    AccessHistogram histogram =
        AccessHistogram.ofCounts(counts(3_000, i -> 1e5 / (i + 1) + i % 17));
    double before = 0;
    for (int c = 1; c <= 3_000; c += 13) {
      double hits = LruModel.ofBlocks(histogram, c).hitRatio();
      assertThat(hits).isGreaterThanOrEqualTo(before).isBetween(0.0, 1.0);
      before = hits;
    }
  }

  @Test
  void mergedHistogramsAreOne() {
    AccessHistogram a = AccessHistogram.ofCounts(counts(500, i -> i));
    AccessHistogram b = AccessHistogram.ofCounts(counts(300, i -> 2.0 * i));
    AccessHistogram both = AccessHistogram.merge(List.of(a, b));
    assertThat(both.blocks()).isEqualTo(800);
    assertThat(both.requests()).isEqualTo(a.requests() + b.requests());
    assertThat(both.sized()).isFalse();
  }

  @Test
  void nonsenseIsRefused() {
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> builder.add(bad, 1)).hasMessageStartingWith("a count must be");
      assertThatThrownBy(() -> builder.add(1, bad)).hasMessageStartingWith("a multiplicity");
      assertThatThrownBy(() -> builder.add(1, 1, bad)).hasMessageStartingWith("a block's size");
    }
    AccessHistogram some = new AccessHistogram.Builder().add(3, 10).build();
    for (double bad : new double[] {0, -1, Double.NaN}) {
      assertThatThrownBy(() -> LruModel.ofBlocks(some, bad))
          .hasMessage("a cache's size must be > 0, not " + bad);
    }
    AccessHistogram idle = new AccessHistogram.Builder().add(0, 10).build();
    assertThatThrownBy(() -> LruModel.ofBlocks(idle, 1)).hasMessage("no block has been accessed");
  }

  /** Too many different counts for memory are rounded, and the answer hardly changes. */
  @Test
  void moreCountsThanMemoryHoldsAreRounded() {
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    int n = AccessHistogram.PAIRS_MAX + AccessHistogram.PAIRS_MAX / 4;
    for (int i = 0; i < n; i++) {
      double count = 1e9 / (i + 1.5);
      builder.add(count, 1);
    }
    AccessHistogram rounded = builder.build();
    assertThat(rounded.rounded()).isTrue();
    assertThat(rounded.pairs()).isLessThanOrEqualTo(AccessHistogram.PAIRS_MAX);
    assertThat(rounded.blocks()).isEqualTo(n);
    double time = LruModel.ofBlocks(rounded, n * 0.3).characteristicTime();
    double requests = rounded.requests();
    double filled = 0;
    for (int i = 0; i < n; i++) {
      filled -= Math.expm1(-1e9 / (i + 1.5) / requests * time);
    }
    assertThat(filled).isCloseTo(n * 0.3, within(n * 1e-4));
  }

  private static double[] counts(int n, IntToDoubleFunction count) {
    double[] counts = new double[n];
    for (int i = 0; i < n; i++) {
      counts[i] = count.applyAsDouble(i);
    }
    return counts;
  }

  /** One block with a third of all requests, as where popular rows lie side by side. */
  @Test
  void aVeryHotBlockDoesNotSpoilTheModelOfHBasesCache() {
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    for (int i = 0; i < 10_000; i++) {
      double rows = 0;
      for (int r = 1; r <= 31; r++) {
        rows += Math.pow(31.0 * i + r, -0.99);
      }
      builder.add(Math.rint(1e5 * rows), 1, 33_700);
    }
    AccessHistogram histogram = builder.build();
    for (double share : new double[] {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8}) {
      double bytes = share * histogram.touchedBytes();
      assertThat(LruBlockCacheModel.ofBytes(histogram, bytes).hitRatio())
          .as("cache %s", share)
          .isCloseTo(LruModel.ofBytes(histogram, 0.97 * bytes).hitRatio(), within(0.03));
    }
  }
}
