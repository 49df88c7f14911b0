package io.trimtab.lab.experiment;

import io.trimtab.engineapi.BlockHistogram;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * What the plug-in's look at every request costs: two like tables on one server, of which one is
 * followed, asked as fast as the server's CPU allows, in turns. All data is cached, so nothing
 * hides the cost.
 */
final class ObserverCost extends Experiment {
  private static final String PLAIN = "plain";
  private static final String FOLLOWED = "followed";
  private static final int RECORDS = 60_000;
  private static final int THREADS = 32;
  private static final int SCAN_MOST = 39;
  private static final int PAIRS = 8;

  /** Without limits, for each table and mix. */
  private static final Duration WORK_IN = Duration.ofSeconds(15);

  /** Reads at the end of it, until nothing is compiled any more. */
  private static final Duration WARM = Duration.ofSeconds(45);

  private static final Duration SETTLE = Duration.ofSeconds(3);
  private static final Duration MEASURE = Duration.ofSeconds(12);

  /** A kind of load. */
  private enum Kind {
    READS("reads", new Mix(1.0, null, null, null, null)),
    UPDATES("updates", new Mix(null, 1.0, null, null, null)),
    SCANS("scans of 1 to 39 rows", new Mix(null, null, null, 1.0, null));

    private final String title;
    private final Mix mix;

    Kind(String title, Mix mix) {
      this.title = title;
      this.mix = mix;
    }
  }

  /** Operations a second of both tables, one right after the other. */
  private record Pair(double plain, double followed) {
    double ratio() {
      return followed / plain;
    }
  }

  ObserverCost(Trial trial) {
    super(trial);
  }

  /** The plug-in follows no table by itself. */
  static Map<String, String> site() {
    return Map.of("hbase.coprocessor.user.region.classes", "");
  }

  static WorkloadSpec spec() {
    return new WorkloadSpec(null, null, List.of(tenant(PLAIN), tenant(FOLLOWED)));
  }

  private static TenantSpec tenant(String name) {
    return new TenantSpec(
            name,
            name,
            1,
            RECORDS,
            1,
            1_000,
            null,
            Profile.READ.blockSizeBytes(),
            false,
            Kind.READS.mix,
            null,
            new Distribution(Distribution.Kind.SCRAMBLED, null, null),
            TenantSpec.KeyOrder.ORDERED,
            THREADS,
            null,
            null)
        .scanning(SCAN_MOST);
  }

  @Override
  Path run() throws Exception {
    Report report = new Report(folder, "What following requests costs a server");
    ModelBuilder.prepare(bed);
    follow();
    // The first question begins the counting.
    bed.engine().histograms();
    bed.limit(false);
    for (Kind kind : Kind.values()) {
      for (String table : List.of(PLAIN, FOLLOWED)) {
        ask(kind, table, WORK_IN, "works itself in");
      }
    }
    bed.compactAll();
    // The compaction has made new blocks; both tables' must be in the cache before disk is scarce.
    for (String table : List.of(PLAIN, FOLLOWED)) {
      ask(Kind.READS, table, WARM, "works itself in and fills the cache");
    }
    bed.limit(true);
    checkFollowed();
    var pairs = new LinkedHashMap<Kind, List<Pair>>();
    for (Kind kind : Kind.values()) {
      for (String table : List.of(PLAIN, FOLLOWED)) {
        ask(kind, table, WORK_IN, "gets used to its limits");
      }
      for (int i = 0; i < PAIRS * runs; i++) {
        Pair pair = pair(kind, i % 2 == 0);
        pairs.computeIfAbsent(kind, k -> new ArrayList<>()).add(pair);
        console.step(
            String.format(
                Locale.ROOT,
                "%s: %,.0f ops/s, followed %,.0f: %.3f",
                kind.title,
                pair.plain(),
                pair.followed(),
                pair.ratio()));
      }
    }
    report.raw("pairs.json", pairs);
    write(report, pairs, bed.verify());
    return report.write();
  }

  private void follow() throws IOException {
    try (Admin admin = bed.connection().getAdmin()) {
      TableName table = TableName.valueOf(FOLLOWED);
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setCoprocessor("io.trimtab.hbaseplugin.RequestObserver")
              .build());
    }
  }

  /** Otherwise both tables would be alike, and the cost nothing. */
  private void checkFollowed() throws EngineException {
    List<String> tables =
        bed.engine().histograms().stream()
            .filter(h -> h.bins().stream().anyMatch(bin -> bin.count() > 0))
            .map(BlockHistogram::partition)
            .map(partition -> partition.table())
            .toList();
    if (!tables.equals(List.of(FOLLOWED))) {
      throw new EngineException("followed are " + tables + " instead of only " + FOLLOWED);
    }
  }

  private Pair pair(Kind kind, boolean plainFirst) throws Exception {
    double first = ask(kind, plainFirst ? PLAIN : FOLLOWED, MEASURE, "");
    double second = ask(kind, plainFirst ? FOLLOWED : PLAIN, MEASURE, "");
    return plainFirst ? new Pair(first, second) : new Pair(second, first);
  }

  private double ask(Kind kind, String table, Duration time, String why) throws Exception {
    String label = kind.title + ", " + table + (why.isEmpty() ? "" : ": " + why);
    TenantSpec tenant = bed.tenant(table);
    try (Bed.Load load =
        bed.start(List.of(tenant.asked(kind.mix, tenant.distribution(), tenant.threads(), null)))) {
      load.follow(console, label, SETTLE);
      int from = load.second();
      load.follow(console, label, time);
      return RunResult.mean(load.total(), from, load.second());
    }
  }

  private void write(Report report, Map<Kind, List<Pair>> pairs, String verified) throws Exception {
    var rows = new ArrayList<List<String>>();
    pairs.forEach(
        (kind, list) -> {
          Spread ratio = Spread.of(list.stream().mapToDouble(Pair::ratio).toArray());
          rows.add(
              Report.row(
                  kind.title,
                  list.size(),
                  Spread.of(list.stream().mapToDouble(Pair::plain).toArray()),
                  Spread.of(list.stream().mapToDouble(Pair::followed).toArray()),
                  String.format(
                      Locale.ROOT, "%.3f (%.3f–%.3f)", ratio.median(), ratio.min(), ratio.max()),
                  String.format(Locale.ROOT, "%.3f ± %.3f", ratio.mean(), ratio.error())));
        });
    report
        .paragraph(
            "Made by `./trimtab lab run OBSERVER --runs %d --seed %d` on %s. Asked: at least 0.98."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .table(
            List.of(
                "load",
                "pairs",
                "ops/s",
                "ops/s, followed",
                "followed / not, median (range)",
                "mean ± standard error"),
            rows)
        .heading("Data")
        .paragraph(verified);
    bed.describe(
        report,
        List.of(
            "two tables of %,d records of 1,000 bytes, one region each, both in the block cache;"
                    .formatted(RECORDS)
                + " scrambled Zipf; %d closed-loop threads".formatted(THREADS),
            "the observer is a coprocessor of one table only; it takes in the keys for the split"
                + " estimate and for the block histogram, and the histograms have been asked for",
            "one table after the other, in turns as to which is first; %d s without limits for each"
                    .formatted(WORK_IN.toSeconds())
                + " kind of load before, then %d s of reads of each, then %d s and %d s measured"
                    .formatted(WARM.toSeconds(), SETTLE.toSeconds(), MEASURE.toSeconds())
                + " each time"));
  }
}
