package io.trimtab.experiments.cost;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * What the plug-in's look at every request costs: three like tables on one server, of which one has
 * no coprocessor, one has one that does nothing, and one is followed; asked as fast as the server's
 * CPU allows, in turns. All data is cached, so nothing hides the cost.
 */
public final class ObserverCost extends Experiment {
  private static final int RECORDS = 50_000;
  private static final int THREADS = 32;
  private static final int SCAN_MOST = 39;

  /** Without limits, for each table and mix. */
  private static final Duration WORK_IN = Duration.ofSeconds(9);

  /** Reads at the end of it, until nothing is compiled any more. */
  private static final Duration WARM = Duration.ofSeconds(24);

  private static final Duration SETTLE = Duration.ofSeconds(3);
  private static final Duration MEASURE = Duration.ofSeconds(10);

  /** The tables. */
  private enum Variant {
    PLAIN("plain", Optional.empty()),
    EMPTY("empty", Optional.of(EmptyObserver.class.getName())),
    FOLLOWED("followed", Optional.of("io.trimtab.hbaseplugin.RequestObserver"));

    private final String table;
    private final Optional<String> coprocessor;

    Variant(String table, Optional<String> coprocessor) {
      this.table = table;
      this.coprocessor = coprocessor;
    }
  }

  /** A kind of load. */
  private enum LoadKind {
    READS("reads", new Mix(1.0, null, null, null, null), 6),
    SCANS("scans of 1 to 39 rows", new Mix(null, null, null, 1.0, null), 2),
    // Last, since rows in memstores make reads more expensive.
    UPDATES("updates", new Mix(null, 1.0, null, null, null), 2);

    private final String title;
    private final Mix mix;
    private final int rounds;

    LoadKind(String title, Mix mix, int rounds) {
      this.title = title;
      this.mix = mix;
      this.rounds = rounds;
    }
  }

  /** All tables, one right after the other. */
  private record Round(Map<Variant, NodeWindow> windows) {
    double of(Variant arm) {
      return windows.get(arm).opsPerSecond();
    }

    /** Over the table without a coprocessor. */
    double ratio(Variant arm) {
      return of(arm) / of(Variant.PLAIN);
    }
  }

  public ObserverCost(Trial trial) {
    super(trial);
  }

  /** The plug-in follows no table by itself. */
  public static Map<String, String> site() {
    return Map.of("hbase.coprocessor.user.region.classes", "");
  }

