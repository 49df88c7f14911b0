package io.trimtab.experiments.model;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruBlockCacheModel;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The hit ratio of a live block cache, beside what follows from the plug-in's row keys and from
 * counting each access to a block (Cruz 2016, §6.1). The server is one that counts.
 */
public final class E10 extends Experiment {
  private static final Mix READS = new Mix(1.0, null, null, null, null);
  private static final Mix SCANS = new Mix(null, null, null, 1.0, null);
  private static final Mix UPDATED = new Mix(0.9, 0.1, null, null, null);
  private static final Distribution HOTSPOT = new Distribution(Distribution.Kind.HOTSPOT, 0.3, 0.5);
  private static final Distribution SCRAMBLED =
      new Distribution(Distribution.Kind.SCRAMBLED, null, null);
  private static final Distribution CLUSTERED =
      new Distribution(Distribution.Kind.ZIPFIAN, null, null);

  private static final int RECORDS = 400_000;
  private static final int THREADS = 16;
  private static final int SCAN_MOST = 39;
  private static final Duration FILL = Duration.ofSeconds(25);
  private static final Duration MEASURE = Duration.ofSeconds(20);

  /** A load on a table of its own. */
  private enum CountCase {
    UNIFORM("u", "uniform reads", READS, Distribution.UNIFORM),
    HOT("h", "hotspot, 50 % of reads on 30 %", READS, HOTSPOT),
    ZIPF("s", "Zipf scrambled reads", READS, SCRAMBLED),
    ZIPF_CLUSTERED("c", "Zipf clustered reads", READS, CLUSTERED),
    SCAN("x", "hotspot scans of 1 to 39 rows", SCANS, HOTSPOT),
    UPDATE("w", "Zipf scrambled, 10 % updates", UPDATED, SCRAMBLED);

    private final String table;
    private final String title;
    private final Mix mix;
    private final Distribution distribution;

    CountCase(String table, String title, Mix mix, Distribution distribution) {
      this.table = table;
      this.title = title;
      this.mix = mix;
      this.distribution = distribution;
    }
  }

  /**
   * Hit ratios in [0, 1].
   *
   * @param hits of the live cache
   * @param rows predicted from row keys
   * @param exact predicted from the accesses to blocks
   * @param requests that the row keys' prediction rests on
   * @param accesses that the exact one rests on
   */
  private record CountRun(
      double hits, double rows, double exact, double requests, double accesses) {
    double rowsError() {
      return 100 * (rows - hits);
    }

    double exactError() {
      return 100 * (exact - hits);
    }
  }

  public E10(Trial trial) {
    super(trial);
  }

  public static Map<String, String> site() {
    return Map.of("hbase.regionserver.impl", "io.trimtab.hbasecounting.CountingRegionServer");
  }

  public static WorkloadSpec spec() {
    return new WorkloadSpec(
        null,
        null,
        Arrays.stream(CountCase.values())
            .map(
                c ->
                    new TenantSpec(
                            c.table,
                            c.table,
                            1,
                            RECORDS,
                            1,
                            1_000,
                            null,
                            Profile.READ.blockSizeBytes(),
                            false,
                            c.mix,
                            null,
                            c.distribution,
                            TenantSpec.KeyOrder.ORDERED,
                            THREADS,
                            null,
                            null,
                            null)
                        .scanning(SCAN_MOST, SCAN_MOST))
            .toList());
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E10: hit ratios from row keys and from exact counts");
    bed.loadAll();
    bed.limit(false);
    // From here on the plug-in counts row keys.
    bed.engine().startCounting();
    var outcomes = new LinkedHashMap<CountCase, List<CountRun>>();
    for (int run = 0; run < runs; run++) {
      for (CountCase c : CountCase.values()) {
        CountRun outcome = measure(c);
        outcomes.computeIfAbsent(c, k -> new ArrayList<>()).add(outcome);
        console.step(
            String.format(
                Locale.ROOT,
                "%s: hit ratio %.1f %%; from row keys %.1f %%, from exact counts %.1f %%",
                c.title,
                100 * outcome.hits(),
                100 * outcome.rows(),
                100 * outcome.exact()));
      }
    }
    report.raw("hit-ratios.json", outcomes);
    write(report, outcomes, bed.verify());
    return report.write();
  }

