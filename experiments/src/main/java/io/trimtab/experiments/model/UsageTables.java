package io.trimtab.experiments.model;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The tables of reports on predicted usage. */
final class UsageTables {
  /**
   * What is asked for: accuracies, and errors of hit ratios.
   *
   * @param mean of the built model
   * @param worst of the built model
   * @param learnedMean of what was learned in an hour of ordinary load
   * @param hitRatios NaN where nothing is asked for
   */
  record Targets(
      double mean,
      double worst,
      double learnedMean,
      double learnedWorst,
      HitRatioErrors hitRatios) {
    static final Targets HBASE = new Targets(0.97, 0.90, 0.94, 0.87, HitRatioErrors.TARGET);

    /** Its row cache is not HBase's block cache. */
    static final Targets CASSANDRA =
        new Targets(0.92, 0.85, 0.90, 0.82, new HitRatioErrors(Double.NaN, Double.NaN));
  }

  /** With more than this to either side of it, an interval holds nearly anything. */
  private static final double WIDTH_MAX = 0.10;

  private UsageTables() {}

  /** The summary of all loads; what is learned counts where it would be used. */
  static void summary(ExperimentReport report, List<UsageOutcome> outcomes, Targets targets) {
    List<UsageOutcome> known = outcomes.stream().filter(o -> o.learned().known()).toList();
    double[] built = outcomes.stream().mapToDouble(UsageOutcome::accuracy).toArray();
    double[] learned = known.stream().mapToDouble(o -> o.accuracy(o.learned().usage())).toArray();
    HitRatioErrors hitRatios =
        HitRatioErrors.of(
            outcomes.stream().mapToDouble(o -> 100 * (o.hits() - o.window().hitRatio())));
    report.table(
        List.of(
            "accuracy of predicted usage",
            "paper",
            "target, built",
            "built model",
            "target, learned",
            "learned costs"),
        List.of(
            ExperimentReport.row(
                "mean",
                "94 %",
                least(targets.mean()),
                percent(Spread.of(built).mean()),
                least(targets.learnedMean()),
                known.isEmpty() ? "–" : percent(Spread.of(learned).mean())),
            ExperimentReport.row(
                "worst",
                "88 %",
                least(targets.worst()),
                percent(Spread.of(built).min()),
                least(targets.learnedWorst()),
                known.isEmpty() ? "–" : percent(Spread.of(learned).min())),
            ExperimentReport.row(
                "within the prediction's interval",
                "–",
                "–",
                within(outcomes, UsageOutcome::inside, UsageOutcome::width),
                "–",
                within(known, UsageOutcome::insideLearned, o -> o.learned().width())),
            ExperimentReport.row(
                "not certain enough to be used",
                "–",
                "–",
                "–",
                "–",
                count(outcomes.size() - known.size(), outcomes)),
            ExperimentReport.row(
                "hit ratio, mean error",
                "–",
                HitRatioErrors.most(targets.hitRatios().mean()),
                HitRatioErrors.points(hitRatios.mean()),
                "–",
                "–"),
            ExperimentReport.row(
                "hit ratio, worst error",
                "–",
                HitRatioErrors.most(targets.hitRatios().worst()),
                HitRatioErrors.points(hitRatios.worst()),
                "–",
                "–")));
    report.paragraph(
        "An interval that reaches more than %.0f points to either side is too wide to tell anything"
                .formatted(100 * WIDTH_MAX)
            + " by holding what was observed; without holding it, it is wrong like any other.");
  }

  private static String least(double accuracy) {
    return String.format(Locale.ROOT, "≥ %.0f %%", 100 * accuracy);
  }

  private static String count(long some, List<UsageOutcome> of) {
    return "%d of %d".formatted(some, of.size());
  }

