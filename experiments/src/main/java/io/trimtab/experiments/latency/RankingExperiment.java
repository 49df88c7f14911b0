package io.trimtab.experiments.latency;

import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Compares how coordinators order replicas, on nodes whose disks, garbage and compactions disturb
 * reads (Wu 2018, ch. 5): E12 and OWN.
 */
public final class RankingExperiment {
  private final Console console;
  private final Path folder;
  private final int runs;
  private final String labName;
  private final KeptRuns.Start start;
  private final RankingSuite suite;

  private RankingExperiment(
      Console console,
      Path folder,
      int runs,
      String labName,
      KeptRuns.Start start,
      RankingSuite suite) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.labName = labName;
    this.start = start;
    this.suite = suite;
  }

  /**
   * E12: rankings.
   *
   * @param runs of each load and ordering
   * @param start what becomes of the runs that the folder holds
   */
  public static RankingExperiment e12(
      Console console, Path folder, int runs, String labName, KeptRuns.Start start) {
    return new RankingExperiment(console, folder, runs, labName, start, RankingSuite.E12);
  }

  /** OWN: what may be done with a coordinator's own copy; as {@link #e12}. */
  public static RankingExperiment own(
      Console console, Path folder, int runs, String labName, KeptRuns.Start start) {
    return new RankingExperiment(console, folder, runs, labName, start, RankingSuite.OWN);
  }

  /**
   * @throws io.trimtab.config.UserError where the folder's runs can't be continued
   */
  public Path run() throws Exception {
    RankingRuns results = RankingRuns.open(folder, suite, start);
    RankingReport report = new RankingReport(folder, runs, suite);
    if (results.missing(runs) == 0) {
      return report.write(results);
    }
    Path written = null;
    try (RankingBed bed = RankingBed.open(labName, console)) {
      results.madeWith(RankingReport.setting(bed));
      for (RankingSuite.Comparison comparison : suite.comparisons()) {
        String title = comparison.load().title();
        int forgotten = results.madeOn(Machine.describe(), title, runs);
        if (forgotten > 0) {
          console.step("%s: %d runs of another machine are made again".formatted(title, forgotten));
        }
        if (results.missing(title, runs) > 0) {
          make(bed, comparison, results);
        }
        // What is known is not lost where the rest is cut off.
        written = report.write(results);
      }
    }
    return written;
  }

  private void make(RankingBed bed, RankingSuite.Comparison comparison, RankingRuns results)
      throws Exception {
    for (Ordering ordering : suite.orderings()) {
      bed.load(comparison.load().tenant(ordering));
    }
    measure(bed, comparison, results);
    for (Ordering ordering : suite.orderings()) {
      long records = bed.verify(comparison.load(), ordering);
      console.step(String.format(Locale.ROOT, "%s: %,d records verified", ordering, records));
    }
  }

  /**
   * Each run has another order, in which each ordering follows another one, and in as many runs as
   * there are orderings each one (Williams 1949, for an even number of them).
   */
  static List<Ordering> order(List<Ordering> all, int run) {
    List<Ordering> order = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      int step = i % 2 == 0 ? all.size() - i / 2 : i / 2 + 1;
      order.add(all.get((run + step) % all.size()));
    }
    return order;
  }

  private void measure(RankingBed bed, RankingSuite.Comparison comparison, RankingRuns results)
      throws Exception {
    RankingTrial trial = new RankingTrial(bed, console, comparison.load(), comparison.disturbed());
    trial.warm(suite.orderings());
    for (int run = 0; run < runs; run++) {
      for (Ordering ordering : order(suite.orderings(), run)) {
        if (results.has(comparison.load().title(), ordering, run + 1)) {
          continue;
        }
        RankingResult result = trial.run(ordering, run + 1);
        if (result.wrong() > 0) {
          // Not kept: it would count as made.
          throw new IOException(
              "%s, %s: %d reads were wrong".formatted(result.load(), ordering, result.wrong()));
        }
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
      }
    }
  }
}