  private CountRun measure(CountCase c) throws Exception {
    bed.clearCaches();
    try (TestbedLoad load = bed.start(List.of(bed.tenant(c.table)))) {
      load.follow(console, c.title + ": filling the cache", FILL);
      NodeWindow window = NodeWindow.measure(bed, load, console, c.title, MEASURE);
      AccessHistogram rows = HitRatios.seen(bed.engine().histograms(), c.table);
      AccessHistogram exact = HitRatios.seen(bed.exactHistograms(), c.table);
      if (accesses(exact) == 0) {
        throw new EngineException("the server counted no access to table " + c.table);
      }
      return new CountRun(
          window.hitRatio(),
          hits(rows, window),
          hits(exact, window),
          accesses(rows),
          accesses(exact));
    }
  }

  private static double hits(AccessHistogram histogram, NodeWindow window) {
    return LruBlockCacheModel.ofBytes(histogram.withoutChance(), window.cacheBytes()).hitRatio();
  }

  private static double accesses(AccessHistogram histogram) {
    return histogram.bins().stream().mapToDouble(bin -> bin.count() * bin.blocks()).sum();
  }

  private void write(
      ExperimentReport report, Map<CountCase, List<CountRun>> outcomes, String verified)
      throws Exception {
    List<CountRun> all = outcomes.values().stream().flatMap(List::stream).toList();
    HitRatioErrors ofRows = HitRatioErrors.of(all.stream().mapToDouble(CountRun::rowsError));
    HitRatioErrors ofExact = HitRatioErrors.of(all.stream().mapToDouble(CountRun::exactError));
    report
        .paragraph(
            "Made by `./trimtab lab run E10 --runs %d --seed %d` on %s. Cruz 2016, §6.1."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .paragraph(
            String.format(
                Locale.ROOT,
                "Hit ratios predicted from row keys are within %.1f points of the live cache's,"
                    + " %.1f on average; those predicted from exact counts within %.1f, %.1f on"
                    + " average (targets: 1, and 0.5 on average).",
                ofRows.worst(),
                ofRows.mean(),
                ofExact.worst(),
                ofExact.mean()));
    var rows = new ArrayList<List<String>>();
    outcomes.forEach(
        (c, list) ->
            rows.add(
                ExperimentReport.row(
                    c.title,
                    spread(list, o -> 100 * o.hits(), " %"),
                    spread(list, o -> 100 * o.rows(), " %"),
                    spread(list, o -> 100 * o.exact(), " %"),
                    spread(list, CountRun::rowsError, ""),
                    spread(list, CountRun::exactError, ""))));
    report
        .table(
            List.of(
                "median (range)",
                "hit ratio, block cache",
                "from row keys",
                "from exact counts",
                "error, row keys, points",
                "error, exact, points"),
            rows)
        .heading("Data")
        .paragraph(verified);
    describe(
        report,
        List.of(
            "one RegionServer of class CountingRegionServer with the READ profile: a block cache of"
                + " 55 % of the heap, 32 KiB blocks; no limits on CPU and disk, because hit"
                + " ratios do not depend on them",
            "%,d records of 1,000 bytes per table, one region each, compacted; one table per row"
                .formatted(RECORDS),
            "caches are emptied, then %d closed-loop threads for %d s until the cache is as in the"
                    .formatted(THREADS, FILL.toSeconds())
                + " long run, then %d s measured".formatted(MEASURE.toSeconds())));
  }

  private static String spread(List<CountRun> list, ToDoubleFunction<CountRun> of, String unit) {
    Spread spread = Spread.of(list.stream().mapToDouble(of).toArray());
    return String.format(
        Locale.ROOT, "%.1f (%.1f–%.1f)%s", spread.median(), spread.min(), spread.max(), unit);
  }
}
