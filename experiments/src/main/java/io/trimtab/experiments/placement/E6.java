package io.trimtab.experiments.placement;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.lab.testbed.PartitionSlot;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * E6: one table on one of two nodes, 80 % reads and 20 % updates, Zipfian with the popular keys
 * side by side; split by HBase in the middle of its bytes, and where its requests halve (Cruz 2016,
 * §4.1.2, Figures 4.6 and 4.7).
 */
public final class E6 extends Experiment {
  private static final String TABLE = "t";

  /** On each node before anything is measured. */
  static final Duration WORK_IN = Duration.ofSeconds(45);

  /** Before the split, which happens under load. */
  static final Duration OBSERVE = Duration.ofSeconds(12);

  static final Duration SETTLE = Duration.ofSeconds(20);
  static final Duration MEASURE = Duration.ofSeconds(25);
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int SMOOTH_SECONDS = 5;

  /** How the table is split. */
  private enum Way {
    NOT("not split"),
    SIZE("HBase's split by size"),
    LOAD("split by load");

    private final String title;

    Way(String title) {
      this.title = title;
    }
  }

  /**
   * One measurement.
   *
   * @param key where the table was split; empty where it was not
   * @param secondShare share of all requests that the second node served
   * @param busy server usage of the two nodes meanwhile
   */
  private record SplitRun(RunResult result, String key, double secondShare, double[] busy) {}

  /** All that was measured of nodes. */
  private final List<NodeUsage> usages = new ArrayList<>();

  public E6(Trial trial) {
    super(trial);
  }

