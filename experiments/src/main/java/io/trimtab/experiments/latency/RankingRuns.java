package io.trimtab.experiments.latency;

import io.trimtab.config.UserError;
import io.trimtab.experiments.report.KeptRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The runs of E12 so far. */
final class RankingRuns {
  private final KeptRuns<RankingResult> kept;

  private RankingRuns(KeptRuns<RankingResult> kept) {
    this.kept = kept;
  }

  static RankingRuns none(Path folder) {
    return new RankingRuns(KeptRuns.none(folder));
  }

  /**
   * Those that a folder holds.
   *
   * @throws UserError where it holds none
   */
  static RankingRuns read(Path folder) throws IOException {
    return new RankingRuns(KeptRuns.read(folder, RankingResult.class, "E12"));
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

  /** How many of the runs up to a number are not made yet. */
  int missing(String load, int upTo) {
    int missing = 0;
    for (Ordering ordering : Ordering.values()) {
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
