package io.trimtab.controller.observe;

import io.trimtab.engineapi.snapshot.PartitionCounters;

/** A partition's smoothed requests per second, each ≥ 0. */
public record Rates(double pointReads, double scans, double rowsScanned, double writes) {
  public static final Rates ZERO = new Rates(0, 0, 0, 0);

  /** Rates between two readings; the caller has checked that no counter went down. */
  static Rates between(PartitionCounters from, PartitionCounters to, double seconds) {
    return new Rates(
        (to.pointReads() - from.pointReads()) / seconds,
        (to.scans() - from.scans()) / seconds,
        (to.rowsScanned() - from.rowsScanned()) / seconds,
        (to.writes() - from.writes()) / seconds);
  }

  Rates smoothed(Rates newest, double alpha) {
    return new Rates(
        alpha * newest.pointReads + (1 - alpha) * pointReads,
        alpha * newest.scans + (1 - alpha) * scans,
        alpha * newest.rowsScanned + (1 - alpha) * rowsScanned,
        alpha * newest.writes + (1 - alpha) * writes);
  }

  Rates plus(Rates other) {
    return new Rates(
        pointReads + other.pointReads,
        scans + other.scans,
        rowsScanned + other.rowsScanned,
        writes + other.writes);
  }

  public double reads() {
    return pointReads + scans;
  }

  /** Requests per second of all kinds; a partition's load. */
  public double total() {
    return pointReads + scans + writes;
  }
}
