package io.trimtab.experiments.cost;

import io.trimtab.experiments.cost.Observed.Half;
import io.trimtab.experiments.cost.Observed.Looks;
import io.trimtab.experiments.cost.ObservedCluster.Kind;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.MedianInterval;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.workload.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report of OBSERVED. */
final class ObservedReport {
  /** Of a core, that a node may be asked for. */
  static final double TARGET_PERCENT = 1;

  private static final double SURE = 0.95;
  private static final String NUMBER = "%.2f";

  private final Path folder;
  private final int pairs;
  private final long seed;
  private final double loadAverage;

  /**
   * @param pairs that are wanted, even
   * @param loadAverage of the machine before the start
   */
  ObservedReport(Path folder, int pairs, long seed, double loadAverage) {
    this.folder = folder;
    this.pairs = pairs;
    this.seed = seed;
    this.loadAverage = loadAverage;
  }

  Path write(List<ObservedCluster> clusters, List<Half> halves, Map<Kind, Looks> looks)
      throws IOException {
    ExperimentReport report =
        new ExperimentReport(folder, "OBSERVED: what it costs a node to be observed");
    long done = halves.stream().mapToInt(Half::pair).distinct().count();
    report
        .paragraph(
            "Made by `./trimtab lab run OBSERVED --runs %d --seed %d` on %s, %d of %d pairs."
                .formatted(
                    pairs / Observed.PAIRS_PER_RUN,
                    seed,
                    LocalDate.now(ZoneOffset.UTC),
                    done,
                    pairs))
        .heading("CPU time, % of a core")
        .paragraph(
            ("Asked of a node: at most %.0f %% in addition. Medians (range) of the intervals. Met"
                    + " or missed only where the 95 %% interval of the pairs' median, by ranks,"
                    + " agrees. What is no node is told beside.")
                .formatted(TARGET_PERCENT))
        .table(
            List.of("process", "observed", "not observed", "difference", "pairs", "asked"),
            rows(halves))
        .heading("Snapshots in the intervals")
        .table(
            List.of("cluster", "snapshots", "seconds, median (range)", "what came of them"),
            looks.entrySet().stream().map(of -> row(of.getKey(), of.getValue())).toList())
        .heading("Setting")
        .list(setting(clusters));
    report.raw("halves.json", halves);
    return report.write();
  }

  /** A line for each process; every pair has it once with and once without the autopilot. */
  static List<List<String>> rows(List<Half> halves) {
    List<List<String>> rows = new ArrayList<>();
    for (String process : halves.stream().map(Half::process).distinct().toList()) {
      List<Half> own = halves.stream().filter(h -> h.process().equals(process)).toList();
      double[] with = percents(own, true);
      double[] without = percents(own, false);
      double[] difference = new double[with.length];
      for (int i = 0; i < difference.length; i++) {
        difference[i] = with[i] - without[i];
      }
      rows.add(
          ExperimentReport.row(
              process,
              Spread.text(NUMBER, with),
              Spread.text(NUMBER, without),
              Spread.text(NUMBER, difference),
              difference.length,
              own.get(0).node() ? verdict(MedianInterval.of(difference)) : "–"));
    }
    return rows;
  }

  /** In the order of the pairs, which is that in which they were made. */
  private static double[] percents(List<Half> own, boolean observed) {
    return own.stream()
        .filter(half -> half.observed() == observed)
        .mapToDouble(Half::percentOfCore)
        .toArray();
  }

  private static String verdict(MedianInterval difference) {
    if (difference.coverage() < SURE) {
      return "too few pairs";
    } else if (difference.high() <= TARGET_PERCENT) {
      return "met";
    }
    return difference.low() > TARGET_PERCENT ? "missed" : "not decided by these pairs";
  }

  private static List<String> row(Kind kind, Looks looks) {
    double[] seconds = looks.snapshotS.stream().mapToDouble(s -> s).toArray();
    String verdicts =
        looks.verdicts.entrySet().stream()
            .map(of -> of.getValue() + " × " + of.getKey())
            .collect(Collectors.joining("; "));
    return ExperimentReport.row(kind.title, seconds.length, Spread.text(NUMBER, seconds), verdicts);
  }

  private List<String> setting(List<ObservedCluster> clusters) {
    List<String> all = new ArrayList<>();
    all.add(
        String.format(
            Locale.ROOT,
            "%s; load average before the start %.2f",
            Machine.describe(),
            loadAverage));
    for (ObservedCluster cluster : clusters) {
      all.add(of(cluster));
    }
    all.addAll(
        List.of(
            "both clusters, their clients and the autopilot on this machine; nodes without limits;"
                + " their CPU and I/O wait are read from the kernel, which asks nothing of them",
            ("load of each: %.0f reads/s, uniform, open loop, %d threads; %,d records of %,d bytes")
                .formatted(
                    ObservedCluster.READS_PER_S,
                    ObservedCluster.THREADS,
                    ObservedCluster.RECORDS,
                    ObservedCluster.LENGTH),
            ("the autopilot: default settings, a dry run; a sample every %d s; a decision needs %d"
                    + " samples, so that hints and histograms are asked for with every sample but a"
                    + " run's first")
                .formatted(Observed.period().toSeconds(), Observed.SAMPLES),
            ("first %d s with a sample every %d s of both clusters; then intervals of %d s, %d s"
                    + " after the first sample of a new connection; in each one cluster is observed"
                    + " and the other has no connection; which one is first in a pair by the seed")
                .formatted(
                    Observed.WARM_UP.toSeconds(),
                    Observed.WARM_PERIOD.toSeconds(),
                    Observed.period().toSeconds() * Observed.PERIODS,
                    Observed.SETTLE.toSeconds()),
            "CPU time: user and system time of the processes, which the kernel counts in hundredths"
                + " of a second; a node of HBase is a RegionServer and a DataNode",
            "the plug-in's counting of block accesses goes on once it was asked for, in intervals"
                + " without the autopilot, too: OBSERVER measures it"));
    return all;
  }

  private static String of(ObservedCluster cluster) {
    Summary load = cluster.summary();
    long nodes = cluster.parts().stream().filter(ObservedCluster.Part::node).count();
    return String.format(
        Locale.ROOT,
        "%s %s, %d node%s, %s heap, %s, with the plug-in; %.0f reads/s served, %d errors, %d wrong,"
            + " %d lost",
        cluster.kind().title,
        cluster.version(),
        nodes,
        nodes == 1 ? "" : "s",
        cluster.lab().config().heap(),
        cluster.kind() == Kind.HBASE ? cluster.kind().partitions + " regions" : "16 tokens each",
        load.opsPerSecond(),
        load.errors(),
        load.wrong(),
        load.lost());
  }
}
