package io.trimtab.experiments.model;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel.Prediction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The predicted and the observed usage of a load.
 *
 * @param reads share of the operations
 * @param scans share of the operations; what is neither is an update. Not in files of before scans
 *     were among the loads
 * @param scan means of the scans
 * @param level intended usage
 * @param hits predicted hit ratio of the node's cache
 */
record UsageOutcome(
    String title,
    double reads,
    double scans,
    ScanShape scan,
    double level,
    double hits,
    Prediction prediction,
    NodeWindow window,
    RunResult result) {

  /** 1 − |predicted − observed| / observed. */
  double accuracy() {
    double seen = window.usage().server();
    return 1 - Math.abs(prediction.usage() - seen) / seen;
  }

  boolean inside() {
    double seen = window.usage().server();
    return seen >= prediction.low() && seen <= prediction.high();
  }

  /** One line for the console. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%s: predicted %.1f %% (%.1f–%.1f), observed %.1f %%, including %.1f %% I/O wait; hit"
            + " ratio %.1f %%, predicted %.1f %%",
        title,
        100 * prediction.usage(),
        100 * prediction.low(),
        100 * prediction.high(),
        100 * window.usage().server(),
        100 * window.usage().ioWait(),
        100 * window.hitRatio(),
        100 * hits);
  }

  /** The summary; the targets are those for HBase. */
  static void summary(ExperimentReport report, List<UsageOutcome> outcomes) {
    Spread accuracy = Spread.of(outcomes.stream().mapToDouble(UsageOutcome::accuracy).toArray());
    long inside = outcomes.stream().filter(UsageOutcome::inside).count();
    report.table(
        List.of("accuracy of predicted usage", "target", "paper", "measured"),
        List.of(
            ExperimentReport.row("mean", "≥ 95 %", "94 %", percent(accuracy.mean())),
            ExperimentReport.row("worst", "≥ 88 %", "88 %", percent(accuracy.min())),
            ExperimentReport.row(
                "within the prediction's interval",
                "–",
                "–",
                "%d of %d".formatted(inside, outcomes.size()))));
  }

  /** An item of the report's setting. */
  static String usageFrom(List<UsageOutcome> outcomes) {
    return ExperimentReport.usageFrom(outcomes.stream().map(o -> o.window().usage()).toList());
  }

  /** Load by load. */
  static void details(ExperimentReport report, List<UsageOutcome> outcomes) {
    var rows = new ArrayList<List<String>>();
    for (UsageOutcome o : outcomes) {
      rows.add(
          ExperimentReport.row(
              o.title(),
              Math.round(o.window().opsPerSecond()),
              percent(o.hits()),
              percent(o.window().hitRatio()),
              "%s (%s–%s)"
                  .formatted(
                      percent(o.prediction().usage()),
                      percent(o.prediction().low()),
                      percent(o.prediction().high())),
              percent(o.window().usage().server()),
              percent(o.window().usage().ioWait()),
              percent(o.accuracy()),
              String.join("; ", o.prediction().extrapolated())));
    }
    report.table(
        List.of(
            "load",
            "ops/s",
            "hit ratio, predicted",
            "hit ratio",
            "usage, predicted",
            "usage",
            "including I/O wait",
            "accuracy",
            "extrapolated"),
        rows);
  }

  /** What the scans asked for; nothing without any. */
  static void scans(ExperimentReport report, List<UsageOutcome> outcomes) {
    var rows = new ArrayList<List<String>>();
    for (UsageOutcome o : outcomes) {
      if (o.scans() > 0) {
        rows.add(
            ExperimentReport.row(
                o.title(),
                number(o.scans() * o.window().opsPerSecond()),
                number(o.scan().calls()),
                number(o.scan().rows()),
                number(o.scan().columns()),
                number(o.scan().blocks()),
                percent(o.prediction().scans())));
      }
    }
    if (!rows.isEmpty()) {
      report.table(
          List.of(
              "load",
              "scans/s",
              "calls per scan",
              "rows per scan",
              "columns per row",
              "blocks per scan",
              "usage by scans, predicted"),
          rows);
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
