package io.trimtab.controller.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionItemsTest {
  private static final PartitionId ID = new PartitionId("t", "p");
  private static final double BLOCK = 33_000;
  private static final List<BlockHistogram.Bin> BINS = List.of(new BlockHistogram.Bin(500, 900));

  /** 400 calls of ten rows a second, and reads. */
  private static final Rates RATES = new Rates(20, 400, 4_000, 0);

  /** 50 scanners that took ten calls each, for 100 rows of three cells in 4.2 blocks. */
  private static final BlockHistogram COUNTED =
      new BlockHistogram(ID, BINS, BLOCK, 50, 500, 5_000, 15_000, 210);

  private static Observation.Usable seen(Rates rates, BlockHistogram... histograms) {
    PartitionState partition =
        new PartitionState(
            ID,
            Optional.of(new NodeId("n:1")),
            Optional.of(PartitionCounters.ZERO),
            1,
            1,
            32 << 10,
            KeyRange.ALL);
    return new Observation.Usable(
            RandomCluster.snapshot(List.of(), List.of(partition)),
            Map.of(ID, rates),
            Map.of(),
            Map.of(),
            List.of())
        .withBlocks(List.of(histograms));
  }

  private static UsagePacking.Item item(Rates rates, BlockHistogram... histograms) {
    return PartitionItems.of(seen(rates, histograms), UsageSettings.builder().build()).get(ID);
  }

  private static CacheLoad asked(double blocksPerSecond) {
    AccessHistogram.Builder counts = new AccessHistogram.Builder();
    counts.add(500, 900, BLOCK);
    return CacheLoad.of(counts.build().withoutChance(), blocksPerSecond);
  }

  /** The rates are of calls, the histogram's blocks of scans: ten calls are one scan here. */
  @Test
  void callsAndBlocksAreSetAgainstTheSameScans() {
    UsagePacking.Item item = item(RATES, COUNTED);

    assertThat(item.load().reads()).isEqualTo(20);
    assertThat(item.load().scans()).isEqualTo(40);
    assertThat(item.load().scan()).isEqualTo(new ScanShape(10, 100, 3, 4.2));
    // 20 reads and 40 · 4.2 blocks a second, beside another partition.
    CacheLoad other = CacheLoad.of(other(), 100);
    double cache = 700 * BLOCK;
    assertThat(item.cache().plus(other).hitRatio(cache))
        .isCloseTo(asked(188).plus(other).hitRatio(cache), within(1e-9))
        .isNotCloseTo(asked(20 + 400 * 4.2).plus(other).hitRatio(cache), within(0.02));
  }

  /** A tenth as popular, three times as large. */
  private static AccessHistogram other() {
    AccessHistogram.Builder counts = new AccessHistogram.Builder();
    counts.add(50, 2_700, BLOCK);
    return counts.build().withoutChance();
  }

  @Test
  void withoutCountedScansEachCallStandsForOne() {
    Load load = item(RATES, BlockHistogram.ofReads(ID, BINS, BLOCK)).load();
    assertThat(load.scans()).isEqualTo(400);
    assertThat(load.scan()).isEqualTo(new ScanShape(1, 10, 1, 1));
    assertThat(item(RATES).load().scan()).isEqualTo(new ScanShape(1, 10, 1, 1));
    assertThat(item(new Rates(20, 0, 0, 0)).load().scan()).isEqualTo(ScanShape.ONE_ROW);
  }

  /** Scans that found nothing, and one that was opened before counting began. */
  @Test
  void oddCountsMakeNoImpossibleScans() {
    BlockHistogram empty = new BlockHistogram(ID, BINS, BLOCK, 7, 7, 0, 0, 0);
    assertThat(PartitionItems.scan(empty)).contains(ScanShape.ONE_ROW);
    BlockHistogram before = new BlockHistogram(ID, BINS, BLOCK, 0, 9, 90, 90, 3);
    assertThat(PartitionItems.scan(before)).contains(new ScanShape(9, 90, 1, 3));
  }

  @Test
  void aPluginThatDoesNotCountCallsIsNamed() {
    BlockHistogram older = new BlockHistogram(ID, BINS, BLOCK, 50, 0, 5_000, 0, 210);
    assertThat(PartitionItems.unknown(seen(RATES, older)))
        .contains("the scan calls of t/p are unknown: its node's plug-in must be updated");
    assertThat(PartitionItems.unknown(seen(new Rates(20, 0, 0, 0), older))).isEmpty();
    assertThat(PartitionItems.unknown(seen(RATES, COUNTED))).isEmpty();
  }
}
