package io.trimtab.experiments.placement;

import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.placement.SplitTrial.SplitRun;
import io.trimtab.experiments.placement.SplitTrial.Way;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * E6: one table on one of two nodes, 80 % reads and 20 % updates, Zipfian with the popular keys
 * side by side; split by HBase in the middle of its bytes, and where its requests halve (Cruz 2016,
 * §4.1.2, Figures 4.6 and 4.7).
 */
public final class E6 extends Experiment {
  private static final int SMOOTH_SECONDS = 5;
  private static final List<Way> WAYS = List.of(Way.NOT, Way.SIZE, Way.LOAD);

  public E6(Trial trial) {
    super(trial);
  }

  public static WorkloadSpec spec(TestbedSettings settings) {
    return new WorkloadSpec(
        null,
        null,
        List.of(
            new TenantSpec(
                SplitTrial.TABLE,
                SplitTrial.TABLE,
                1,
                settings.records(),
                1,
                1_000,
                null,
                32 << 10,
                false,
                new Mix(0.8, 0.2, null, null, null),
                null,
                new Distribution(Distribution.Kind.ZIPFIAN, null, null),
                TenantSpec.KeyOrder.ORDERED,
                settings.threads(),
                null,
                null,
                null)));
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report = new ExperimentReport(folder, "E6: a split by requests");
    var outcomes = new EnumMap<Way, List<SplitRun>>(Way.class);
    var verified = new ArrayList<String>();
    SplitTrial trial = new SplitTrial(bed, console);
    trial.workIn(seed);
    for (int run = 0; run < runs; run++) {
      for (Way way : order(run)) {
        String label = way.title + ", run " + (run + 1) + " of " + runs;
        console.step(label);
        bed.load(Map.of(SplitTrial.WHOLE, 0));
        SplitRun outcome = trial.measure(way, bed.tenants(), label, seed + run);
        outcomes.computeIfAbsent(way, w -> new ArrayList<>()).add(outcome);
        String name = way.name().toLowerCase(Locale.ROOT);
        report.raw(name + "-" + (run + 1) + ".json", outcome.result());
        console.step(
            String.format(
                Locale.ROOT,
                "%s: %,.0f ops/s, %.0f %% of them on the second node, usage %.0f %% and %.0f %%%s",
                label,
                outcome.result().measured(),
                100 * outcome.secondShare(),
                100 * outcome.busy(0),
                100 * outcome.busy(1),
                outcome.key().isEmpty() ? "" : "; split at " + outcome.key()));
        verified.add(bed.verify());
      }
    }
    write(report, outcomes, verified);
    return report.write();
  }

  /** Every run begins with another way, so that none gains from always being the last. */
  private static List<Way> order(int run) {
    var ways = new ArrayList<>(WAYS);
    Collections.rotate(ways, -run);
    return ways;
  }

