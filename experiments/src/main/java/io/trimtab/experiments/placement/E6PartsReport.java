package io.trimtab.experiments.placement;

import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The report of E6PARTS, also of some of its runs. */
final class E6PartsReport {
  private final Order order;

  E6PartsReport(Order order) {
    this.order = order;
  }

  /** What has to be the same for measurements to be compared, beside the cluster's. */
  static List<String> setting() {
    return List.of(
        "nodes, table and records as in E6: the first two nodes serve one table of 80,000 records"
            + " of 1,000 bytes, which fits into a node's block cache; the others store copies",
        "80 % reads, 20 % updates, Zipfian (YCSB's 0.99), popular keys adjacent; with reads only"
            + " nothing is updated; without a write-ahead log the table has SKIP_WAL",
        "every measurement with a new table; under load for %d s, then the split, and both halves"
                .formatted(SplitTrial.OBSERVE.toSeconds())
            + " are compacted, as is the table of a node alone; %d s settling, %d s measured"
                .formatted(SplitTrial.SETTLE.toSeconds(), SplitTrial.MEASURE.toSeconds()),
        "each time the cluster is started, each node first serves the table for %d s with no limit"
                .formatted(SplitTrial.WORK_IN.toSeconds())
            + " on its CPU; every run starts with a different load and a different measurement");
  }

  Path write(KeptRuns<SplitPart> kept) throws IOException {
    List<SplitPart> made = kept.runs().stream().filter(part -> part.run() <= order.runs()).toList();
    ExperimentReport report =
        new ExperimentReport(order.folder(), "E6PARTS: what a split by load can gain");
    report
        .paragraph(
            "Made by `./trimtab lab run %s --runs %d --seed %d` on %s."
                .formatted(E6Parts.NAME, order.runs(), order.seed(), LocalDate.now(ZoneOffset.UTC)))
        .heading("Result");
    for (SplitLoad load : List.of(SplitLoad.OWN, SplitLoad.READS, SplitLoad.NO_LOG)) {
      report.paragraph(sentence(load, gains(made, load)));
    }
    report
        .table(
            List.of(
                "load, median (range)",
                "runs",
                "split by load / split by size",
                "both nodes alone / split by size",
                "missing to 2",
                "of it the engine's",
                "the key's",
                "between the nodes"),
            Arrays.stream(SplitLoad.values()).map(load -> row(load, gains(made, load))).toList())
        .paragraph(
            "The engine's: 2 − both nodes alone, each with the whole table and half of the clients;"
                + " no split reaches more. The key's: what a key that does not halve the requests"
                + " leaves idle. Between the nodes: the rest, what nodes that serve at once take"
                + " from each other.");
    measurements(report, made);
    data(report, made);
    List<String> setting = new ArrayList<>(kept.setting());
    setting.add(
        "usage: CPU user + system + I/O wait, as shares of what a node may use; I/O wait from "
            + String.join("; ", made.stream().map(SplitPart::waits).distinct().toList()));
    setting.add(
        "%d of %d measurements are made; a run counts for a load once all four are"
            .formatted(
                made.size(), order.runs() * SplitLoad.values().length * SplitArm.values().length));
    report.heading("Setting").list(setting);
    return report.write();
  }

  private List<SplitGain> gains(List<SplitPart> made, SplitLoad load) {
    return IntStream.rangeClosed(1, order.runs())
        .mapToObj(
            run ->
                SplitGain.of(
                    made.stream().filter(p -> p.load() == load && p.run() == run).toList()))
        .flatMap(Optional::stream)
        .toList();
  }

  /** How much of what is missing is the engine's. */
  private static String sentence(SplitLoad load, List<SplitGain> gains) {
    if (gains.isEmpty()) {
      return load.title + ": not measured yet.";
    }
    double measured = median(gains, SplitGain::measured);
    double missing = median(gains, SplitGain::missing);
    if (missing <= 0) {
      return String.format(
          Locale.ROOT,
          "%s: the split by load reaches %.2f times the split by size; nothing is missing to 2.",
          load.title,
          measured);
    }
    double engine = median(gains, SplitGain::engine);
    return String.format(
        Locale.ROOT,
        "%s: the split by load reaches %.2f times the split by size, %.2f less than 2. Both nodes"
            + " alone, each with half of the clients, reach %.2f times: %.2f, or %.0f %% of what is"
            + " missing, is the engine's.",
        load.title,
        measured,
        missing,
        median(gains, SplitGain::alone),
        engine,
        100 * engine / missing);
  }

  private static double median(List<SplitGain> gains, ToDoubleFunction<SplitGain> what) {
    return Spread.of(gains.stream().mapToDouble(what).toArray()).median();
  }

  private static List<String> row(SplitLoad load, List<SplitGain> gains) {
    return ExperimentReport.row(
        load.title,
        gains.size(),
        spread(gains, SplitGain::measured),
        spread(gains, SplitGain::alone),
        spread(gains, SplitGain::missing),
        spread(gains, SplitGain::engine),
        spread(gains, SplitGain::key),
        spread(gains, SplitGain::between));
  }

  private static String spread(List<SplitGain> gains, ToDoubleFunction<SplitGain> what) {
    return Spread.text("%.2f", gains.stream().mapToDouble(what).toArray());
  }

  private static void measurements(ExperimentReport report, List<SplitPart> made) {
    List<List<String>> rows = new ArrayList<>();
    for (SplitLoad load : SplitLoad.values()) {
      for (SplitArm arm : SplitArm.values()) {
        List<SplitPart> its =
            made.stream().filter(p -> p.load() == load && p.arm() == arm).toList();
        rows.add(
            ExperimentReport.row(
                load.title,
                arm.title,
                text(its, "%,.0f", part -> part.result().measured()),
                text(its, "%.0f", part -> 100 * part.secondShare()),
                text(its, "%.0f", part -> 100 * part.firstBusy()),
                text(its, "%.0f", part -> 100 * part.secondBusy())));
      }
    }
    report
        .heading("Measurements")
        .table(
            List.of(
                "load",
                "median (range)",
                "ops/s",
                "% on the second node",
                "usage of the first node, %",
                "usage of the second node, %"),
            rows);
  }

  private static String text(
      List<SplitPart> parts, String format, ToDoubleFunction<SplitPart> what) {
    return Spread.text(format, parts.stream().mapToDouble(what).toArray());
  }

  private static void data(ExperimentReport report, List<SplitPart> made) {
    List<RunResult> all = made.stream().map(SplitPart::result).toList();
    long bad = made.stream().filter(p -> !p.verified().endsWith(HBaseTestbed.NOTHING_LOST)).count();
    report
        .heading("Data")
        .paragraph(
            ("All records were read back after each measurement: %d of %d found wrong or lost ones."
                    + " Over all measurements: %d wrong and %d lost reads, %d operations failed, %d"
                    + " retries.")
                .formatted(
                    bad,
                    made.size(),
                    all.stream().mapToLong(RunResult::wrong).sum(),
                    all.stream().mapToLong(RunResult::lost).sum(),
                    all.stream().mapToLong(RunResult::errors).sum(),
                    all.stream().mapToLong(RunResult::retries).sum()));
  }
}
