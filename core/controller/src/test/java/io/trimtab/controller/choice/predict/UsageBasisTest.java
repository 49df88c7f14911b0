package io.trimtab.controller.choice.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.place.UsagePackingTest;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsagePredictor;
import org.junit.jupiter.api.Test;

/** HBase's own cache keeps what is asked for again apart. */
class UsageBasisTest {
  private static final double BLOCK = 65_536;
  private static final int BLOCKS = 4_000;
  private static final double READS = 200;

  private static final UsageBasis BASIS =
      new UsageBasis.Costs(
          new UsagePredictor(UsagePackingTest.model()), Origin.BUILT, "the built model", 1);

  /** A fifth of the blocks is asked for 33 times as often as the others. */
  private static Demand hotSpot() {
    AccessHistogram histogram =
        AccessHistogram.of(new double[] {100, 3}, new double[] {BLOCKS * 0.2, BLOCKS * 0.8}, BLOCK);
    return Demand.of(CacheLoad.of(histogram, READS), Load.ofReads(1, READS), BLOCKS * BLOCK);
  }

  private static Memory cache(double share, boolean twoParts) {
    return new Memory(share * BLOCKS * BLOCK, 0.26, twoParts);
  }

  @Test
  void aHotSpotIsMissedMoreOften() {
    Memory memory = cache(0.3, true);
    double factor = BASIS.missFactor(hotSpot(), memory);

    assertThat(factor).isGreaterThan(1.2);
    assertThat(BASIS.forecast(hotSpot(), memory, factor).measured())
        .isGreaterThan(BASIS.forecast(hotSpot(), memory, 1).measured() + 1e-3);
  }

  @Test
  void aCacheInOnePartIsPlainLru() {
    assertThat(BASIS.missFactor(hotSpot(), cache(0.3, false))).isEqualTo(1);
  }

  /** Whatever the factor was when more was there. */
  @Test
  void whatFitsIsNeverMissed() {
    Memory all = cache(1.2, true);

    assertThat(BASIS.missFactor(hotSpot(), all)).isEqualTo(1);
    assertThat(BASIS.forecast(hotSpot(), all, 1.5).measured())
        .isCloseTo(BASIS.forecast(hotSpot(), all, 1).measured(), within(1e-12));
  }

  @Test
  void byRequestsNoCacheCounts() {
    UsageBasis requests = new UsageBasis.Requests("nothing is known");

    assertThat(requests.missFactor(hotSpot(), cache(0.3, true))).isEqualTo(1);
    assertThat(requests.isApart()).isFalse();
  }
}
