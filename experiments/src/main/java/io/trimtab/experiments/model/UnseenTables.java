package io.trimtab.experiments.model;

import io.trimtab.calibrate.ModelBuilder;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** E8's tables on HBase, whose distributions of requests are not used to build the model. */
final class UnseenTables {
  static final int RECORDS = 400_000;

  /** As many bytes: each of the ten cells has its own key. */
  static final int WIDE_RECORDS = 280_000;

  private static final int RECORD_BYTES = 1_000;

  private static final Distribution HOTSPOT = new Distribution(Distribution.Kind.HOTSPOT, 0.3, 0.5);
  private static final Distribution SCRAMBLED =
      new Distribution(Distribution.Kind.SCRAMBLED, null, null);
  private static final Distribution CLUSTERED =
      new Distribution(Distribution.Kind.ZIPFIAN, null, null);

  /**
   * A table. All its scans are of one kind, since the plug-in knows their mean only.
   *
   * @param fields of a record of 1,000 bytes
   * @param longest rows of its scans, which have 1 to so many
   * @param rowsPerCall the most that a call fetches
   */
  private record UnseenTable(
      Distribution distribution, int records, int fields, int longest, int rowsPerCall) {
    static UnseenTable read(Distribution distribution) {
      return new UnseenTable(distribution, RECORDS, 1, 1, 1);
    }
  }

  private static final Map<String, UnseenTable> ALL =
      new TreeMap<>(
          Map.of(
              "h",
              UnseenTable.read(HOTSPOT),
              "s",
              UnseenTable.read(SCRAMBLED),
              "c",
              UnseenTable.read(CLUSTERED),
              "r",
              new UnseenTable(SCRAMBLED, RECORDS, 1, 20, 20),
              "l",
              new UnseenTable(HOTSPOT, RECORDS, 1, 100, 10),
              "k",
              new UnseenTable(CLUSTERED, WIDE_RECORDS, 10, 40, 40)));

  /**
   * What a table is asked for.
   *
   * @param share of all operations
   * @param reads share of its operations
   * @param scans share of its operations; what is neither is an update
   */
  record Part(String table, double share, double reads, double scans) {
    private double updates() {
      return Math.max(0, 1 - reads - scans);
    }

    private Mix mix() {
      return new Mix(reads, updates(), null, scans, null);
    }

    /** Without updates, whose blocks are in memory. */
    private Part filling() {
      double both = reads + scans;
      return new Part(table, share, reads / both, scans / both);
    }
  }

  private final HBaseTestbed bed;

  UnseenTables(HBaseTestbed bed) {
    this.bed = bed;
  }

  static List<TenantSpec> tenants(int threads) {
    List<TenantSpec> tenants = new ArrayList<>();
    ALL.forEach(
        (name, table) ->
            tenants.add(
                ModelBuilder.tenant(
                        name,
                        table.records(),
                        table.fields(),
                        RECORD_BYTES / table.fields(),
                        32 << 10,
                        threads)
                    .scanning(table.longest(), table.rowsPerCall())));
    return tenants;
  }

  /** All tables, reading and scanning, as a cluster does whose cache gets warm. */
  static List<Part> warming() {
    double share = 1.0 / ALL.size();
    return ALL.entrySet().stream()
        .map(
            table ->
                table.getValue().longest() > 1
                    ? new Part(table.getKey(), share, 0.5, 0.5)
                    : new Part(table.getKey(), share, 1, 0))
        .toList();
  }

  /**
   * One table to all of them, as not every tenant is busy at all times, in other shares; of reads,
   * of scans where a table has any, and of updates.
   */
  static List<Part> ordinary(Random random) {
    List<String> names = new ArrayList<>(ALL.keySet());
    Collections.shuffle(names, random);
    Map<String, Double> weights = new TreeMap<>();
    names
        .subList(0, 1 + random.nextInt(names.size()))
        .forEach(name -> weights.put(name, 0.1 + random.nextDouble()));
    double sum = weights.values().stream().mapToDouble(w -> w).sum();
    List<Part> parts = new ArrayList<>();
    weights.forEach(
        (name, weight) -> {
          boolean scanned = ALL.get(name).longest() > 1;
          double scans = scanned ? 0.05 + 0.4 * random.nextDouble() : 0;
          double updates = 0.5 * random.nextDouble();
          parts.add(new Part(name, weight / sum, Math.max(0, 1 - scans - updates), scans));
        });
    return parts;
  }

  /**
   * Tenants that ask for it.
   *
   * @param rate operations a second, all tables together
   */
  List<TenantSpec> asking(List<Part> parts, double rate) {
    return parts.stream().map(part -> tenant(part, rate * part.share())).toList();
  }

  /** Tenants that fill the cache, as fast as it goes. */
  List<TenantSpec> filling(List<Part> parts) {
    return parts.stream().map(part -> tenant(part.filling(), null)).toList();
  }

  private TenantSpec tenant(Part part, Double rate) {
    TenantSpec loaded = bed.tenant(part.table());
    return loaded.asked(part.mix(), ALL.get(part.table()).distribution(), loaded.threads(), rate);
  }

  /**
   * One operation a second, all tables together, by what the plug-in has counted up to now: what
   * scans ask for, and what a cache would hit.
   */
  Load one(List<Part> parts) throws EngineException {
    List<BlockHistogram> histograms = bed.engine().histograms();
    Load all = Load.NONE;
    Map<String, Double> blocks = new TreeMap<>();
    for (Part part : parts) {
      Load load =
          new Load(
              1,
              part.share() * part.reads(),
              part.share() * part.scans(),
              part.scans() > 0 ? HitRatios.scan(histograms, part.table()) : ScanShape.ONE_ROW,
              part.share() * part.updates(),
              RECORD_BYTES);
      blocks.put(part.table(), load.reads() + load.scans() * load.scan().blocks());
      all = all.plus(load);
    }
    double cache = bed.engine().snapshot().liveNodes().get(0).gauges().cacheMaxBytes();
    return all.withHitRatio(HitRatios.predict(bed, blocks, cache));
  }

  /** Writes what was counted of each table's blocks, as {@code trimtab hitratio} reads it. */
  void writeCounts(Path folder) throws IOException, EngineException {
    for (String table : ALL.keySet()) {
      String csv = HitRatios.csv(HitRatios.seen(bed, table));
      Files.writeString(folder.resolve("table-" + table + ".csv"), csv);
    }
  }
}
