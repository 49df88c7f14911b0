package io.trimtab.experiments.placement;

import io.trimtab.controller.settings.PaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.bed.AutopilotRun;
import io.trimtab.experiments.bed.RunningAutopilot;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
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

/**
 * E2: the autopilot is started on a running Random-Homogeneous cluster (Cruz 2016, §3.4, Figure
 * 3.4), once with profiles applied online and once with restarts, as the thesis had to.
 */
public final class E2 extends Experiment {
  /**
   * Before the autopilot starts: the caches settle, then the level is measured. On new nodes the
   * level rises for about 100 s; a lowest idle level from that time would be too easy to keep.
   */
  static final Duration WARM = Duration.ofSeconds(120);

  /** About as long as a plan: the least level without one is what a plan's is judged by. */
  static final Duration BEFORE = Duration.ofSeconds(150);

  /** After the plan: the caches settle, then the level is measured. */
  static final Duration SETTLE = Duration.ofSeconds(45);

  static final Duration MEASURE = Duration.ofSeconds(30);

  /** Throughput is judged over windows this long; a second is too noisy on two cores. */
  public static final int WINDOW_SECONDS = 5;

  /** How profiles are applied, and whether the plan's pace follows the users' requests. */
  enum Way {
    ONLINE,
    /** Online, however slow users' requests become. */
    UNPACED,
    RESTART;

