package io.trimtab.experiments.rivals;

import io.trimtab.experiments.report.Charts;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.ThroughputPlot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The report of RIVALS, of the runs so far. */
final class RivalReport {
  /** Seconds of which a picture shows the mean. */
  private static final int SMOOTHED = 10;

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
    MadeRuns whole = MadeRuns.of(made);
    ExperimentReport report =
        new ExperimentReport(folder, "RIVALS: what operators run today, and policies");
    report.paragraph(
        ("Made by `./trimtab lab run RIVALS --runs %d --seed %d`; levels are geometric means over"
                + " the six tenants of their operations per second; medians, with the range.")
            .formatted(runs, seed));
    missing(whole, false).ifPresent(report::paragraph);
    untrue(made).ifPresent(report::paragraph);
    full(made).ifPresent(report::paragraph);
    report
        .heading("What it must reach")
        .list(new Verdicts(whole, runs).lines())
        .paragraph(
            ("Before: the first phase, in which nobody acts; from the third phase on the load is"
                    + " another one. The best of a phase is its best half minute, so that a level"
                    + " that still rises at its end is not settled before. %d s after a change it"
                    + " shall be back at 90 %% of its best, and no half minute from then on below:"
                    + " the best of the load that it has then, since what another load reached"
                    + " is no measure of it. Who has little all the time is back at its own best"
                    + " at once; so it is judged by the best of any rival, too. What is moved for"
                    + " each percent gained is by what there is at the same time where nobody"
                    + " acts.")
                .formatted(Rivals.BACK.toSeconds()))
        .heading("With the same start");
    new RatioTables(whole, runs, false).paired(report);
    new PhaseTables(false, whole).write(report, "");
    report
        .heading("Each tenant")
        .paragraph(
            "Times what it had before, as long as its own load is the same, and in brackets times"
                + " what it has at the same time in the run with the same start in which nobody"
                + " acts; medians.");
    new RatioTables(whole, runs, false).tenants(report);
    bucketCaches(report, whole);
    data(report, made);
    plot(report, whole);
    report.heading("Setting").list(setting).paragraph("What is not told is at its default.");
    builds(report, made);
    made.stream()
        .map(r -> r.day() + ", " + r.machine())
        .distinct()
        .forEach(origin -> report.paragraph("Made on " + origin + "."));
    return report.write();
  }

  private void bucketCaches(ExperimentReport report, MadeRuns whole) {
    report.heading("On nodes with a bucket cache");
    missing(whole, true).ifPresent(report::paragraph);
    report.list(RivalSettings.onBucketCaches());
    RatioTables ratios = new RatioTables(whole, runs, true);
    ratios.paired(report);
    new PhaseTables(true, whole).write(report, "Bucket cache: ");
    ratios.tenants(report);
  }

  /** Rivals may be of different builds, where one was made again. */
  private static void builds(ExperimentReport report, List<RivalRun> made) {
    Map<String, Set<String>> builds = new TreeMap<>();
    for (RivalRun run : made) {
      String build =
          run.madeBy().stream()
              .filter(line -> line.startsWith("Trimtab ") || line.contains(": classes "))
              .collect(Collectors.joining(", "));
      builds.computeIfAbsent(build, b -> new TreeSet<>()).add(run.rival());
    }
    builds.forEach(
        (build, rivals) -> report.paragraph(build + ": " + String.join(", ", rivals) + "."));
  }

  private Optional<String> missing(MadeRuns whole, boolean bucketCache) {
    List<String> missing = new ArrayList<>();
    for (Rival rival : Rival.on(bucketCache)) {
      int left = runs - whole.of(rival).size();
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

  /** Where what a rival gains is bounded by the machine that all nodes and clients share. */
  private static Optional<String> full(List<RivalRun> made) {
    String phases =
        made.stream()
            .flatMap(
                run ->
                    run.phases().stream()
                        .filter(RivalRun.PhaseResult::isMachineFull)
                        .map(p -> "%s, run %d, %s".formatted(run.rival(), run.run(), p.title())))
            .collect(Collectors.joining("; "));
    return phases.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "**The machine itself was full**, so that nodes had less than their limit and tenants"
                + " paid for each other: "
                + phases
                + ".");
  }

  private static void data(ExperimentReport report, List<RivalRun> made) {
    report.heading("Data").list(made.stream().map(RivalReport::line).toList());
  }

  private static String line(RivalRun run) {
    String counts =
        "%s, run %d: %s%d operations failed, %d reads wrong or lost"
            .formatted(run.rival(), run.run(), plans(run), run.errors(), run.wrongOrLost());
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

  /** Plans follow the level before them, also where the load has changed meanwhile. */
  private static String plans(RivalRun run) {
    if (Rival.of(run.rival()).policy().isEmpty()) {
      return "";
    }
    Map<String, Long> ends =
        run.plans().stream()
            .collect(
                Collectors.groupingBy(
                    plan -> plan.outcome().isEmpty() ? "under way" : plan.outcome(),
                    TreeMap::new,
                    Collectors.counting()));
    String how =
        ends.entrySet().stream()
            .map(end -> end.getValue() + " " + end.getKey())
            .collect(Collectors.joining(", "));
    long paced = run.plans().stream().filter(plan -> plan.waits() > 0).count();
    return "%d plans%s, %d of them waited for users or other work; "
        .formatted(run.plans().size(), how.isEmpty() ? "" : " (" + how + ")", paced);
  }

  private void plot(ExperimentReport report, MadeRuns whole) throws IOException {
    List<Charts.Line> lines = new ArrayList<>();
    for (Rival rival : Rival.values()) {
      whole
          .of(rival, 1)
          .ifPresent(
              r ->
                  lines.add(
                      Charts.Line.counted(r.rival(), ThroughputPlot.smooth(r.total(), SMOOTHED))));
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
