package io.trimtab.experiments.rivals;

import io.trimtab.experiments.report.Charts;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.experiments.rivals.RivalRun.PhaseResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The report of RIVALS, of the runs so far. */
final class RivalReport {
  private static final double MIB = 1 << 20;
  private static final int SAME_LOAD = 1;

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
    ExperimentReport report =
        new ExperimentReport(folder, "RIVALS: what operators run today, and policies");
    report.paragraph(
        ("Made by `./trimtab lab run RIVALS --runs %d --seed %d`; levels are geometric means over"
                + " the six tenants of their operations per second; medians, with the range.")
            .formatted(runs, seed));
    missing(made).ifPresent(report::paragraph);
    int phases = made.stream().mapToInt(r -> r.phases().size()).max().orElse(0);
    for (int phase = 0; phase < phases; phase++) {
      table(report, made, phase);
    }
    data(report, made);
    plot(report, made);
    report.heading("Setting").list(setting);
    made.stream()
        .map(r -> r.day() + ", " + r.machine())
        .distinct()
        .forEach(origin -> report.paragraph("Made on " + origin + "."));
    return report.write();
  }

  private static List<RivalRun> of(List<RivalRun> made, Rival rival) {
    return made.stream().filter(r -> r.rival().equals(rival.toString())).toList();
  }

  private Optional<String> missing(List<RivalRun> made) {
    List<String> missing = new ArrayList<>();
    for (Rival rival : Rival.values()) {
      int left = runs - of(made, rival).size();
      if (left > 0) {
        missing.add(rival + ": " + left);
      }
    }
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("**Runs that are missing:** " + String.join("; ", missing) + ".");
  }

  private static void table(ExperimentReport report, List<RivalRun> made, int phase) {
    List<List<String>> rows = new ArrayList<>();
    String title = "";
    for (Rival rival : Rival.values()) {
      List<RivalRun> its = of(made, rival);
      if (!its.isEmpty()) {
        title = its.get(0).phases().get(phase).title();
        rows.add(row(rival, its, phase));
      }
    }
    report
        .heading(title)
        .table(
            List.of(
                "policy or balancer",
                "level, ops/s",
                "of the level before",
                "all tenants, ops/s",
                "worst tenant, relative to before",
                "lowest 5 s, of before",
                "s to 90 % of its best",
                "p99, ms",
                "worst tenant's p99, ms",
                "moves",
                "MiB moved"),
            rows);
  }

  private static List<String> row(Rival rival, List<RivalRun> its, int phase) {
    return ExperimentReport.row(
        rival,
        spread(its, phase, "%.0f", PhaseResult::level),
        same(its, phase, r -> r.phases().get(phase).level() / r.before().level()),
        spread(its, phase, "%.0f", PhaseResult::sum),
        same(its, phase, r -> r.worstTenant(r.phases().get(phase))),
        same(its, phase, r -> r.phases().get(phase).least() / r.before().sum()),
        spread(its, phase, "%.0f", PhaseResult::settled),
        spread(its, phase, "%.0f", PhaseResult::p99),
        spread(its, phase, "%.0f", PhaseResult::worstP99),
        spread(its, phase, "%.0f", PhaseResult::moves),
        spread(its, phase, "%.0f", p -> p.movedBytes() / MIB));
  }

  private static String spread(
      List<RivalRun> its, int phase, String format, ToDoubleFunction<PhaseResult> value) {
    return text(format, its, r -> value.applyAsDouble(r.phases().get(phase)));
  }

  /** Compared with the phase before anybody acts, which has the load of the next one only. */
  private static String same(List<RivalRun> its, int phase, ToDoubleFunction<RivalRun> value) {
    return phase == SAME_LOAD ? text("%.2f", its, value) : "–";
  }

  private static String text(String format, List<RivalRun> its, ToDoubleFunction<RivalRun> value) {
    return Spread.text(format, its.stream().mapToDouble(value).toArray());
  }

  private static void data(ExperimentReport report, List<RivalRun> made) {
    report
        .heading("Data")
        .list(
            made.stream()
                .map(
                    r ->
                        "%s, run %d: %d plans; %d operations failed, %d reads wrong or lost; %s"
                            .formatted(
                                r.rival(),
                                r.run(),
                                r.plans(),
                                r.errors(),
                                r.wrongOrLost(),
                                r.verified()))
                .toList());
  }

  private void plot(ExperimentReport report, List<RivalRun> made) throws IOException {
    List<Charts.Line> lines = new ArrayList<>();
    for (Rival rival : Rival.values()) {
      of(made, rival).stream()
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
