package io.trimtab.cli.usage;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruBlockCacheModel;
import io.trimtab.models.cache.LruModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a block cache of some size would hit. */
@Command(
    name = "hitratio",
    description = {
      "Predicts the hit ratio of a block cache from counts of block accesses.",
      "The model is Che's approximation. Histograms are CSV with the header count, or",
      "count,multiplicity, or count,multiplicity,bytes; several are merged, as partitions that",
      "share a node's cache."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab hitratio --histogram blocks.csv --cache 4000",
      "  trimtab hitratio --histogram a.csv --histogram b.csv --cache 165m --json",
      "  trimtab hitratio --histogram - --cache 4000 --model hbase --curve"
    })
public final class HitRatioCommand implements Callable<Integer> {
  private static final double[] CURVE = {
    0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1
  };

  /** How a cache evicts. */
  enum Model {
    LRU,
    HBASE
  }

  private final Terminal terminal;

  @Option(
      names = "--histogram",
      required = true,
      paramLabel = "FILE",
      description = "CSV with counts of block accesses; - for standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--cache",
      required = true,
      paramLabel = "SIZE",
      description = "Cache size in blocks (4000) or in bytes (165m); bytes need the blocks' sizes.")
  private String cache;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      defaultValue = "lru",
      description = {
        "Model of the cache: lru, or hbase (LruBlockCache with its single-access and",
        "multi-access parts). Default: ${DEFAULT-VALUE}."
      })
  private Model model;

  @Option(names = "--curve", description = "Also print the hit ratios of other cache sizes.")
  private boolean curve;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  HitRatioCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    boolean inBytes = !cache.strip().matches("\\d+");
    double capacity = capacity(inBytes);
    AccessHistogram.Builder builder = new AccessHistogram.Builder();
    files.forEach(file -> HistogramFile.read(file, builder));
    AccessHistogram histogram = builder.build();
    if (inBytes && !histogram.sized()) {
      throw new UserError(
          "--cache "
              + cache
              + ": a size in bytes needs the column bytes in every histogram; give blocks instead");
    }
    if (!(histogram.requests() > 0)) {
      throw new UserError(String.join(", ", files) + ": no block has been accessed");
    }
    long begun = System.nanoTime();
    LruModel.Estimate estimate = estimate(histogram, capacity, inBytes);
    double seconds = (System.nanoTime() - begun) / 1e9;
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("hitRatio", estimate.hitRatio());
    boolean endless = Double.isInfinite(estimate.characteristicTime());
    result.put("characteristicTime", endless ? null : estimate.characteristicTime());
    result.put("blocks", Math.round(histogram.blocks()));
    result.put(inBytes ? "cacheBytes" : "cacheBlocks", Math.round(capacity));
    result.put("seconds", seconds);
    result.put("model", model.name().toLowerCase(Locale.ROOT));
    if (histogram.rounded()) {
      result.put("rounded", true);
    }
    if (curve) {
      result.put("curve", curve(histogram, inBytes));
    }
    terminal.line(json ? JsonOutput.text(result) : text(result));
    return 0;
  }

  private double capacity(boolean inBytes) {
    double capacity;
    try {
      capacity = inBytes ? Bytes.parse(cache).value() : Double.parseDouble(cache.strip());
    } catch (IllegalArgumentException e) {
      throw new UserError("--cache: " + e.getMessage(), e);
    }
    if (!(capacity > 0)) {
      throw new UserError("--cache must be > 0, not " + cache);
    }
    return capacity;
  }

  private LruModel.Estimate estimate(AccessHistogram histogram, double capacity, boolean inBytes) {
    if (model == Model.HBASE) {
      return inBytes
          ? LruBlockCacheModel.ofBytes(histogram, capacity)
          : LruBlockCacheModel.ofBlocks(histogram, capacity);
    }
    return inBytes ? LruModel.ofBytes(histogram, capacity) : LruModel.ofBlocks(histogram, capacity);
  }

  private List<Map<String, Object>> curve(AccessHistogram histogram, boolean inBytes) {
    double total = inBytes ? histogram.touchedBytes() : histogram.touched();
    List<Map<String, Object>> points = new ArrayList<>();
    for (double share : CURVE) {
      double capacity = Math.max(1, share * total);
      Map<String, Object> point = new LinkedHashMap<>();
      point.put(inBytes ? "cacheBytes" : "cacheBlocks", Math.round(capacity));
      point.put("hitRatio", estimate(histogram, capacity, inBytes).hitRatio());
      points.add(point);
    }
    return points;
  }

  private static String text(Map<String, Object> result) {
    StringBuilder lines = new StringBuilder();
    result.forEach(
        (name, value) -> {
          if (value instanceof List<?> points) {
            for (Object point : points) {
              Map<?, ?> of = (Map<?, ?>) point;
              Number size = (Number) of.values().iterator().next();
              lines.append(
                  String.format(
                      Locale.ROOT,
                      "  %,15d  %.4f%n",
                      size.longValue(),
                      ((Number) of.get("hitRatio")).doubleValue()));
            }
          } else if (value != null) {
            lines.append(
                String.format(
                    Locale.ROOT,
                    "%-18s %s%n",
                    name,
                    value instanceof Double number
                        ? String.format(Locale.ROOT, "%.4f", number)
                        : value));
          }
        });
    return lines.toString().stripTrailing();
  }
}