  public static WorkloadSpec spec() {
    return new WorkloadSpec(
        null, null, Arrays.stream(Variant.values()).map(arm -> tenant(arm.table)).toList());
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
            LoadKind.READS.mix,
            null,
            new Distribution(Distribution.Kind.SCRAMBLED, null, null),
            TenantSpec.KeyOrder.ORDERED,
            THREADS,
            null,
            null,
            null)
        .scanning(SCAN_MOST, SCAN_MOST);
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report = new ExperimentReport(folder, "Overhead of the request observer");
    bed.loadAll();
    for (Variant arm : Variant.values()) {
      arm.coprocessor.ifPresent(name -> load(arm, name));
    }
    bed.engine().startCounting();
    bed.limit(false);
    for (LoadKind kind : LoadKind.values()) {
      for (Variant arm : Variant.values()) {
        ask(kind, arm, WORK_IN, "warming up");
      }
    }
    bed.compactAll();
    // The compaction has made new blocks; all must be in the cache before disk is scarce.
    for (Variant arm : Variant.values()) {
      ask(LoadKind.READS, arm, WARM, "warming up and filling the cache");
    }
    bed.limit(true);
    checkFollowed();
    var rounds = new LinkedHashMap<LoadKind, List<Round>>();
    for (LoadKind kind : LoadKind.values()) {
      for (Variant arm : Variant.values()) {
        ask(kind, arm, WORK_IN, "settling with limits");
      }
      for (int i = 0; i < kind.rounds * runs; i++) {
        Round round = round(kind, i);
        rounds.computeIfAbsent(kind, k -> new ArrayList<>()).add(round);
        console.step(
            String.format(
                Locale.ROOT,
                "%s: %,.0f ops/s; with an empty coprocessor %.3f of that, followed %.3f",
                kind.title,
                round.of(Variant.PLAIN),
                round.ratio(Variant.EMPTY),
                round.ratio(Variant.FOLLOWED)));
      }
    }
    report.raw("rounds.json", rounds);
    write(report, rounds, bed.verify());
    return report.write();
  }

  private void load(Variant arm, String coprocessor) {
    try (Admin admin = bed.connection().getAdmin()) {
      TableName table = TableName.valueOf(arm.table);
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setCoprocessor(coprocessor)
              .build());
    } catch (IOException e) {
      throw new UncheckedIOException("table " + arm.table + " can't be changed", e);
    }
  }

  /** Otherwise all tables would be alike, and the cost nothing. */
  private void checkFollowed() throws EngineException {
    List<String> tables =
        bed.engine().histograms().stream()
            .filter(h -> h.bins().stream().anyMatch(bin -> bin.count() > 0))
            .map(BlockHistogram::partition)
            .map(partition -> partition.table())
            .toList();
    if (!tables.equals(List.of(Variant.FOLLOWED.table))) {
      throw new EngineException(
          "observed tables are " + tables + " instead of " + Variant.FOLLOWED.table);
    }
  }

  /** Each table is first, second and last equally often. */
  private Round round(LoadKind kind, int number) throws Exception {
    List<Variant> order = new ArrayList<>(Arrays.asList(Variant.values()));
    Collections.rotate(order, number);
    var windows = new EnumMap<Variant, NodeWindow>(Variant.class);
    for (Variant arm : order) {
      windows.put(arm, ask(kind, arm, MEASURE, ""));
    }
    return new Round(windows);
  }

  private NodeWindow ask(LoadKind kind, Variant arm, Duration time, String why) throws Exception {
    String label = kind.title + ", " + arm.table + (why.isEmpty() ? "" : ": " + why);
    TenantSpec tenant = bed.tenant(arm.table);
    try (TestbedLoad load =
        bed.start(List.of(tenant.asked(kind.mix, tenant.distribution(), tenant.threads(), null)))) {
      load.follow(console, label, SETTLE);
      return NodeWindow.measure(bed, load, console, label, time);
    }
  }

  private void write(ExperimentReport report, Map<LoadKind, List<Round>> rounds, String verified)
      throws Exception {
    var rows = new ArrayList<List<String>>();
    rounds.forEach(
        (kind, list) -> {
          for (Variant arm : Variant.values()) {
            Spread ratio = spread(list, round -> round.ratio(arm));
            rows.add(
                ExperimentReport.row(
                    kind.title,
                    arm.table,
                    spread(list, round -> round.of(arm)),
                    String.format(
                        Locale.ROOT, "%.3f (%.3f–%.3f)", ratio.median(), ratio.min(), ratio.max()),
                    String.format(Locale.ROOT, "%.3f ± %.3f", ratio.mean(), ratio.error()),
                    hits(spread(list, r -> r.windows().get(arm).hitRatio()).mean())));
          }
        });
    report
        .paragraph(
            ("Made by `./trimtab lab run OBSERVER --runs %d --seed %d` on %s. Target: followed at"
                    + " least 0.98 of plain.")
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .table(
            List.of(
                "load",
                "table",
                "ops/s",
                "relative to plain, median (range)",
                "mean ± standard error",
                "cache hits"),
            rows)
        .heading("Data")
        .paragraph(verified);
    describe(
        report,
        List.of(
            "three tables of %,d records of 1,000 bytes, one region each, all in the block cache;"
                    .formatted(RECORDS)
                + " scrambled Zipf; %d closed-loop threads".formatted(THREADS),
            "plain: no coprocessor; empty: one that does nothing; followed: the plug-in's"
                + " observer, which records keys for the split estimate and for the block"
                + " histogram, with counting of block accesses started",
            "one table after the other, in rotating order, in %d rounds of reads and %d"
                    .formatted(LoadKind.READS.rounds * runs, LoadKind.UPDATES.rounds * runs)
                + " of updates and of scans; first %d s without limits for each kind of load, then"
                    .formatted(WORK_IN.toSeconds())
                + " %d s of reads of each table, then %d s and %d s measured each time"
                    .formatted(WARM.toSeconds(), SETTLE.toSeconds(), MEASURE.toSeconds())));
  }

  /** Updates read nothing. */
  private static String hits(double ratio) {
    return Double.isNaN(ratio) ? "–" : String.format(Locale.ROOT, "%.2f %%", 100 * ratio);
  }

  private static Spread spread(List<Round> rounds, ToDoubleFunction<Round> value) {
    return Spread.of(rounds.stream().mapToDouble(value).toArray());
  }
}