  private void write(
      ExperimentReport report, Map<Way, List<SplitRun>> outcomes, List<String> verified)
      throws Exception {
    double size = total(outcomes.get(Way.SIZE)).median();
    var ratios = new double[runs];
    for (int i = 0; i < runs; i++) {
      ratios[i] =
          outcomes.get(Way.LOAD).get(i).result().measured()
              / outcomes.get(Way.SIZE).get(i).result().measured();
    }
    Spread ratio = Spread.of(ratios);
    report
        .paragraph(
            "Made by `./trimtab lab run E6 --runs %d --seed %d` on %s. Cruz 2016, §4.1.2."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .table(
            List.of("", "target", "paper", "measured, median (range)"),
            List.of(
                ExperimentReport.row(
                    "split by load / split by size, same run",
                    "≥ 1.6",
                    "almost 2",
                    String.format(
                        Locale.ROOT,
                        "%.2f (%.2f–%.2f)",
                        ratio.median(),
                        ratio.min(),
                        ratio.max()))));
    var rows = new ArrayList<List<String>>();
    outcomes.forEach(
        (way, list) ->
            rows.add(
                ExperimentReport.row(
                    way.title,
                    total(list),
                    E1.ratio(total(list).median(), size),
                    Spread.of(list.stream().mapToDouble(o -> 100 * o.secondShare()).toArray()),
                    Spread.of(list.stream().mapToDouble(o -> 100 * o.busy(0)).toArray()),
                    Spread.of(list.stream().mapToDouble(o -> 100 * o.busy(1)).toArray()),
                    list.get(0).key().isEmpty() ? "–" : "`" + list.get(0).key() + "`")));
    report.table(
        List.of(
            "",
            "ops/s, median (range)",
            "relative to split by size",
            "% on the second node",
            "usage of the first node, %",
            "usage of the second node, %",
            "key, run 1"),
        rows);
    plot(report, outcomes);
    var all = outcomes.values().stream().flatMap(List::stream).map(SplitRun::result).toList();
    report
        .heading("Data")
        .paragraph(
            "%s Over all runs: %d wrong and %d lost reads, %d operations failed, %d retries."
                .formatted(
                    readBack(verified),
                    all.stream().mapToLong(RunResult::wrong).sum(),
                    all.stream().mapToLong(RunResult::lost).sum(),
                    all.stream().mapToLong(RunResult::errors).sum(),
                    all.stream().mapToLong(RunResult::retries).sum()));
    List<NodeUsage> usages =
        outcomes.values().stream().flatMap(List::stream).flatMap(o -> o.usages().stream()).toList();
    describe(report, setting(usages));
  }

  /** Each measurement has its own data, and what was found in it. */
  private static String readBack(List<String> verified) {
    String bad =
        verified.stream()
            .filter(found -> !found.endsWith(HBaseTestbed.NOTHING_LOST))
            .collect(Collectors.joining(" "));
    return bad.isEmpty()
        ? "%s The same after each of the %d measurements."
            .formatted(verified.get(verified.size() - 1), verified.size())
        : bad;
  }

  private List<String> setting(List<NodeUsage> usages) {
    return List.of(
        "the first two nodes serve the table; the others serve nothing and store copies of"
            + " written data (HDFS replication is two)",
        "one table of 80,000 records of 1,000 bytes, one region on the first node at the start of"
            + " every measurement; it fits into one node's block cache, so requests use only CPU",
        "80 %% reads, 20 %% updates, Zipfian (YCSB's 0.99), popular keys adjacent; %d"
                .formatted(bed.tenants().get(0).threads())
            + " closed-loop threads",
        "split under load after %d s, the right half moves to the second node, both halves are"
                .formatted(SplitTrial.OBSERVE.toSeconds())
            + " compacted; %d s settling, then %d s measured"
                .formatted(SplitTrial.SETTLE.toSeconds(), SplitTrial.MEASURE.toSeconds()),
        "before the first measurement each node serves the table for %d s with no limit on its"
                .formatted(SplitTrial.WORK_IN.toSeconds())
            + " CPU, so that its code is compiled; every run starts with a different variant",
        ExperimentReport.usageFrom(usages));
  }

  private void plot(ExperimentReport report, Map<Way, List<SplitRun>> outcomes) throws Exception {
    var lines = new ArrayList<ThroughputPlot.Curve>();
    outcomes.forEach(
        (way, list) ->
            lines.add(
                new ThroughputPlot.Curve(
                    way.title,
                    ThroughputPlot.smooth(list.get(0).result().total(), SMOOTH_SECONDS))));
    ThroughputPlot.write(
        folder.resolve("throughput.png"),
        "E6: throughput, run 1",
        lines,
        List.of(new ThroughputPlot.Mark(SplitTrial.OBSERVE.toSeconds(), "split")));
    report.picture("throughput of the first run", "throughput.png");
  }

  private static Spread total(List<SplitRun> list) {
    return Spread.of(list.stream().mapToDouble(o -> o.result().measured()).toArray());
  }
}