  /**
   * How many intervals hold what was seen; those that could hardly have missed it are told apart.
   *
   * @param width half of an interval
   */
  private static String within(
      List<UsageOutcome> of, Predicate<UsageOutcome> inside, ToDoubleFunction<UsageOutcome> width) {
    List<UsageOutcome> held = of.stream().filter(inside).toList();
    long wide = held.stream().filter(o -> width.applyAsDouble(o) > WIDTH_MAX).count();
    double mean = of.stream().mapToDouble(width).average().orElse(Double.NaN);
    return "%s%s (mean ± %s)"
        .formatted(
            count(held.size() - wide, of),
            wide == 0 ? "" : ", %d too wide to tell".formatted(wide),
            HitRatioErrors.points(100 * mean));
  }

  /** Accuracies of loads without and with updates, each worst last. */
  static void byUpdates(ExperimentReport report, List<UsageOutcome> outcomes) {
    List<List<String>> rows = new ArrayList<>();
    for (boolean updates : new boolean[] {false, true}) {
      List<UsageOutcome> some =
          outcomes.stream().filter(o -> (o.reads() + o.scans() < 1 - 1e-9) == updates).toList();
      if (!some.isEmpty()) {
        Spread built = Spread.of(some.stream().mapToDouble(UsageOutcome::accuracy).toArray());
        rows.add(
            ExperimentReport.row(
                updates ? "with updates" : "without",
                some.size(),
                percent(built.mean()),
                percent(built.min()),
                percent(
                    some.stream()
                        .filter(o -> o.learned().known())
                        .mapToDouble(o -> o.accuracy(o.learned().usage()))
                        .average()
                        .orElse(Double.NaN)),
                some.stream()
                    .min(Comparator.comparingDouble(UsageOutcome::accuracy))
                    .map(o -> points(o.prediction().usage() - o.window().usage().server()))
                    .orElse("–")));
      }
    }
    report.table(
        List.of(
            "loads",
            "number",
            "built, mean",
            "built, worst",
            "learned, mean",
            "error of the worst"),
        rows);
  }

  private static String points(double difference) {
    return String.format(Locale.ROOT, "%+.1f points", 100 * difference);
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
              percent(o.window().usage().server()),
              percent(o.window().usage().ioWait()),
              "%s (%s–%s)"
                  .formatted(
                      percent(o.prediction().usage()),
                      percent(o.prediction().low()),
                      percent(o.prediction().high())),
              percent(o.accuracy()),
              String.join("; ", o.prediction().extrapolated()),
              String.format(
                  Locale.ROOT,
                  "%s ± %.1f",
                  percent(o.learned().usage()),
                  100 * o.learned().width()),
              percent(o.accuracy(o.learned().usage())),
              o.learned().doubt()));
    }
    report.table(
        List.of(
            "load",
            "ops/s",
            "hit ratio, predicted",
            "hit ratio",
            "usage",
            "including I/O wait",
            "built model",
            "accuracy",
            "extrapolated",
            "learned costs",
            "accuracy",
            "not used, as"),
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

  /** What a miss cost; loads that scan or write read from disk for more than misses. */
  static void waits(ExperimentReport report, List<UsageOutcome> outcomes) {
    var rows = new ArrayList<List<String>>();
    for (UsageOutcome o : outcomes) {
      if (o.reads() == 1) {
        rows.add(
            ExperimentReport.row(
                o.title(),
                Math.round(o.window().opsPerSecond()),
                Math.round(o.misses()),
                percent(o.window().usage().ioWait()),
                number(o.waitPerMiss()) + " ms"));
      }
    }
    report.table(
        List.of("load of reads only", "ops/s", "misses/s", "I/O wait", "I/O wait per miss"), rows);
  }

  /** Where misses of a row cache looked for their rows. */
  static void keys(ExperimentReport report, List<UsageOutcome> outcomes) {
    List<List<String>> rows = new ArrayList<>();
    for (UsageOutcome o : outcomes) {
      rows.add(
          ExperimentReport.row(
              o.title(),
              number(o.misses()),
              number(o.keys().perMiss()),
              percent(o.keys().hits()),
              number(o.keys().perMiss() * (2 - o.keys().hits())),
              number(o.waitPerMiss()) + " ms"));
    }
    report.table(
        List.of(
            "load",
            "misses/s",
            "files per miss",
            "whose place is cached",
            "disk reads per miss, at least",
            "I/O wait per miss"),
        rows);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
