package io.trimtab.experiments.latency;

import io.trimtab.experiments.report.Charts;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The report of an experiment on the order of replicas, of the runs so far. */
final class RankingReport {
  private final Path folder;
  private final int runs;
  private final RankingSuite suite;

  RankingReport(Path folder, int runs, RankingSuite suite) {
    this.folder = folder;
    this.runs = runs;
    this.suite = suite;
  }

  private static Spread spread(List<RankingResult> results, ToDoubleFunction<RankingResult> what) {
    return Spread.of(results.stream().mapToDouble(what).toArray());
  }

  private static String text(List<RankingResult> its, ToDoubleFunction<RankingResult> what) {
    return Spread.text("%.1f", its.stream().mapToDouble(what).toArray());
  }

  Path write(RankingRuns results) throws IOException {
    ExperimentReport report = new ExperimentReport(folder, suite.title());
    report
        .paragraph(
            "Made by `./trimtab lab run %s --runs %d` on %s. Wu 2018, ch. 5."
                .formatted(suite.name(), runs, String.join(", ", results.days())))
        .paragraph(
            "Milliseconds, median (range) of the runs. In an open loop latencies count from when an"
                + " operation was due.");
    List<RankingSuite.Comparison> made =
        suite.comparisons().stream()
            .filter(c -> results.missing(c.load().title(), 1) == 0)
            .toList();
    overview(report, made, results);
    for (RankingSuite.Comparison comparison : made) {
      compare(report, comparison, results);
    }
    report.heading("Setting").list(results.setting());
    return report.write();
  }

  private void overview(
      ExperimentReport report, List<RankingSuite.Comparison> made, RankingRuns results)
      throws IOException {
    List<RankingSuite.Comparison> open = made.stream().filter(c -> !c.closed()).toList();
    if (open.isEmpty()) {
      return;
    }
    Map<String, List<Double>> bars = new LinkedHashMap<>();
    for (Ordering ordering : suite.orderings()) {
      bars.put(
          ordering.toString(),
          open.stream()
              .map(c -> results.of(c.load().title(), ordering))
              .map(its -> spread(its, RankingResult::readP999).median())
              .toList());
    }
    Charts.bars(
        folder.resolve("p999.png"),
        "p99.9 of reads, medians of the runs",
        "ms",
        open.stream().map(c -> c.load().title()).toList(),
        bars);
    report.picture("p99.9 of reads by order and load", "p999.png");
  }

  private void compare(
      ExperimentReport report, RankingSuite.Comparison comparison, RankingRuns results)
      throws IOException {
    RankingCase load = comparison.load();
    report.heading(load.title()).paragraph("Made on " + results.origin(load.title()) + ".");
    List<List<String>> rows = new ArrayList<>();
    for (Ordering ordering : suite.orderings()) {
      List<RankingResult> its = results.of(load.title(), ordering);
      rows.add(
          ExperimentReport.row(
              ordering,
              spread(its, RankingResult::opsPerSecond),
              text(its, RankingResult::readMean),
              text(its, RankingResult::readP50),
              text(its, RankingResult::readP99),
              text(its, RankingResult::readP999),
              spread(its, RankingResult::diskReads),
              text(its, RankingResult::busyCores),
              "%.0f %%".formatted(100 * spread(its, RankingResult::ownReads).median()),
              load.reads() < 1 ? text(its, RankingResult::writeP999) : "–",
              its.stream().mapToLong(RankingResult::errors).sum(),
              its.stream().mapToLong(RankingResult::retries).sum(),
              its.stream().mapToLong(RankingResult::stale).sum()));
    }
    report.table(
        List.of(
            "order",
            "operations/s",
            "reads: mean",
            "p50",
            "p99",
            "p99.9",
            "disk reads/s, a node",
            "busy cores",
            "own reads",
            "writes: p99.9",
            "failed",
            "retries",
            "older than another copy"),
        rows);
    report.list(ratios(comparison, results));
    if (comparison.disturbed()) {
      phases(report, load, results);
      asked(report, load, results);
      plots(report, load, results);
    }
  }