    Action.ApplyMode mode() {
      return this == RESTART ? Action.ApplyMode.RESTART : Action.ApplyMode.ONLINE;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One run with everything that the report needs.
   *
   * @param tenantsBefore what each had before the controller was started
   * @param idleLeast the least level before the controller was started, over as long a time as the
   *     plan took, at most {@link #BEFORE}
   * @param startLeast the least level from the controller's start to the plan's first action
   * @param least the least level during the plan, from its first action
   */
  record OnlineRun(
      RunResult result,
      AutopilotRun autopilot,
      double before,
      TenantLevels tenantsBefore,
      double idleLeast,
      double startLeast,
      double least,
      double after) {

    TenantLevels ofBefore() {
      return TenantLevels.measured(result).over(tenantsBefore);
    }
  }

  private final SixTenants tenants;

  public E2(Trial trial) {
    super(trial);
    tenants = new SixTenants(bed, console);
  }

  /**
   * First all runs with profiles applied online, then the references; restarts come last, because
   * restarted servers do better than those that have worked for long. The report is written anew
   * after each part, so that an experiment that is cut short leaves what it measured.
   */
  @Override
  public Path run() throws Exception {
    var outcomes = new EnumMap<Way, List<OnlineRun>>(Way.class);
    var references = new ArrayList<RunResult>();
    Path written = null;
    for (int run = 0; run < runs; run++) {
      measure(Way.ONLINE, run, outcomes);
      measure(Way.UNPACED, run, outcomes);
      written = write(outcomes, references, bed.verify());
    }
    for (int run = 0; run < runs; run++) {
      references.add(reference(run));
      written = write(outcomes, references, bed.verify());
    }
    for (int run = 0; run < runs; run++) {
      measure(Way.RESTART, run, outcomes);
      written = write(outcomes, references, bed.verify());
    }
    return written;
  }

  private void measure(Way way, int run, Map<Way, List<OnlineRun>> outcomes) throws Exception {
    String label = "E2 " + way + ", run " + (run + 1) + " of " + runs;
    tenants.prepare(Strategy.RANDOM_HOMOGENEOUS, seed + run);
    OnlineRun outcome = autopilot(label, seed + run, way);
    outcomes.computeIfAbsent(way, w -> new ArrayList<>()).add(outcome);
    console.step(
        String.format(
            Locale.ROOT,
            "%s: before %,.0f, lowest %,.0f, after %,.0f ops/s; %s",
            label,
            outcome.before(),
            outcome.least(),
            outcome.after(),
            outcome.autopilot().outcome()));
  }

  private RunResult reference(int run) throws Exception {
    Strategy best = Strategy.MANUAL_HETEROGENEOUS;
    tenants.prepare(best, seed + run);
    RunResult result = tenants.measure("E2 " + best, seed + run, SETTLE, MEASURE);
    console.step(String.format(Locale.ROOT, "%s: %,.0f ops/s", best, result.measured()));
    return result;
  }

  /** Runs the load, then the autopilot, then measures throughput again. */
  private OnlineRun autopilot(String label, long seed, Way way) throws Exception {
    try (TestbedLoad load = bed.start()) {
      load.follow(console, label + ": filling caches", WARM);
      int beforeFrom = load.second();
      load.follow(console, label + ": measuring before", BEFORE);
      int started = load.second();
      double before = RunResult.mean(load.total(), beforeFrom, started);
      Settings settings = tenants.careful(way.mode());
      if (way == Way.UNPACED) {
        settings = settings.with(new PaceSettings(false, null, null, null, null));
      }
      try (RunningAutopilot running = tenants.autopilot(load, console, label, settings)) {
        AutopilotRun autopilot = running.awaitPlan();
        int planEnd = load.second();
        load.follow(console, label + ": filling caches", SETTLE);
        int measureFrom = load.second();
        load.follow(console, label + ": measuring after", MEASURE);
        RunResult result = load.finish(label, seed, measureFrom, load.second());
        int first = autopilot.acted() ? autopilot.firstActionSecond() : started;
        int idleFrom = Math.max(beforeFrom, started - (planEnd - first));
        return new OnlineRun(
            result,
            autopilot,
            before,
            TenantLevels.of(result, beforeFrom, started),
            RunResult.least(result.total(), idleFrom, started, WINDOW_SECONDS),
            RunResult.least(result.total(), started, first, WINDOW_SECONDS),
            RunResult.least(result.total(), first, planEnd, WINDOW_SECONDS),
            result.measured());
      }
    }
  }

  private Path write(
      Map<Way, List<OnlineRun>> outcomes, List<RunResult> references, String verified)
      throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E2: the autopilot on a Random-Homogeneous cluster");
    report.paragraph(
        "Made by `./trimtab lab run E2 --runs %d --seed %d` on %s. Cruz 2016, §3.4, Figure 3.4."
            .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)));
    report.heading("Result");
    var header = new ArrayList<>(List.of("median (range)", "target (online)", "paper (restarts)"));
    List<List<String>> rows = rows();
    outcomes.forEach(
        (way, list) -> {
          header.add(way + ", " + list.size() + (list.size() == 1 ? " run" : " runs"));
          List<String> column = column(list, references);
          for (int i = 0; i < rows.size(); i++) {
            rows.get(i).add(column.get(i));
          }
        });
    report.table(header, rows);
    var levels = new ArrayList<List<String>>();
    outcomes.forEach(
        (way, list) ->
            levels.add(
                ExperimentReport.row(
                    "autopilot, " + way.toString(),
                    Spread.of(list.stream().mapToDouble(OnlineRun::before).toArray()),
                    Spread.of(list.stream().mapToDouble(OnlineRun::least).toArray()),
                    Spread.of(list.stream().mapToDouble(OnlineRun::after).toArray()))));
    if (!references.isEmpty()) {
      levels.add(ExperimentReport.row("Manual-Heterogeneous", "", "", E1.total(references)));
    }
    report.table(List.of("ops/s, median (range)", "before", "lowest 5 s", "after"), levels);
    each(report, outcomes);
    raw(report, outcomes, references);
    plots(report, outcomes);
    report.heading("Data").paragraph(verified);
    String how =
        "Policy met-1. HBase's balancer was on when the autopilot was started, which held it as it"
            + " does for a user. Partitions moved one at a time with profiles applied online, two"
            + " at a time with restarts, which move every partition of a node twice. Unpaced:"
            + " pace.followUsers is false. The time before is at most %d s long, which makes its"
            + " lowest level no lower; during the plan means from its first action on.";
    report.paragraph(how.formatted(BEFORE.toSeconds()));
    tenants.describe(report, SETTLE, MEASURE);
    return report.write();
  }

  static List<List<String>> rows() {
    return List.of(
        ExperimentReport.row(
            "lowest 5 s during plan / lowest 5 s of as long a time before", "≥ 0.9", "–"),
        ExperimentReport.row(
            "lowest 5 s while the controller starts and observes / the same", "–", "–"),
        ExperimentReport.row("lowest 5 s during plan / mean before", "–", "0.37"),
        ExperimentReport.row("all operations after / Manual-Heterogeneous", "≥ 0.95", "about 1"),
        ExperimentReport.row(
            "geometric mean over the tenants after / Manual-Heterogeneous", "≥ 0.95", "–"),
        ExperimentReport.row("worst tenant after / Manual-Heterogeneous", "–", "–"),
        ExperimentReport.row("all operations after / before", "–", "about 2"),
        ExperimentReport.row("geometric mean over the tenants after / before", "–", "–"),
        ExperimentReport.row("worst tenant after / before", "–", "–"),
        ExperimentReport.row("first to last action, s", "–", "360"),
        ExperimentReport.row("longest time without operations of a tenant, s", "–", "–"),
        ExperimentReport.row("failed operations", "0", "–"),
        ExperimentReport.row("wrong or lost reads", "0", "–"));
  }

