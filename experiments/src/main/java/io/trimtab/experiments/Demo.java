package io.trimtab.experiments;

import io.trimtab.engineapi.plan.Action;
import io.trimtab.experiments.bed.AutopilotRun;
import io.trimtab.experiments.bed.RunningAutopilot;
import io.trimtab.experiments.placement.E2;
import io.trimtab.experiments.placement.SixTenants;
import io.trimtab.experiments.placement.Strategy;
import io.trimtab.experiments.placement.TenantLevels;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.TextTable;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.lab.testbed.TestbedSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The first thing that a new user sees: a real cluster with six tenants, placed at random on equal
 * nodes, and what the autopilot makes of it.
 */
public final class Demo {
  /**
   * How long each part takes, and how much data there is.
   *
   * @param seed of the random placement; every seed is as bad as chance makes it
   */
  public record DemoSettings(boolean quick, long seed, Path folder, String labName) {}

  private final DemoSettings settings;
  private final Console console;

  public Demo(DemoSettings settings, Console console) {
    this.settings = settings;
    this.console = console;
  }

  /** Runs the demo; the lab is taken down whatever happens. */
  public Path run() throws Exception {
    console.step(
        "Trimtab demo: six tenants on a real HBase cluster, before and after the autopilot");
    TestbedSettings scale = settings.quick() ? TestbedSettings.quick() : TestbedSettings.standard();
    try (HBaseTestbed bed =
        HBaseTestbed.open(scale, SixTenants.spec(scale), Map.of(), settings.labName(), console)) {
      SixTenants tenants = new SixTenants(bed, console);
      tenants.loadPlaced(Strategy.RANDOM_HOMOGENEOUS, settings.seed());
      return observeAndAct(bed, tenants);
    }
  }

  private Path observeAndAct(HBaseTestbed bed, SixTenants tenants) throws Exception {
    Duration warm = Duration.ofSeconds(settings.quick() ? 10 : 60);
    Duration level = Duration.ofSeconds(settings.quick() ? 10 : 60);
    try (TestbedLoad load = bed.start()) {
      console.step("six tenants are running; filling caches for " + warm.toSeconds() + " s");
      load.follow(console, "filling caches", warm);
      int beforeFrom = load.second();
      console.step(
          "first phase: random placement (seed %d), identical nodes, for %d s"
              .formatted(settings.seed(), level.toSeconds()));
      load.follow(console, "before", level);
      int beforeTo = load.second();
      console.step("the autopilot observes, and acts after enough samples");
      try (RunningAutopilot running =
          tenants.autopilot(
              load,
              console,
              "autopilot",
              settings.quick() ? tenants.brief() : tenants.careful(Action.ApplyMode.ONLINE))) {
        AutopilotRun autopilot = running.awaitPlan();
        if (!autopilot.outcome().equals("done")) {
          console.step(autopilot.summary());
        }
        console.step(
            "plan " + autopilot.outcome() + "; filling caches for " + warm.toSeconds() + " s");
        load.follow(console, "filling caches", warm);
        int afterFrom = load.second();
        console.step("second phase: after the plan, for " + level.toSeconds() + " s");
        load.follow(console, "after", level);
        RunResult result = load.finish("demo", settings.seed(), afterFrom, load.second());
        String verified = bed.verify();
        return report(tenants, result, autopilot, new int[] {beforeFrom, beforeTo}, verified);
      }
    }
  }

  private Path report(
      SixTenants tenants, RunResult result, AutopilotRun autopilot, int[] before, String verified)
      throws Exception {
    List<List<String>> rows = rows(result, before);
    List<String> header = List.of("ops/s, median of seconds", "before", "after", "after / before");
    ExperimentReport report = new ExperimentReport(settings.folder(), "Trimtab demo");
    String file = "throughput.png";
    ThroughputPlot.write(
        settings.folder().resolve(file),
        "six tenants, before and after the autopilot",
        ThroughputPlot.lines(result.total(), result.opsPerSecond(), 5),
        autopilot.marks());
    String service = worst(result, before) + " " + service(result, autopilot, before);
    report.table(header, rows).picture("throughput over time", file);
    report.paragraph(service).paragraph(verified);
    report.heading("Actions of the autopilot").paragraph(autopilot.summary());
    report.list(autopilot.actions()).raw("run.json", result);
    tenants.describe(report, Duration.ZERO, Duration.ZERO);
    Path written = report.write();
    console.print("");
    console.print(TextTable.of(header, rows));
    console.print(service);
    console.print(verified);
    console.print("");
    console.print("plot    " + settings.folder().resolve(file));
    console.print("report  " + written);
    return written;
  }

  /**
   * All tenants and each of them.
   *
   * @param before first second of the level before, and the second after its last one
   */
  static List<List<String>> rows(RunResult result, int[] before) {
    double[] total = result.total();
    TenantLevels had = had(result, before);
    TenantLevels has = has(result);
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        row(
            "total",
            median(total, before[0], before[1]),
            median(total, result.measureFrom(), result.measureTo())));
    rows.add(row("geometric mean over the tenants", had.mean(), has.mean()));
    for (String tenant : SixTenants.TENANTS) {
      rows.add(
          row(SixTenants.describeTenant(tenant), had.each().get(tenant), has.each().get(tenant)));
    }
    return rows;
  }

  /** A total hides whoever loses. */
  static String worst(RunResult result, int[] before) {
    TenantLevels ofBefore = has(result).over(had(result, before));
    String least = ofBefore.least();
    return String.format(
        Locale.ROOT,
        "The worst tenant, %s, has %.2f of what it had.",
        least,
        ofBefore.each().get(least));
  }

  private static TenantLevels had(RunResult result, int[] before) {
    return TenantLevels.by(result, series -> median(series, before[0], before[1]));
  }

  private static TenantLevels has(RunResult result) {
    return TenantLevels.by(
        result, series -> median(series, result.measureFrom(), result.measureTo()));
  }

  private static String service(RunResult result, AutopilotRun autopilot, int[] before) {
    double[] total = result.total();
    double least =
        autopilot.acted()
            ? RunResult.least(
                total,
                autopilot.firstActionSecond(),
                autopilot.lastActionSecond(),
                E2.WINDOW_SECONDS)
            : Double.NaN;
    return String.format(
        Locale.ROOT,
        "The lowest throughput during the plan, over 5 s, was %.2f of the lowest in the %d s before"
            + " and %.2f of their mean; %d operations failed, %d reads were wrong, %d lost;"
            + " %d retries.",
        least / RunResult.least(total, before[0], before[1], E2.WINDOW_SECONDS),
        before[1] - before[0],
        least / RunResult.mean(total, before[0], before[1]),
        result.errors(),
        result.wrong(),
        result.lost(),
        result.retries());
  }

  private static List<String> row(String name, double before, double after) {
    return List.of(
        name,
        String.format(Locale.ROOT, "%,.0f", before),
        String.format(Locale.ROOT, "%,.0f", after),
        before > 0 ? String.format(Locale.ROOT, "%.2f", after / before) : "–");
  }

  private static double median(double[] series, int from, int to) {
    return Spread.of(java.util.Arrays.copyOfRange(series, from, Math.min(to, series.length)))
        .median();
  }
}
