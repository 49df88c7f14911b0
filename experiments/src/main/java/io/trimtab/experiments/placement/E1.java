package io.trimtab.experiments.placement;

import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.lab.testbed.RunResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * E1: six tenants at once on five nodes, placed at random, by hand on equal nodes, and by hand on
 * nodes configured for what they serve (Cruz 2016, §3.1, Figure 3.1).
 */
public final class E1 extends Experiment {
  /** Until the caches hold what is requested most. */
  static final Duration WARM = Duration.ofSeconds(45);

  static final Duration MEASURE = Duration.ofSeconds(60);
  private static final int SMOOTH_SECONDS = 5;

  private final SixTenants tenants;

  public E1(Trial trial) {
    super(trial);
    tenants = new SixTenants(bed, console);
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E1: effect of placement and node configuration");
    var results = new EnumMap<Strategy, List<RunResult>>(Strategy.class);
    // Strategies take turns, so that what drifts (data growth, the machine) touches all alike.
    for (int run = 0; run < runs; run++) {
      for (Strategy strategy : Strategy.values()) {
        String label = strategy + ", run " + (run + 1) + " of " + runs;
        tenants.prepare(strategy, seed + run);
        RunResult result = tenants.measure(label, seed + run, WARM, MEASURE);
        results.computeIfAbsent(strategy, s -> new ArrayList<>()).add(result);
        report.raw(name(strategy) + "-" + (run + 1) + ".json", result);
        console.step(String.format(Locale.ROOT, "%s: %,.0f ops/s", label, result.measured()));
      }
    }
    String verified = bed.verify();
    write(report, results, verified);
    return report.write();
  }

  private static String name(Strategy strategy) {
    return strategy.toString().toLowerCase(Locale.ROOT);
  }

  static Spread total(List<RunResult> runs) {
    return Spread.of(runs.stream().mapToDouble(RunResult::measured).toArray());
  }

  static Spread tenant(List<RunResult> runs, String tenant) {
    return Spread.of(runs.stream().mapToDouble(r -> r.measured(tenant)).toArray());
  }

  private void write(
      ExperimentReport report, Map<Strategy, List<RunResult>> results, String verified)
      throws Exception {
    Spread random = total(results.get(Strategy.RANDOM_HOMOGENEOUS));
    Spread manual = total(results.get(Strategy.MANUAL_HOMOGENEOUS));
    Spread heterogeneous = total(results.get(Strategy.MANUAL_HETEROGENEOUS));
    report
        .paragraph(
            "Made by `./trimtab lab run E1 --runs %d --seed %d` on %s. Cruz 2016, §3.1."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .table(
            List.of("", "target", "paper", "measured"),
            List.of(
                ExperimentReport.row(
                    "Manual-Heterogeneous / Manual-Homogeneous (medians)",
                    "≥ 1.35",
                    "1.35",
                    ratio(heterogeneous.median(), manual.median())),
                ExperimentReport.row(
                    "Manual-Heterogeneous (median) / Random-Homogeneous (mean)",
                    "≥ 2",
                    "≥ 2",
                    ratio(heterogeneous.median(), random.mean())),
                ExperimentReport.row(
                    "scans of tenant e, heterogeneous / manual-homogeneous",
                    "–",
                    "13.5 (100 → 1,350)",
                    ratio(
                        tenant(results.get(Strategy.MANUAL_HETEROGENEOUS), "e").median(),
                        tenant(results.get(Strategy.MANUAL_HOMOGENEOUS), "e").median()))));
    var header = new ArrayList<>(List.of("ops/s, median (range)", "total"));
    header.addAll(SixTenants.TENANTS);
    var rows = new ArrayList<List<String>>();
    results.forEach(
        (strategy, list) -> {
          var row = ExperimentReport.row(strategy, total(list));
          SixTenants.TENANTS.forEach(t -> row.add(tenant(list, t).toString()));
          rows.add(row);
        });
    report.table(header, rows);
    var lines = new ArrayList<ThroughputPlot.Curve>();
    results.forEach(
        (strategy, list) -> {
          for (int i = 0; i < list.size(); i++) {
            lines.add(
                new ThroughputPlot.Curve(
                    strategy + " " + (i + 1),
                    ThroughputPlot.smooth(list.get(i).total(), SMOOTH_SECONDS)));
          }
        });
    ThroughputPlot.write(
        folder.resolve("throughput.png"),
        "E1: total throughput",
        lines,
        List.of(new ThroughputPlot.Mark(WARM.toSeconds(), "measured from here")));
    report.picture("total throughput of every run", "throughput.png");
    report.heading("Data").paragraph(verified + " " + faults(results));
    tenants.describe(report, WARM, MEASURE);
  }

  private static String faults(Map<Strategy, List<RunResult>> results) {
    var all = results.values().stream().flatMap(List::stream).toList();
    return "Over all runs: %d wrong and %d lost reads, %d operations failed, %d retries."
        .formatted(
            all.stream().mapToLong(RunResult::wrong).sum(),
            all.stream().mapToLong(RunResult::lost).sum(),
            all.stream().mapToLong(RunResult::errors).sum(),
            all.stream().mapToLong(RunResult::retries).sum());
  }

  static String ratio(double a, double b) {
    return String.format(Locale.ROOT, "%.2f", a / b);
  }
}