  public static WorkloadSpec spec(TestbedSettings settings) {
    return new WorkloadSpec(
        null,
        null,
        List.of(
            new TenantSpec(
                TABLE,
                TABLE,
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
    workIn();
    for (int run = 0; run < runs; run++) {
      for (Way way : order(run)) {
        String label = way.title + ", run " + (run + 1) + " of " + runs;
        console.step(label);
        bed.load(Map.of(new PartitionSlot(TABLE, 0), 0));
        SplitRun outcome = measure(way, label, seed + run);
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
                100 * outcome.busy()[0],
                100 * outcome.busy()[1],
                outcome.key().isEmpty() ? "" : "; split at " + outcome.key()));
        verified.add(bed.verify());
      }
    }
    write(report, outcomes, verified);
    return report.write();
  }

  /**
   * Lets both nodes serve the table with no limit on their CPU: a server that has never worked runs
   * interpreted code, and would be what is measured.
   */
  private void workIn() throws Exception {
    PartitionSlot table = new PartitionSlot(TABLE, 0);
    for (int node = 1; node >= 0; node--) {
      bed.load(Map.of(table, node));
      bed.limit(false);
      String label = "node " + (node + 1) + " warms up";
      console.step(label);
      try (TestbedLoad load = bed.start()) {
        load.follow(console, label, WORK_IN);
        load.finish(label, seed, 0, load.second());
      }
    }
    bed.limit(true);
  }

  /** Every run begins with another way, so that none gains from always being the last. */
  private static List<Way> order(int run) {
    var ways = new ArrayList<>(List.of(Way.values()));
    Collections.rotate(ways, -run);
    return ways;
  }

  private SplitRun measure(Way way, String label, long runSeed) throws Exception {
    try (TestbedLoad load = bed.start()) {
      load.follow(console, label + ": before", OBSERVE);
      String key =
          switch (way) {
            case NOT -> "";
            case SIZE -> sizeSplit();
            case LOAD -> loadSplit();
          };
      for (PartitionState p : bed.engine().snapshot().partitions()) {
        if (way != Way.NOT) {
          // Each half reads the parent's files until it has files of its own.
          bed.engine().compact(p.id(), LIMIT);
        }
      }
      load.follow(console, label + ": settles", SETTLE);
      int from = load.second();
      ClusterSnapshot before = bed.engine().snapshot();
      load.follow(console, label, MEASURE);
      ClusterSnapshot after = bed.engine().snapshot();
      int to = load.second();
      List<NodeUsage> both =
          bed.nodes().subList(0, 2).stream().map(n -> after.node(n).orElseThrow().usage()).toList();
      usages.addAll(both);
      double[] busy = both.stream().mapToDouble(NodeUsage::server).toArray();
      return new SplitRun(
          load.finish(label, runSeed, from, to), key, secondShare(before, after), busy);
    }
  }

  /** What HBase does when a region has grown too large, and then its half moves over. */
  private String sizeSplit() throws Exception {
    Engine engine = bed.engine();
    try (Admin admin = bed.connection().getAdmin()) {
      RegionInfo unsplit = admin.getRegions(TableName.valueOf(TABLE)).get(0);
      admin
          .splitRegionAsync(unsplit.getRegionName(), null)
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new EngineException("HBase's own split failed: " + e, e);
    }
    PartitionState right = right(engine);
    engine.move(right.id(), second(), LIMIT);
    return right.range().start().toString();
  }

  private static PartitionState right(Engine engine) throws EngineException {
    return engine.snapshot().partitions().stream()
        .filter(p -> !p.range().start().isEmpty())
        .findFirst()
        .orElseThrow(() -> new EngineException("the table has not been split"));
  }

  /** What the autopilot's plug-in advises. */
  private String loadSplit() throws Exception {
    Engine engine = bed.engine();
    SplitHint hint =
        engine.splitHints().stream()
            .filter(h -> h.partition().table().equals(TABLE))
            .findFirst()
            .orElseThrow(() -> new EngineException("no plug-in observes the table's requests"));
    if (hint.refusal().isPresent()) {
      throw new EngineException("no split is advised: " + hint.refusal().get());
    }
    PartitionId unsplit = hint.partition();
    RowKey key = hint.key();
    engine.split(unsplit, key, second(), LIMIT);
    return key.toString();
  }

  private NodeId second() {
    return bed.nodes().get(1);
  }

  private double secondShare(ClusterSnapshot before, ClusterSnapshot after) {
    double all = 0;
    double there = 0;
    for (PartitionState p : after.partitions()) {
      PartitionCounters then =
          before.partition(p.id()).flatMap(PartitionState::counters).orElse(PartitionCounters.ZERO);
      PartitionCounters now = p.counters().orElse(then);
      double requests = now.pointReads() - then.pointReads() + now.writes() - then.writes();
      all += requests;
      there += p.node().filter(second()::equals).isPresent() ? requests : 0;
    }
    return all > 0 ? there / all : 0;
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
                    Spread.of(list.stream().mapToDouble(o -> 100 * o.busy()[0]).toArray()),
                    Spread.of(list.stream().mapToDouble(o -> 100 * o.busy()[1]).toArray()),
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
                    verified.get(verified.size() - 1),
                    all.stream().mapToLong(RunResult::wrong).sum(),
                    all.stream().mapToLong(RunResult::lost).sum(),
                    all.stream().mapToLong(RunResult::errors).sum(),
                    all.stream().mapToLong(RunResult::retries).sum()));
    describe(report, setting());
  }

  private List<String> setting() {
    return List.of(
        "the first two nodes serve the table; the others serve nothing and store copies of"
            + " written data (HDFS replication is two)",
        "one table of 80,000 records of 1,000 bytes, one region on the first node at the start of"
            + " every measurement; it fits into one node's block cache, so requests use only CPU",
        "80 %% reads, 20 %% updates, Zipfian (YCSB's 0.99), popular keys adjacent; %d"
                .formatted(bed.tenants().get(0).threads())
            + " closed-loop threads",
        "split under load after %d s, the right half moves to the second node, both halves are"
                .formatted(OBSERVE.toSeconds())
            + " compacted; %d s settling, then %d s measured"
                .formatted(SETTLE.toSeconds(), MEASURE.toSeconds()),
        "before the first measurement each node serves the table for %d s with no limit on its"
                .formatted(WORK_IN.toSeconds())
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
        List.of(new ThroughputPlot.Mark(OBSERVE.toSeconds(), "split")));
    report.picture("throughput of the first run", "throughput.png");
  }

  private static Spread total(List<SplitRun> list) {
    return Spread.of(list.stream().mapToDouble(o -> o.result().measured()).toArray());
  }
}
