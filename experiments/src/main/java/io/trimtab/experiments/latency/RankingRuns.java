package io.trimtab.experiments.latency;

import io.trimtab.config.UserError;
import io.trimtab.experiments.report.KeptRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The runs of an experiment on the order of replicas so far. */
final class RankingRuns {
  private final KeptRuns<RankingResult> kept;

  private final RankingSuite suite;

  private RankingRuns(KeptRuns<RankingResult> kept, RankingSuite suite) {
    this.kept = kept;
    this.suite = suite;
  }

  /**
   * Those to go on from.
   *
   * @throws UserError where the folder holds runs and nobody has said what becomes of them
   */
  static RankingRuns open(Path folder, RankingSuite suite, KeptRuns.Start start)
      throws IOException {
    return new RankingRuns(KeptRuns.open(folder, RankingResult.class, suite.name(), start), suite);
  }

  /**
   * Those to come are made so.
   *
   * @throws UserError where those so far were made in another way: they can't be compared
   */
  void madeWith(List<String> now) {
    kept.madeWith(now);
  }

  /**
   * Forgets a load's runs of another machine, unless all are there: they can't be compared with
   * those that are still to be made.
   *
   * @param upTo how many runs there shall be of each ordering
   * @return how many were forgotten
   */
  int madeOn(String machine, String load, int upTo) {
    return missing(load, upTo) > 0
        ? kept.forget(run -> run.load().equals(load) && !run.machine().equals(machine))
        : 0;
  }

  /** Where and when a load's runs were made. */
  String origin(String load) {
    return kept.runs().stream()
        .filter(run -> run.load().equals(load))
        .map(run -> run.day() + ", " + run.machine())
        .distinct()
        .sorted()
        .collect(Collectors.joining("; "));
  }

  /** Kept at once. */
  void add(RankingResult result) throws IOException {
    kept.add(result);
  }

  boolean has(String load, Ordering ordering, int run) {
    return of(load, ordering).stream().anyMatch(r -> r.run() == run);
  }

  /** How they were made. */
  List<String> setting() {
    return kept.setting();
  }

  /** How many of the runs up to a number are not made yet, of all loads. */
  int missing(int upTo) {
    return suite.comparisons().stream().mapToInt(c -> missing(c.load().title(), upTo)).sum();
  }

  /** How many of the runs up to a number are not made yet. */
  int missing(String load, int upTo) {
    int missing = 0;
    for (Ordering ordering : suite.orderings()) {
      for (int run = 1; run <= upTo; run++) {
        missing += has(load, ordering, run) ? 0 : 1;
      }
    }
    return missing;
  }

  List<RankingResult> of(String load, Ordering ordering) {
    return kept.runs().stream()
        .filter(r -> r.load().equals(load) && r.ordering().equals(ordering.toString()))
        .toList();
  }

  /** When they were made, in order. */
  List<String> days() {
    return kept.runs().stream().map(RankingResult::day).distinct().sorted().toList();
  }
}
