package io.trimtab.controller.tenants;

import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.observe.Rates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a table was served before the first of some plans that follow each other, so that a little
 * that it loses by each does not add up.
 *
 * @param reads a second, as the following ones
 * @param scans calls
 * @param at when that was
 */
public record ServedBefore(String table, double reads, double scans, double writes, Instant at) {
  /** After which a table is judged by what it is served then (ours). */
  private static final Duration LONGEST = Duration.ofHours(1);

  /** By how much shares of reads, scans and writes may differ in sum, for a load to be the same. */
  private static final double ALIKE = 0.2;

  /** Of what it was served; more is not believed to be for want of room. */
  private static final double MOST = 1 / 0.75;

  /** What tables are served now. */
  public static List<ServedBefore> now(Partitions partitions, Instant at) {
    double[][] sums = new double[partitions.tables()][3];
    String[] names = new String[partitions.tables()];
    for (int p = 0; p < partitions.size(); p++) {
      int table = partitions.table(p);
      Rates rates = partitions.rates(p);
      names[table] = partitions.state(p).id().table();
      sums[table][0] += rates.pointReads();
      sums[table][1] += rates.scanCalls();
      sums[table][2] += rates.writes();
    }
    List<ServedBefore> all = new ArrayList<>();
    for (int table = 0; table < sums.length; table++) {
      all.add(new ServedBefore(names[table], sums[table][0], sums[table][1], sums[table][2], at));
    }
    return all;
  }

  /** What is remembered after another plan: the earlier one, as long as it can be compared. */
  public static List<ServedBefore> kept(List<ServedBefore> before, List<ServedBefore> now) {
    return now.stream().map(is -> of(before, is).orElse(is)).toList();
  }

  private static Optional<ServedBefore> of(List<ServedBefore> before, ServedBefore now) {
    return before.stream()
        .filter(was -> was.table.equals(now.table))
        .filter(was -> Duration.between(was.at, now.at).compareTo(LONGEST) < 0)
        .filter(was -> was.isLike(now))
        .findFirst();
  }

  private double sum() {
    return reads + scans + writes;
  }

  private boolean isLike(ServedBefore other) {
    double mine = sum();
    double its = other.sum();
    return mine > 0
        && its > 0
        && Math.abs(reads / mine - other.reads / its)
                + Math.abs(scans / mine - other.scans / its)
                + Math.abs(writes / mine - other.writes / its)
            <= ALIKE;
  }

  /** How many times as much as now a table was served, at least 1. */
  public static double times(List<ServedBefore> before, ServedBefore now) {
    return of(before, now)
        .map(was -> Math.max(1, Math.min(MOST, was.sum() / now.sum())))
        .orElse(1.0);
  }
}