  private static void each(ExperimentReport report, Map<Way, List<OnlineRun>> outcomes) {
    var each = new ArrayList<List<String>>();
    outcomes.forEach(
        (way, list) -> {
          for (int i = 0; i < list.size(); i++) {
            OnlineRun o = list.get(i);
            each.add(
                ExperimentReport.row(
                    way + " " + (i + 1),
                    o.result().seed(),
                    Math.round(o.before()),
                    Math.round(o.idleLeast()),
                    Math.round(o.least()),
                    E1.ratio(o.least(), o.idleLeast()),
                    Math.round(o.after()),
                    o.autopilot().outcome()));
          }
        });
    report.table(
        List.of("run", "seed", "before", "lowest idle", "lowest", "lowest / idle", "after", "plan"),
        each);
  }

  /** What one way has in each of the rows. */
  static List<String> column(List<OnlineRun> list, List<RunResult> references) {
    List<String> column =
        new ArrayList<>(
            List.of(
                ratio(list.stream().mapToDouble(o -> o.least() / o.idleLeast())),
                ratio(list.stream().mapToDouble(o -> o.startLeast() / o.idleLeast())),
                ratio(list.stream().mapToDouble(o -> o.least() / o.before()))));
    column.addAll(ofReferences(list.stream().map(OnlineRun::result).toList(), references));
    column.add(ratio(list.stream().mapToDouble(o -> o.after() / o.before())));
    column.add(ratio(list.stream().mapToDouble(o -> o.ofBefore().mean())));
    column.add(TenantLevels.least(list.stream().map(OnlineRun::ofBefore).toList()));
    column.add(
        Spread.of(
                list.stream()
                    .mapToDouble(
                        o -> o.autopilot().lastActionSecond() - o.autopilot().firstActionSecond())
                    .toArray())
            .toString());
    column.add(
        Spread.of(list.stream().mapToDouble(o -> o.result().longestErrorSeconds()).toArray())
            .toString());
    column.add(Long.toString(list.stream().mapToLong(o -> o.result().errors()).sum()));
    column.add(
        Long.toString(list.stream().mapToLong(o -> o.result().wrong() + o.result().lost()).sum()));
    return column;
  }

  /**
   * Relative to the references' medians: all operations, the geometric mean over the tenants, and
   * the tenant that has least.
   */
  static List<String> ofReferences(List<RunResult> runs, List<RunResult> references) {
    if (references.isEmpty()) {
      return Collections.nCopies(3, "not measured");
    }
    double all = E1.total(references).median();
    List<TenantLevels> manual = references.stream().map(TenantLevels::measured).toList();
    double mean = Spread.of(manual.stream().mapToDouble(TenantLevels::mean).toArray()).median();
    TenantLevels median = TenantLevels.median(manual);
    List<TenantLevels> ours = runs.stream().map(TenantLevels::measured).toList();
    return List.of(
        ratio(runs.stream().mapToDouble(run -> run.measured() / all)),
        ratio(ours.stream().mapToDouble(run -> run.mean() / mean)),
        TenantLevels.least(ours.stream().map(run -> run.over(median)).toList()));
  }

  private static void raw(
      ExperimentReport report, Map<Way, List<OnlineRun>> outcomes, List<RunResult> references)
      throws Exception {
    for (var entry : outcomes.entrySet()) {
      for (int i = 0; i < entry.getValue().size(); i++) {
        String file = entry.getKey() + "-" + (i + 1) + ".json";
        report.raw(file, entry.getValue().get(i));
      }
    }
    for (int i = 0; i < references.size(); i++) {
      report.raw("manual-heterogeneous-" + (i + 1) + ".json", references.get(i));
    }
  }

  private void plots(ExperimentReport report, Map<Way, List<OnlineRun>> outcomes) throws Exception {
    for (var entry : outcomes.entrySet()) {
      List<OnlineRun> list = entry.getValue();
      OnlineRun first = list.get(0);
      String file = entry.getKey() + ".png";
      ThroughputPlot.write(
          folder.resolve(file),
          "E2: autopilot started at "
              + first.autopilot().startedSecond()
              + " s, profiles "
              + entry.getKey(),
          ThroughputPlot.lines(
              first.result().total(), first.result().opsPerSecond(), WINDOW_SECONDS),
          first.autopilot().marks());
      report.picture("throughput, profiles " + entry.getKey() + ", run 1", file);
      report.heading("Actions, profiles " + entry.getKey() + ", run 1");
      report.paragraph(first.autopilot().summary());
      report.list(first.autopilot().actions());
    }
  }

  private static String ratio(java.util.stream.DoubleStream values) {
    Spread spread = Spread.of(values.toArray());
    return String.format(
        Locale.ROOT, "%.2f (%.2f–%.2f)", spread.median(), spread.min(), spread.max());
  }
}