  /** Of each pair, medians and run by run: runs of a number are made one after another. */
  private List<String> ratios(RankingSuite.Comparison comparison, RankingRuns results) {
    List<String> lines = new ArrayList<>();
    for (RankingSuite.Pair pair : suite.pairs()) {
      boolean first = pair.equals(suite.pairs().get(0));
      double asked = first ? comparison.asked() : Double.NaN;
      if (comparison.closed()) {
        lines.add(
            ratio("operations/s", pair, comparison, asked, results, RankingResult::opsPerSecond));
      } else {
        lines.add(
            ratio("p99.9 of reads", pair, comparison, asked, results, RankingResult::readP999));
      }
      if (comparison.load().reads() < 1) {
        lines.add(
            ratio(
                "p99.9 of writes",
                pair,
                comparison,
                Double.NaN,
                results,
                RankingResult::writeP999));
      }
      if (!comparison.disturbed()) {
        lines.add(
            ratio("median read", pair, comparison, Double.NaN, results, RankingResult::readP50));
      }
    }
    return lines;
  }

  private static String ratio(
      String what,
      RankingSuite.Pair pair,
      RankingSuite.Comparison comparison,
      double asked,
      RankingRuns results,
      ToDoubleFunction<RankingResult> value) {
    List<RankingResult> ours = results.of(comparison.load().title(), pair.of());
    List<RankingResult> theirs = results.of(comparison.load().title(), pair.to());
    String byRun =
        ours.stream()
            .flatMap(
                own ->
                    theirs.stream()
                        .filter(other -> other.run() == own.run())
                        .map(other -> value.applyAsDouble(own) / value.applyAsDouble(other)))
            .map(r -> String.format(Locale.ROOT, "%.2f", r))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s, %s: %.2f of %s%s; by run %s",
        what,
        pair.of(),
        spread(ours, value).median() / spread(theirs, value).median(),
        pair.to(),
        Double.isNaN(asked)
            ? ""
            : String.format(
                Locale.ROOT,
                " (asked: %s %.2f)",
                comparison.closed() ? "at least" : "at most",
                asked),
        byRun);
  }

  /** Which disturbance the slowest reads come from. */
  private void phases(ExperimentReport report, RankingCase load, RankingRuns results) {
    List<String> header = new ArrayList<>(List.of("reads' p99.9 while this disturbs"));
    for (Phase phase : Phase.values()) {
      header.add(phase.toString());
    }
    List<List<String>> rows = new ArrayList<>();
    for (Ordering ordering : suite.orderings()) {
      List<String> row = new ArrayList<>(List.of(ordering.toString()));
      for (Phase phase : Phase.values()) {
        row.add(
            text(
                results.of(load.title(), ordering),
                result -> result.readP999In().getOrDefault(phase, 0.0)));
      }
      rows.add(row);
    }
    report.table(header, rows);
  }

  private static List<AskedNode> nodes(List<RankingResult> its, Phase phase) {
    return its.stream().map(r -> new AskedNode(r.readsPer100Ms().get(phase))).toList();
  }

  private static String over(List<AskedNode> nodes, ToDoubleFunction<AskedNode> what) {
    return Spread.text("%.1f", nodes.stream().mapToDouble(what).toArray());
  }

  private void asked(ExperimentReport report, RankingCase load, RankingRuns results) {
    int from = RankingTrial.SLOW_FROM;
    int to = RankingTrial.SLOW_TO;
    List<List<String>> rows = new ArrayList<>();
    for (Ordering ordering : suite.orderings()) {
      List<AskedNode> nodes = nodes(results.of(load.title(), ordering), Phase.SLOW_DISK);
      rows.add(
          ExperimentReport.row(
              ordering,
              over(nodes, n -> n.mean(0, from)),
              over(nodes, n -> n.least(0, from)),
              over(nodes, n -> n.clustered(0, from)),
              over(nodes, n -> n.mean(from + 1, to)),
              over(nodes, n -> n.back(to))));
    }
    report.table(
        List.of(
            "reads in 100 ms on the node with the slow disk",
            "before: mean",
            "least",
            "variance / mean",
            "while it is slow: mean",
            "s until it has half of that of before again"),
        rows);
  }

  private void plots(ExperimentReport report, RankingCase load, RankingRuns results)
      throws IOException {
    boolean all = load.equals(suite.comparisons().get(0).load());
    for (Phase phase : all ? Phase.disturbing() : List.of(Phase.SLOW_DISK)) {
      List<Charts.Line> lines = new ArrayList<>();
      for (Ordering ordering : suite.orderings()) {
        double[] reads = AskedNode.smooth(nodes(results.of(load.title(), ordering), phase));
        lines.add(new Charts.Line(ordering.toString(), seconds(reads.length), reads));
      }
      String file = name(load) + (phase == Phase.SLOW_DISK ? "" : "-" + phase) + ".png";
      String title = "reads on the node with: " + phase;
      Charts.lines(
          folder.resolve(file),
          load.title() + ": " + title + ", mean of the runs over 1 s",
          Charts.Axes.linear("seconds", "reads in 100 ms"),
          lines);
      report.picture(title, file);
    }
    if (all) {
      single(report, load, results);
    }
  }

  /** One run of each of the pairs' orderings, interval by interval (Wu 2018, Fig. 5.11). */
  private void single(ExperimentReport report, RankingCase load, RankingRuns results)
      throws IOException {
    List<Charts.Line> lines = new ArrayList<>();
    for (Ordering ordering : suite.orderings()) {
      boolean paired =
          suite.pairs().stream().anyMatch(p -> p.of() == ordering || p.to() == ordering);
      if (paired) {
        double[] reads =
            results.of(load.title(), ordering).get(0).readsPer100Ms().get(Phase.SLOW_DISK).stream()
                .mapToDouble(n -> n)
                .toArray();
        lines.add(new Charts.Line(ordering.toString(), seconds(reads.length), reads));
      }
    }
    String file = name(load) + "-run-1.png";
    Charts.lines(
        folder.resolve(file),
        load.title() + ": reads on the node with the slow disk, run 1",
        Charts.Axes.linear("seconds", "reads in 100 ms"),
        lines);
    report.picture("reads in 100 ms, run 1", file);
  }

  private static String name(RankingCase load) {
    return load.title().replaceAll("[^A-Za-z]+", "-");
  }

  private static double[] seconds(int intervals) {
    double[] seconds = new double[intervals];
    for (int i = 0; i < intervals; i++) {
      seconds[i] = (i + 1) * NodeReads.EVERY_MS / 1e3;
    }
    return seconds;
  }

  /** How runs are made. */
  static List<String> setting(RankingBed bed) throws Exception {
    List<String> setting = new ArrayList<>(bed.describe());
    setting.add(
        ("before the runs of a load: %d s with each ordering, and one whole run that does not"
                + " count; each run: %d s to settle, then %d s measured; from second %d to %d the"
                + " second node's disk reads %d a second, in second %d the fourth collects garbage,"
                + " in second %d the sixth begins to compact")
            .formatted(
                RankingTrial.WARM_SECONDS,
                RankingTrial.SETTLE_SECONDS,
                RankingTrial.SECONDS,
                RankingTrial.SLOW_FROM,
                RankingTrial.SLOW_TO,
                RankingTrial.SLOW_IOPS,
                RankingTrial.STOP_AT,
                RankingTrial.COMPACT_AT));
    setting.add(
        ("records of 1,000 bytes, of 24 to 20,000 where sizes differ; %d threads; open loop at"
                + " %.0f operations/s, %.0f where every record is asked as often, %.0f where sizes"
                + " differ")
            .formatted(
                RankingCase.THREADS,
                RankingCase.RATE,
                RankingCase.UNIFORM_RATE,
                RankingCase.UNEQUAL_RATE));
    setting.add(
        "clients ask nodes in turn, so that half of the reads meet a coordinator with a copy; token"
            + " aware where it says so; own reads: the share of what coordinators asked"
            + " replicas for, reads made again included, that was their own copy");
    setting.add(
        "orderings in turn, in each run in another order, so that each follows another one"
            + " (balanced where the runs are a multiple of six); switched while the nodes run, by"
            + " JMX");
    setting.add(
        "dynamic snitch: Cassandra's own, with the threshold of 5.0 (1.0) or of earlier versions;"
            + " the others are the plug-in's, whose messages carry what it measures in all cases");
    return setting;
  }
}
