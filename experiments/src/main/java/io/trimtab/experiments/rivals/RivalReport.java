package io.trimtab.experiments.rivals;

import io.trimtab.experiments.report.Charts;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.ThroughputPlot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The report of RIVALS, of the runs so far. */
final class RivalReport {
  private final Path folder;
  private final int runs;
  private final long seed;
  private final List<String> setting;

  RivalReport(Path folder, int runs, long seed, List<String> setting) {
    this.folder = folder;
    this.runs = runs;
    this.seed = seed;
    this.setting = setting;
  }

  Path write(List<RivalRun> made) throws IOException {
    List<RivalRun> whole = made.stream().filter(r -> r.failure().isEmpty()).toList();
    ExperimentReport report =
        new ExperimentReport(folder, "RIVALS: what operators run today, and policies");
    report.paragraph(
        ("Made by `./trimtab lab run RIVALS --runs %d --seed %d`; levels are geometric means over"
                + " the six tenants of their operations per second; medians, with the range.")
            .formatted(runs, seed));
    missing(whole, false).ifPresent(report::paragraph);
    untrue(made).ifPresent(report::paragraph);
    report.paragraph(
        ("Before: the first phase, in which nobody acts; from the third phase on the load is"
                + " another one. A tenant's loss is told as long as its own load is that of the"
                + " first phase. The best of a phase is its best half minute, so that a level that"
                + " still rises at its end is not settled before. Within %d s it shall be back at"
                + " 90 %% of its best after a change.")
            .formatted(Rivals.BACK.toSeconds()));
    new PhaseTables(Rival.on(false), whole).write(report, "");
    report.heading("On nodes with a bucket cache");
    missing(whole, true).ifPresent(report::paragraph);
    report.list(Rivals.bucketSetting());
    new PhaseTables(Rival.on(true), whole).write(report, "Bucket cache: ");
    data(report, made);
    plot(report, whole);
    report
        .heading("Setting")
        .list(setting)
        .paragraph(
            "Policies also plan while no node is overloaded (place.whenHealthy); what is not told"
                + " is at its default.");
    made.stream()
        .map(r -> r.day() + ", " + r.machine())
        .distinct()
        .forEach(origin -> report.paragraph("Made on " + origin + "."));
    return report.write();
  }

  private static List<RivalRun> of(List<RivalRun> made, Rival rival) {
    return made.stream().filter(r -> r.rival().equals(rival.toString())).toList();
  }

  private Optional<String> missing(List<RivalRun> whole, boolean bucketCache) {
    List<String> missing = new ArrayList<>();
    for (Rival rival : Rival.on(bucketCache)) {
      int left = runs - of(whole, rival).size();
      if (left > 0) {
        missing.add(rival + ": " + left);
      }
    }
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("**Runs that are missing:** " + String.join("; ", missing) + ".");
  }

  /** What speaks against a rival whatever its figures are. */
  private static Optional<String> untrue(List<RivalRun> made) {
    String runs =
        made.stream()
            .filter(r -> !r.failure().isEmpty() || r.wrongOrLost() > 0)
            .map(r -> r.rival() + ", run " + r.run())
            .distinct()
            .collect(Collectors.joining("; "));
    return runs.isEmpty()
        ? Optional.empty()
        : Optional.of("**Failed, or reads were wrong or lost (see Data):** " + runs + ".");
  }

  private static void data(ExperimentReport report, List<RivalRun> made) {
    report.heading("Data").list(made.stream().map(RivalReport::line).toList());
  }

  private static String line(RivalRun run) {
    String counts =
        "%s, run %d: %d plans; %d operations failed, %d reads wrong or lost"
            .formatted(run.rival(), run.run(), run.plans(), run.errors(), run.wrongOrLost());
    String cached =
        run.cached().isEmpty()
            ? ""
            : "; regions cached, as their servers told: "
                + Spread.text(
                    "%.2f", run.cached().stream().mapToDouble(Double::doubleValue).toArray());
    return counts
        + cached
        + "; "
        + (run.failure().isEmpty()
            ? run.verified()
            : "**failed after phase %d**: %s".formatted(run.phases().size(), run.failure()));
  }

  private void plot(ExperimentReport report, List<RivalRun> whole) throws IOException {
    List<Charts.Line> lines = new ArrayList<>();
    for (Rival rival : Rival.values()) {
      of(whole, rival).stream()
          .filter(r -> r.run() == 1)
          .findFirst()
          .ifPresent(
              r ->
                  lines.add(
                      Charts.Line.counted(
                          r.rival(), ThroughputPlot.smooth(r.total(), RivalRun.WINDOW))));
    }
    if (!lines.isEmpty()) {
      Charts.lines(
          folder.resolve("run-1.png"),
          "RIVALS, run 1: all tenants",
          Charts.Axes.linear("seconds", "operations per second"),
          lines);
      report.picture("throughput of all tenants, run 1", "run-1.png");
    }
  }
}
