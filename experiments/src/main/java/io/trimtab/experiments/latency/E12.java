package io.trimtab.experiments.latency;

import io.trimtab.config.UserError;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.workload.CassandraTarget.Routing;
import io.trimtab.workload.Distribution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * E12: the slowest reads by how coordinators order replicas, on nodes whose disks, garbage and
 * compactions disturb them (Wu 2018, ch. 5).
 */
public final class E12 {
  /** Records of unequal size are fewer: the average one is longer. */
  private static final int UNEQUAL = 200_000;

  /**
   * What is compared.
   *
   * @param asked the most that trimtab may have of the dynamic snitch's read p99.9 (throughput: the
   *     least); NaN where nothing is asked
   */
  private record Comparison(RankingCase load, boolean disturbed, double asked) {}

  private static final List<Comparison> COMPARISONS =
      List.of(
          open("read-only, Zipf, large", 1, RankingCase.ZIPF, RankingCase.LARGE, false, 0.40),
          open(
              "update-heavy, uniform, large",
              0.5,
              Distribution.UNIFORM,
              RankingCase.LARGE,
              false,
              0.77),
          open("read-only, Zipf, sizes by Zipf", 1, RankingCase.ZIPF, UNEQUAL, true, 0.42),
          new Comparison(
              new RankingCase(
                  "read-only, uniform, large, closed loop",
                  1,
                  Distribution.UNIFORM,
                  RankingCase.LARGE,
                  false,
                  0,
                  Routing.ROUND_ROBIN),
              true,
              1.19),
          open("read-only, Zipf, small", 1, RankingCase.ZIPF, RankingCase.SMALL, false, Double.NaN),
          open(
              "read-heavy, Zipf, large",
              0.95,
              RankingCase.ZIPF,
              RankingCase.LARGE,
              false,
              Double.NaN),
          new Comparison(
              new RankingCase(
                  "read-only, Zipf, large, token aware",
                  1,
                  RankingCase.ZIPF,
                  RankingCase.LARGE,
                  false,
                  RankingCase.RATE,
                  Routing.TOKEN_AWARE),
              true,
              Double.NaN),
          new Comparison(
              new RankingCase(
                  "read-only, Zipf, large, undisturbed",
                  1,
                  RankingCase.ZIPF,
                  RankingCase.LARGE,
                  false,
                  RankingCase.RATE,
                  Routing.ROUND_ROBIN),
              false,
              Double.NaN));

  private static Comparison open(
      String title,
      double reads,
      Distribution distribution,
      int records,
      boolean unequal,
      double asked) {
    return new Comparison(
        new RankingCase(
            title,
            reads,
            distribution,
            records,
            unequal,
            rate(distribution, unequal),
            Routing.ROUND_ROBIN),
        true,
        asked);
  }

  private static double rate(Distribution distribution, boolean unequal) {
    double alike =
        distribution == Distribution.UNIFORM ? RankingCase.UNIFORM_RATE : RankingCase.RATE;
    return unequal ? RankingCase.UNEQUAL_RATE : alike;
  }

  private final Console console;
  private final Path folder;
  private final int runs;
  private final String labName;
  private final boolean continued;

