package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.cache.LikeCounts;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What partitions ask of nodes, from their rates and the blocks that are asked for. */
public final class PartitionItems {
  /** Cache bytes assumed for a partition without blocks; negligible. */
  private static final double IN_MEMORY_BYTES = 1_000;

  private PartitionItems() {}

  /**
   * A partition that is read but whose block access counts are unknown, or that is scanned and
   * whose scans' calls are not counted: then blocks per scan say nothing of blocks per call.
   */
  public static Optional<String> unknown(Observation.Usable seen) {
    Map<PartitionId, BlockHistogram> known = histograms(seen);
    for (PartitionState p : seen.snapshot().partitions()) {
      Rates rates = seen.rates(p.id());
      BlockHistogram histogram = known.get(p.id());
      boolean counted =
          histogram != null
              && (histogram.bins().isEmpty()
                  || histogram.bins().stream().anyMatch(bin -> bin.count() > 0));
      if (rates.reads() > 0 && !counted) {
        return Optional.of("the block accesses of " + p.id() + " are unknown");
      }
      if (rates.scanCalls() > 0 && histogram != null && histogram.lacksScanCalls()) {
        return Optional.of(
            "the scan calls of " + p.id() + " are unknown: its node's plug-in must be updated");
      }
    }
    return Optional.empty();
  }

  private static Map<PartitionId, BlockHistogram> histograms(Observation.Usable seen) {
    Map<PartitionId, BlockHistogram> known = new HashMap<>();
    seen.blocks().forEach(h -> known.put(h.partition(), h));
    return known;
  }

  /** The load of each partition, in the snapshot's order. */
  public static Map<PartitionId, UsagePacking.Item> of(
      Observation.Usable seen, UsageSettings settings) {
    List<PartitionState> partitions = seen.snapshot().partitions();
    Map<PartitionId, BlockHistogram> histograms = histograms(seen);
    Rates[] rates = new Rates[partitions.size()];
    BlockHistogram[] known = new BlockHistogram[rates.length];
    LikeCounts all = new LikeCounts();
    for (int i = 0; i < rates.length; i++) {
      PartitionId id = partitions.get(i).id();
      rates[i] = seen.rates(id);
      known[i] = histograms.get(id);
      if (isCached(rates[i], known[i])) {
        all.add(counts(known[i]));
      }
    }
    Map<PartitionId, UsagePacking.Item> items = new LinkedHashMap<>(2 * rates.length);
    for (int i = 0; i < rates.length; i++) {
      items.put(partitions.get(i).id(), item(rates[i], known[i], all, settings));
    }
    return items;
  }

  /**
   * Multiplies the request rates of tables' partitions.
   *
   * @param factors by table
   * @throws IllegalArgumentException naming a table that there is not
   */
  static void scale(Map<PartitionId, UsagePacking.Item> items, Map<String, Double> factors) {
    factors.forEach(
        (table, factor) -> {
          if (items.keySet().stream().noneMatch(id -> id.table().equals(table))) {
            throw new IllegalArgumentException("there is no table " + table);
          }
          items.replaceAll((id, item) -> id.table().equals(table) ? item.times(factor) : item);
        });
  }

  /** What a scan of the partition asks for, by what its node has counted; empty if it has none. */
  public static Optional<ScanShape> scan(BlockHistogram histogram) {
    if (histogram.scanCalls() == 0) {
      return Optional.empty();
    }
    // A scanner may have been opened before counting began.
    double scans = Math.max(1, histogram.scans());
    double rows = Math.max(1, histogram.scanRows());
    return Optional.of(
        new ScanShape(
            Math.max(1, histogram.scanCalls() / scans),
            Math.max(1, histogram.scanRows() / scans),
            Math.max(1, histogram.scanCells() / rows),
            Math.max(1, histogram.scanBlocks() / scans)));
  }

  /** Where only the partition's counters are known: each call stands for a scan of one block. */
  public static ScanShape ofCalls(Rates rates) {
    double calls = rates.scanCalls();
    return new ScanShape(1, calls > 0 ? Math.max(1, rates.rowsScanned() / calls) : 1, 1, 1);
  }

  private static UsagePacking.Item item(
      Rates rates, BlockHistogram histogram, LikeCounts all, UsageSettings settings) {
    ScanShape scan =
        Optional.ofNullable(histogram)
            .flatMap(PartitionItems::scan)
            .orElseGet(() -> ofCalls(rates));
    double scans = rates.scanCalls() / scan.calls();
    Load load =
        new Load(1, rates.pointReads(), scans, scan, rates.writes(), settings.updateBytes());
    if (!isCached(rates, histogram)) {
      return new UsagePacking.Item(CacheLoad.NONE, load);
    }
    double blocks = rates.pointReads() + scans * scan.blocks();
    return new UsagePacking.Item(CacheLoad.of(all.withoutChance(counts(histogram)), blocks), load);
  }

  /** Whether it is known to ask for blocks. */
  private static boolean isCached(Rates rates, BlockHistogram histogram) {
    return histogram != null && rates.reads() > 0;
  }

  private static AccessHistogram counts(BlockHistogram histogram) {
    List<BlockHistogram.Bin> bins = histogram.bins();
    if (bins.isEmpty()) {
      // What is in memory is always found, as if it were one block that all ask for.
      return AccessHistogram.of(new double[] {1}, new double[] {1}, IN_MEMORY_BYTES);
    }
    double[] counts = new double[bins.size()];
    double[] blocks = new double[bins.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = bins.get(i).count();
      blocks[i] = bins.get(i).blocks();
    }
    return AccessHistogram.of(counts, blocks, histogram.blockBytes());
  }
}
