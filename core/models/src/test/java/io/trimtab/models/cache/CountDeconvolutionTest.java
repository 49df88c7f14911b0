package io.trimtab.models.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountDeconvolutionTest {
  private static final int BLOCKS = 10_000;

  private static IntToDoubleFunction popularity(String name) {
    return switch (name) {
      case "uniform" -> i -> 1;
      case "hotspot" -> i -> i < 0.3 * BLOCKS ? 0.5 / 0.3 : 0.5 / 0.7;
      case "zipf" -> i -> Math.pow(i + 1.0, -0.99);
      default -> i -> Math.pow(i + 1.0, -0.6);
    };
  }

  /** Counts of so many requests for each block on average. */
  private static double[] counts(double[] rates, int perBlock, long seed) {
    double[] upTo = rates.clone();
    Arrays.parallelPrefix(upTo, Double::sum);
    double[] counts = new double[BLOCKS];
    Random random = new Random(seed);
    for (int i = 0; i < perBlock * BLOCKS; i++) {
      double at = random.nextDouble() * upTo[BLOCKS - 1];
      int found = Arrays.binarySearch(upTo, at);
      counts[Math.min(BLOCKS - 1, found < 0 ? -found - 1 : found)]++;
    }
    return counts;
  }

  @ParameterizedTest
  @CsvSource({
    "uniform, 5, 1.5",
    "uniform, 20, 1",
    "uniform, 100, 0.7",
    "hotspot, 20, 1",
    "hotspot, 100, 0.7",
    "zipf, 5, 1",
    "zipf, 20, 1",
    "zipf, 100, 1",
    "flat zipf, 5, 1",
    "flat zipf, 20, 1"
  })
  void fewRequestsTellTheHitRatioOfMany(String name, int perBlock, double points) {
    IntToDoubleFunction popularity = popularity(name);
    double[] rates = new double[BLOCKS];
    Arrays.setAll(rates, popularity);
    AccessHistogram truth = AccessHistogram.ofCounts(rates);
    AccessHistogram seen = AccessHistogram.ofCounts(counts(rates, perBlock, 3));
    AccessHistogram without = seen.withoutChance();

    assertThat(without.requests()).isCloseTo(seen.requests(), within(0.002 * seen.requests()));
    assertThat(without.blocks()).isCloseTo(BLOCKS, within(1e-6));
    for (double share : new double[] {0.1, 0.3, 0.5, 0.8}) {
      double expected = LruModel.ofBlocks(truth, share * BLOCKS).hitRatio();
      assertThat(100 * LruModel.ofBlocks(without, share * BLOCKS).hitRatio())
          .as("%s of the blocks cached", share)
          .isCloseTo(100 * expected, within(points));
    }
  }
}
