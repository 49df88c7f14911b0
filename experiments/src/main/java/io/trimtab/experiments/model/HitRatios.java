package io.trimtab.experiments.model;

import io.trimtab.controller.place.PartitionItems;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruBlockCacheModel;
import io.trimtab.models.usage.ScanShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Hit ratios of the bed's tables, from what the plug-in has counted. */
public final class HitRatios {
  private HitRatios() {}

  /** How often the blocks of a table are requested, chance taken out. */
  public static AccessHistogram of(HBaseTestbed bed, String table) throws EngineException {
    return seen(bed, table).withoutChance();
  }

  /** How often the blocks of a table were requested. */
  static AccessHistogram seen(HBaseTestbed bed, String table) throws EngineException {
    return seen(bed.engine().histograms(), table);
  }

  static AccessHistogram seen(List<BlockHistogram> histograms, String table) {
    var builder = new AccessHistogram.Builder();
    for (BlockHistogram h : histograms) {
      if (h.partition().table().equals(table)) {
        h.bins().forEach(bin -> builder.add(bin.count(), bin.blocks(), h.blockBytes()));
      }
    }
    return builder.build();
  }

  /**
   * What a scan of a table of one region asks for, as counted.
   *
   * @throws EngineException if none was counted
   */
  static ScanShape scan(List<BlockHistogram> histograms, String table) throws EngineException {
    return histograms.stream()
        .filter(h -> h.partition().table().equals(table))
        .findFirst()
        .flatMap(PartitionItems::scan)
        .orElseThrow(() -> new EngineException("no scan of table " + table + " was counted"));
  }

  /**
   * What HBase's cache would hit, for tables that share it.
   *
   * @param rates blocks asked for a second, by table
   * @param cacheBytes the most that the cache may hold
   */
  static double predict(HBaseTestbed bed, Map<String, Double> rates, double cacheBytes)
      throws EngineException {
    List<AccessHistogram> parts = new ArrayList<>();
    for (var rate : rates.entrySet()) {
      parts.add(of(bed, rate.getKey()).scaledTo(rate.getValue()));
    }
    return LruBlockCacheModel.ofBytes(AccessHistogram.merge(parts), cacheBytes).hitRatio();
  }

  /** As {@code trimtab hitratio} reads it. */
  static String csv(AccessHistogram histogram) {
    StringBuilder csv = new StringBuilder("count,multiplicity,bytes\n");
    for (AccessHistogram.CountBin bin : histogram.bins()) {
      csv.append(
          String.format(Locale.ROOT, "%s,%s,%.0f%n", bin.count(), bin.blocks(), bin.bytes()));
    }
    return csv.toString();
  }
}