  /**
   * @param runs of each load and ordering
   * @param continued whether the runs that the folder holds are kept, and only the others are made
   */
  public E12(Console console, Path folder, int runs, String labName, boolean continued) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.labName = labName;
    this.continued = continued;
  }

  /**
   * @throws UserError where the folder's runs can't be continued
   */
  public Path run() throws Exception {
    RankingRuns results = continued ? RankingRuns.read(folder) : RankingRuns.none(folder);
    Path written = null;
    try (RankingBed bed = RankingBed.open(labName, console)) {
      results.madeWith(setting(bed));
      for (Comparison comparison : COMPARISONS) {
        String title = comparison.load().title();
        int forgotten = results.madeOn(Machine.describe(), title, runs);
        if (forgotten > 0) {
          console.step("%s: %d runs of another machine are made again".formatted(title, forgotten));
        }
        if (results.missing(title, runs) > 0) {
          for (Ordering ordering : Ordering.values()) {
            bed.load(comparison.load().tenant(ordering));
          }
          measure(bed, comparison, results);
          for (Ordering ordering : Ordering.values()) {
            long records = bed.verify(comparison.load(), ordering);
            console.step(String.format(Locale.ROOT, "%s: %,d records verified", ordering, records));
          }
        }
        // What is known is not lost where the rest is cut off.
        written = write(bed, results);
      }
    }
    return written;
  }

  /**
   * Each run has another order, in which each ordering follows another one, and in six runs each
   * one (Williams 1949, for an even number of them).
   */
  static Ordering[] order(int run) {
    Ordering[] all = Ordering.values();
    Ordering[] order = new Ordering[all.length];
    for (int i = 0; i < all.length; i++) {
      int step = i % 2 == 0 ? all.length - i / 2 : i / 2 + 1;
      order[i] = all[(run + step) % all.length];
    }
    return order;
  }

  private void measure(RankingBed bed, Comparison comparison, RankingRuns results)
      throws Exception {
    RankingTrial trial = new RankingTrial(bed, console, comparison.load(), comparison.disturbed());
    trial.warm(Ordering.values());
    for (int run = 0; run < runs; run++) {
      for (Ordering ordering : order(run)) {
        if (results.has(comparison.load().title(), ordering, run + 1)) {
          continue;
        }
        RankingResult result = trial.run(ordering, run + 1);
        results.add(result);
        console.step(
            String.format(
                Locale.ROOT,
                "%s, %s: %.0f ops/s, reads p50 %.1f, p99 %.1f, p99.9 %.1f ms; %.0f disk reads/s a"
                    + " node, %.1f cores busy",
                result.load(),
                result.ordering(),
                result.opsPerSecond(),
                result.readP50(),
                result.readP99(),
                result.readP999(),
                result.diskReads(),
                result.busyCores()));
        if (result.wrong() > 0) {
          throw new IOException(result.wrong() + " reads were wrong");
        }
      }
    }
  }

  private static Spread spread(List<RankingResult> results, ToDoubleFunction<RankingResult> what) {
    return Spread.of(results.stream().mapToDouble(what).toArray());
  }

  private static String text(Spread of) {
    return String.format(Locale.ROOT, "%.1f (%.1f–%.1f)", of.median(), of.min(), of.max());
  }

  private Path write(RankingBed bed, RankingRuns results) throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E12: the slowest reads, by the ranking of replicas");
    report
        .paragraph(
            "Made by `./trimtab lab run E12 --runs %d` on %s. Wu 2018, ch. 5."
                .formatted(runs, String.join(", ", results.days())))
        .paragraph(
            "Milliseconds, median (range) of the runs. In an open loop latencies count from when an"
                + " operation was due.");
    for (Comparison comparison : COMPARISONS) {
      if (results.missing(comparison.load().title(), 1) == 0) {
        compare(report, comparison, results);
      }
    }
    report.heading("Setting").list(setting(bed));
    return report.write();
  }

  private void compare(ExperimentReport report, Comparison comparison, RankingRuns results)
      throws IOException {
    RankingCase load = comparison.load();
    report.heading(load.title()).paragraph("Made on " + results.origin(load.title()) + ".");
    List<List<String>> rows = new ArrayList<>();
    for (Ordering ordering : Ordering.values()) {
      List<RankingResult> its = results.of(load.title(), ordering);
      rows.add(
          ExperimentReport.row(
              ordering,
              spread(its, RankingResult::opsPerSecond),
              text(spread(its, RankingResult::readMean)),
              text(spread(its, RankingResult::readP50)),
              text(spread(its, RankingResult::readP99)),
              text(spread(its, RankingResult::readP999)),
              spread(its, RankingResult::diskReads),
              text(spread(its, RankingResult::busyCores)),
              "%.0f %%".formatted(100 * spread(its, RankingResult::ownReads).median()),
              load.reads() < 1 ? text(spread(its, RankingResult::writeP999)) : "–",
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
    report.paragraph(ratios(comparison, results));
    if (comparison.disturbed()) {
      phases(report, load, results);
      intervals(report, load, results);
    }
  }

  /** Which disturbance the slowest reads come from. */
  private static void phases(ExperimentReport report, RankingCase load, RankingRuns results) {
    List<String> header = new ArrayList<>(List.of("reads' p99.9 while this disturbs"));
    for (Phase phase : Phase.values()) {
      header.add(phase.toString());
    }
    List<List<String>> rows = new ArrayList<>();
    for (Ordering ordering : Ordering.values()) {
      List<String> row = new ArrayList<>(List.of(ordering.toString()));
      for (Phase phase : Phase.values()) {
        row.add(
            text(
                spread(
                    results.of(load.title(), ordering),
                    result -> result.readP999In().getOrDefault(phase, 0.0))));
      }
      rows.add(row);
    }
    report.table(header, rows);
  }

  private static String ratios(Comparison comparison, RankingRuns results) {
    RankingCase load = comparison.load();
    boolean closed = load.rate() == 0;
    ToDoubleFunction<RankingResult> what =
        closed ? RankingResult::opsPerSecond : RankingResult::readP999;
    double ours = spread(results.of(load.title(), Ordering.TRIMTAB), what).median();
    double stock = spread(results.of(load.title(), Ordering.DYNAMIC_SNITCH), what).median();
    double c3 = spread(results.of(load.title(), Ordering.C3), what).median();
    String asked =
        Double.isNaN(comparison.asked())
            ? ""
            : String.format(Locale.ROOT, " (asked: %.2f)", comparison.asked());
    return String.format(
        Locale.ROOT,
        "trimtab's %s is %.2f of the dynamic snitch's%s and %.2f of C3's, medians.",
        closed ? "throughput" : "p99.9",
        ours / stock,
        asked,
        ours / c3);
  }

  /** Reads on the node whose disk was slow, of the first run of each ordering. */
  private void intervals(ExperimentReport report, RankingCase load, RankingRuns results)
      throws IOException {
    List<ThroughputPlot.Curve> curves = new ArrayList<>();
    for (Ordering ordering : Ordering.values()) {
      RankingResult first = results.of(load.title(), ordering).get(0);
      curves.add(
          new ThroughputPlot.Curve(
              ordering.toString(),
              first.readsPer100Ms().get(Phase.SLOW_DISK).stream()
                  .mapToDouble(Integer::doubleValue)
                  .toArray()));
    }
    String file = load.title().replaceAll("[^A-Za-z]+", "-") + ".png";
    ThroughputPlot.curves(
        folder.resolve(file),
        load.title() + ": reads on the node with the slow disk",
        "intervals of 100 ms",
        "reads in an interval",
        curves);
    report.picture("reads on the node with the slow disk", file);
  }

  private static List<String> setting(RankingBed bed) throws Exception {
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
