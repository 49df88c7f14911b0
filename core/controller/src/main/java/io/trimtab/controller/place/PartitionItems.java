package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.NodeState;
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
      BlockHistogram histogram = known.get(p.id());
      if (seen.rates(p.id()).reads() > 0 && !isCounted(histogram)) {
        return Optional.of("the block accesses of " + p.id() + " are unknown");
      }
      Optional<String> calls = callsUnknown(seen, p, histogram);
      if (calls.isPresent()) {
        return calls;
      }
    }
    return Optional.empty();
  }

  /**
   * The same where the hit ratio of a partition's node stands for the accesses of its blocks, as
   * far as that is known.
   */
  static Optional<String> unknownByNodes(Observation.Usable seen) {
    Map<PartitionId, BlockHistogram> known = histograms(seen);
    for (PartitionState p : seen.snapshot().partitions()) {
      BlockHistogram histogram = known.get(p.id());
      if (seen.rates(p.id()).reads() > 0
          && !isCounted(histogram)
          && p.node().filter(seen.misses()::containsKey).isEmpty()) {
        return Optional.of("neither the block accesses of " + p.id() + " nor its node's are known");
      }
      Optional<String> calls = callsUnknown(seen, p, histogram);
      if (calls.isPresent()) {
        return calls;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> callsUnknown(
      Observation.Usable seen, PartitionState p, BlockHistogram histogram) {
    return seen.rates(p.id()).scanCalls() > 0 && histogram != null && histogram.lacksScanCalls()
        ? Optional.of(
            "the scan calls of " + p.id() + " are unknown: its node's plug-in must be updated")
        : Optional.empty();
  }

  private static boolean isCounted(BlockHistogram histogram) {
    return histogram != null
        && (histogram.bins().isEmpty()
            || histogram.bins().stream().anyMatch(bin -> bin.count() > 0));
  }

  private static Map<PartitionId, BlockHistogram> histograms(Observation.Usable seen) {
    Map<PartitionId, BlockHistogram> known = new HashMap<>();
    seen.blocks().forEach(h -> known.put(h.partition(), h));
    return known;
  }

  /**
   * The load of each partition, in the snapshot's order. Where the accesses of its blocks are not
   * known, it has a part of what its node's cache hits and misses.
   */
  public static Map<PartitionId, UsagePacking.Item> of(
      Observation.Usable seen, UsageSettings settings) {
    List<PartitionState> partitions = seen.snapshot().partitions();
    Map<PartitionId, BlockHistogram> histograms = histograms(seen);
    Rates[] rates = new Rates[partitions.size()];
    BlockHistogram[] known = new BlockHistogram[rates.length];
    LikeCounts all = new LikeCounts();
    boolean lacking = false;
    for (int i = 0; i < rates.length; i++) {
      PartitionId id = partitions.get(i).id();
      rates[i] = seen.rates(id);
      known[i] = histograms.get(id);
      if (isCached(rates[i], known[i])) {
        all.add(counts(known[i]));
      }
      lacking |= rates[i].reads() > 0 && !isCounted(known[i]);
    }
    Map<NodeId, NodeCache> nodes = lacking ? NodeCache.of(seen) : Map.of();
    Map<PartitionId, UsagePacking.Item> items = new LinkedHashMap<>(2 * rates.length);
    for (int i = 0; i < rates.length; i++) {
      PartitionState p = partitions.get(i);
      NodeCache node = p.node().map(nodes::get).orElse(null);
      items.put(
          p.id(),
          node != null && rates[i].reads() > 0 && !isCounted(known[i])
              ? new UsagePacking.Item(node.part(rates[i]), load(rates[i], null, settings))
              : item(rates[i], known[i], all, settings));
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
    Load load = load(rates, histogram, settings);
    if (!isCached(rates, histogram)) {
      return new UsagePacking.Item(CacheLoad.NONE, load);
    }
    double blocks = load.reads() + load.scans() * load.scan().blocks();
    return new UsagePacking.Item(CacheLoad.of(all.withoutChance(counts(histogram)), blocks), load);
  }

  /**
   * What a partition is asked for.
   *
   * @param histogram null if there is none
   */
  private static Load load(Rates rates, BlockHistogram histogram, UsageSettings settings) {
    ScanShape scan =
        Optional.ofNullable(histogram)
            .flatMap(PartitionItems::scan)
            .orElseGet(() -> ofCalls(rates));
    double scans = rates.scanCalls() / scan.calls();
    return new Load(1, rates.pointReads(), scans, scan, rates.writes(), settings.updateBytes());
  }

  /**
   * What a node's cache hits and misses, of which its partitions have parts.
   *
   * @param reads of all its partitions, per second, &gt; 0
   */
  private record NodeCache(CacheLoad cache, double reads) {
    /** By node; without nodes that do not tell what they hit, or are not read. */
    static Map<NodeId, NodeCache> of(Observation.Usable seen) {
      Map<NodeId, Double> reads = new HashMap<>();
      for (PartitionState p : seen.snapshot().partitions()) {
        p.node().ifPresent(n -> reads.merge(n, seen.rates(p.id()).reads(), Double::sum));
      }
      Map<NodeId, NodeCache> caches = new HashMap<>();
      for (NodeState node : seen.snapshot().liveNodes()) {
        double its = reads.getOrDefault(node.id(), 0.0);
        Double missed = seen.misses().get(node.id());
        double bytes = node.gauges().cacheMaxBytes();
        if (missed != null && its > 0 && bytes > 0) {
          caches.put(node.id(), new NodeCache(CacheLoad.hitting(1 - missed, bytes, its), its));
        }
      }
      return caches;
    }

    private CacheLoad part(Rates rates) {
      return cache.part(rates.reads() / reads);
    }
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
