package io.trimtab.controller.observe;

import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import java.util.Optional;

/**
 * A partition's smoothed requests per second, each ≥ 0, of the kinds of {@link PartitionCounters}.
 *
 * @param scanCalls requests for rows of scans, several for a long scan
 * @param rowsScanned rows that these returned
 */
public record Rates(double pointReads, double scanCalls, double rowsScanned, double writes) {
  public static final Rates ZERO = new Rates(0, 0, 0, 0);

  /** Rates between two readings; empty if a counter went down, so that a new series has begun. */
  static Optional<Rates> between(PartitionCounters from, PartitionCounters to, double seconds) {
    boolean down =
        to.pointReads() < from.pointReads()
            || to.scanCalls() < from.scanCalls()
            || to.rowsScanned() < from.rowsScanned()
            || to.writes() < from.writes();
    return down
        ? Optional.empty()
        : Optional.of(
            new Rates(
                (to.pointReads() - from.pointReads()) / seconds,
                (to.scanCalls() - from.scanCalls()) / seconds,
                (to.rowsScanned() - from.rowsScanned()) / seconds,
                (to.writes() - from.writes()) / seconds));
  }

  /**
   * A partition's rates between two snapshots; empty if its counters are not in both, or a new
   * series of them has begun: after a move, a restart or a split.
   */
  public static Optional<Rates> between(
      ClusterSnapshot earlier, ClusterSnapshot now, PartitionId id) {
    return earlier
        .partition(id)
        .filter(p -> p.counters().isPresent())
        .map(p -> CounterReading.of(p, earlier))
        .flatMap(
            reading ->
                now.partition(id).flatMap(p -> Optional.ofNullable(reading.ratesUntil(p, now))));
  }

  Rates smoothed(Rates newest, double alpha) {
    return new Rates(
        alpha * newest.pointReads + (1 - alpha) * pointReads,
        alpha * newest.scanCalls + (1 - alpha) * scanCalls,
        alpha * newest.rowsScanned + (1 - alpha) * rowsScanned,
        alpha * newest.writes + (1 - alpha) * writes);
  }

  /** So many times as much of everything. */
  public Rates times(double factor) {
    return new Rates(
        factor * pointReads, factor * scanCalls, factor * rowsScanned, factor * writes);
  }

  /** Both together. */
  public Rates plus(Rates other) {
    return new Rates(
        pointReads + other.pointReads,
        scanCalls + other.scanCalls,
        rowsScanned + other.rowsScanned,
        writes + other.writes);
  }

  public double reads() {
    return pointReads + scanCalls;
  }

  /** Requests per second of all kinds; a partition's load. */
  public double total() {
    return pointReads + scanCalls + writes;
  }
}
