package io.trimtab.experiments.model;

import io.trimtab.engineapi.Profile;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruBlockCacheModel;
import io.trimtab.models.cache.LruModel;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * E7 and HBase's part of E10: server usage at a fixed rate of reads under several distributions,
 * and the hit ratio that the plug-in's histograms predict beside the block cache's own (Cruz 2016,
 * §5.2, Tables 5.1 to 5.4, and §6.1).
 */
public final class E7 extends Experiment {
  private static final Mix READS = new Mix(1.0, null, null, null, null);
  private static final Distribution HOTSPOT = new Distribution(Distribution.Kind.HOTSPOT, 0.3, 0.5);
  private static final Distribution HOTTER = new Distribution(Distribution.Kind.HOTSPOT, 0.3, 0.92);
  private static final Distribution SCRAMBLED =
      new Distribution(Distribution.Kind.SCRAMBLED, null, null);
  private static final Distribution CLUSTERED =
      new Distribution(Distribution.Kind.ZIPFIAN, null, null);

  /** Reads a second: what the disk stands at the lowest hit ratio, with something to spare. */
  static final double RATE = 100;

  /** As fast as it goes, with no limits, until the cache holds what it would in the long run. */
  static final Duration FILL = Duration.ofSeconds(20);

  static final Duration SETTLE = Duration.ofSeconds(8);
  static final Duration MEASURE = Duration.ofSeconds(30);

  /** Of the largest table: it fits the cache; and a little more than fits it. */
  private static final double FITS = 0.44;

  private static final double NEARLY = 0.52;

  /** One line of the thesis's tables. */
  private enum ReadCase {
    UNIFORM("uniform", "u", 1, Distribution.UNIFORM, "49 %", "58.35 %"),
    HOT("hotspot 50 % on 30 %", "h", 1, HOTSPOT, "56 %", "46.19 %"),
    ZIPF("zipf scrambled", "s", 1, SCRAMBLED, "68 %", "35.91 %"),
    ZIPF_CLUSTERED("zipf clustered", "c", 1, CLUSTERED, "93 %", "19.28 %"),
    HOT_MODIFIED("hotspot 92 % on 30 %", "m", 1, HOTTER, "93 %", "18.93 %"),
    UNIFORM_SMALLER("uniform, fewer records", "n", NEARLY, Distribution.UNIFORM, "93 %", "19.76 %"),
    FITS_UNIFORM("uniform, all fit", "f", FITS, Distribution.UNIFORM, "100 %", "12.29 %"),
    FITS_HOT("hotspot 50 % on 30 %, all fit", "f", FITS, HOTSPOT, "100 %", "12.14 %"),
    FITS_ZIPF("zipf scrambled, all fit", "f", FITS, SCRAMBLED, "100 %", "12.92 %"),
    FITS_CLUSTERED("zipf clustered, all fit", "f", FITS, CLUSTERED, "100 %", "12.89 %");

    private final String title;
    private final String table;
    private final double size;
    private final Distribution distribution;
    private final String paperHits;
    private final String paperUsage;

    ReadCase(
        String title,
        String table,
        double size,
        Distribution distribution,
        String paperHits,
        String paperUsage) {
      this.title = title;
      this.table = table;
      this.size = size;
      this.distribution = distribution;
      this.paperHits = paperHits;
      this.paperUsage = paperUsage;
    }
  }

  /**
   * One measurement.
   *
   * @param predicted hit ratio by the model of HBase's cache, in [0, 1]
   * @param lru the same for a cache that evicts what was used longest ago
   * @param millis to compute it
   * @param csv the histogram, as {@code trimtab hitratio} reads it
   */
  private record HitRatioRun(
      NodeWindow window,
      double predicted,
      double lru,
      double millis,
      String csv,
      RunResult result) {
    double error() {
      return 100 * (predicted - window.hitRatio());
    }
  }

  public E7(Trial trial) {
    super(trial);
  }

  /** A table for each case, so that their histograms stay apart. */
  public static WorkloadSpec spec(TestbedSettings settings) {
    Map<String, TenantSpec> tables = new LinkedHashMap<>();
    for (ReadCase c : ReadCase.values()) {
      tables.putIfAbsent(
          c.table,
          new TenantSpec(
              c.table,
              c.table,
              1,
              (int) (settings.records() * c.size),
              1,
              1_000,
              null,
              Profile.READ.blockSizeBytes(),
              false,
              READS,
              null,
              c.distribution,
              TenantSpec.KeyOrder.ORDERED,
              settings.threads(),
              RATE,
              null,
              null));
    }
    return new WorkloadSpec(null, null, List.copyOf(tables.values()));
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E7 and E10: server usage and hit ratios");
    bed.loadAll();
    // From here on the plug-in counts.
    bed.engine().startCounting();
    var outcomes = new LinkedHashMap<ReadCase, List<HitRatioRun>>();
    for (int run = 0; run < runs; run++) {
      for (ReadCase c : ReadCase.values()) {
        HitRatioRun outcome =
            measure(c, c.title + ", run " + (run + 1) + " of " + runs, seed + run);
        outcomes.computeIfAbsent(c, k -> new ArrayList<>()).add(outcome);
        String name = c.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + (run + 1);
        Files.writeString(folder.resolve(name + ".csv"), outcome.csv());
        report.raw(name + ".json", outcome.result());
        console.step(
            String.format(
                Locale.ROOT,
                "%s: usage %.1f %%, hit ratio %.1f %%, predicted %.1f %% (LRU %.1f %%), %.0f ops/s",
                c.title,
                100 * outcome.window().usage().server(),
                100 * outcome.window().hitRatio(),
                100 * outcome.predicted(),
                100 * outcome.lru(),
                outcome.window().opsPerSecond()));
      }
    }
    write(report, outcomes);
    return report.write();
  }

  private HitRatioRun measure(ReadCase c, String label, long runSeed) throws Exception {
    TenantSpec tenant = bed.tenant(c.table);
    bed.limit(false);
    bed.clearCaches();
    try (TestbedLoad load =
        bed.start(List.of(tenant.asked(READS, c.distribution, tenant.threads(), null)))) {
      load.fill(bed, console, label + ": filling the cache", FILL);
    }
    bed.limit(true);
    try (TestbedLoad load =
        bed.start(List.of(tenant.asked(READS, c.distribution, tenant.threads(), RATE)))) {
      load.follow(console, label + ": settles", SETTLE);
      int from = load.second();
      NodeWindow window = NodeWindow.measure(bed, load, console, label, MEASURE);
      RunResult result = load.finish(label, runSeed, from, load.second());
      AccessHistogram seen = HitRatios.seen(bed, c.table);
      long begun = System.nanoTime();
      AccessHistogram histogram = seen.withoutChance();
      double lru = LruModel.ofBytes(histogram, window.cacheBytes()).hitRatio();
      double predicted = LruBlockCacheModel.ofBytes(histogram, window.cacheBytes()).hitRatio();
      return new HitRatioRun(
          window, predicted, lru, (System.nanoTime() - begun) / 1e6, HitRatios.csv(seen), result);
    }
  }

  private void write(ExperimentReport report, Map<ReadCase, List<HitRatioRun>> outcomes)
      throws Exception {
    HitRatioErrors all = errors(outcomes, FITS);
    // Where all fits there is nothing to predict.
    HitRatioErrors missing = errors(outcomes, NEARLY);
    double millis =
        outcomes.values().stream()
            .flatMap(List::stream)
            .mapToDouble(HitRatioRun::millis)
            .max()
            .orElse(Double.NaN);
    report
        .paragraph(
            "Made by `./trimtab lab run E7 --runs %d --seed %d` on %s. Cruz 2016, §5.2 and §6.1."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .paragraph(
            String.format(
                Locale.ROOT,
                "Predicted hit ratios are within %.1f points of the block cache's own counters"
                    + " (thesis: 1). Both models together took %.1f ms at most.",
                all.worst(),
                millis))
        .table(
            List.of(
                "error of predicted hit ratios",
                "target",
                "of tables that do not fit into the cache",
                "of all"),
            List.of(
                ExperimentReport.row(
                    "mean",
                    HitRatioErrors.most(HitRatioErrors.TARGET.mean()),
                    HitRatioErrors.points(missing.mean()),
                    HitRatioErrors.points(all.mean())),
                ExperimentReport.row(
                    "worst",
                    HitRatioErrors.most(HitRatioErrors.TARGET.worst()),
                    HitRatioErrors.points(missing.worst()),
                    HitRatioErrors.points(all.worst()))));
    var rows = new ArrayList<List<String>>();
    outcomes.forEach(
        (c, list) ->
            rows.add(
                ExperimentReport.row(
                    c.title,
                    c.paperHits,
                    percent(list, o -> o.window().hitRatio()),
                    percent(list, HitRatioRun::predicted),
                    percent(list, HitRatioRun::lru),
                    c.paperUsage,
                    percent(list, o -> o.window().usage().server()),
                    percent(list, o -> o.window().usage().ioWait()),
                    Spread.of(
                        list.stream().mapToDouble(o -> o.window().opsPerSecond()).toArray()))));
    report.table(
        List.of(
            "median (range)",
            "hit ratio, paper",
            "hit ratio, block cache",
            "hit ratio, predicted",
            "hit ratio, plain LRU",
            "usage, paper",
            "usage",
            "including I/O wait",
            "ops/s"),
        rows);
    describe(report, setting(outcomes));
  }

  /**
   * Of all measurements of tables that have at least so many records.
   *
   * @param size relative to the largest
   */
  private static HitRatioErrors errors(Map<ReadCase, List<HitRatioRun>> outcomes, double size) {
    return HitRatioErrors.of(
        outcomes.entrySet().stream()
            .filter(its -> its.getKey().size >= size)
            .flatMap(its -> its.getValue().stream())
            .mapToDouble(HitRatioRun::error));
  }

  private List<String> setting(Map<ReadCase, List<HitRatioRun>> outcomes) {
    return List.of(
        "one RegionServer with the READ profile: a block cache of 55 % of the heap, 32 KiB"
            + " blocks; one region per table, compacted; one table per row but the last four",
        "%,d records of 1,000 bytes, or fewer if the table says so"
            .formatted(bed.tenants().get(0).records()),
        "%.0f reads per second by %d threads, no other operations"
            .formatted(RATE, bed.tenants().get(0).threads()),
        "caches are emptied, then %d s without limits for the cache to reach its steady"
                .formatted(FILL.toSeconds())
            + " state, %d s with limits, then %d s measured"
                .formatted(SETTLE.toSeconds(), MEASURE.toSeconds()),
        ExperimentReport.usageFrom(
            outcomes.values().stream().flatMap(List::stream).map(o -> o.window().usage()).toList()),
        "hits: of data blocks, by JMX");
  }

  private static String percent(
      List<HitRatioRun> list, java.util.function.ToDoubleFunction<HitRatioRun> share) {
    Spread spread =
        Spread.of(list.stream().mapToDouble(o -> 100 * share.applyAsDouble(o)).toArray());
    return String.format(
        Locale.ROOT, "%.1f (%.1f–%.1f) %%", spread.median(), spread.min(), spread.max());
  }
}
