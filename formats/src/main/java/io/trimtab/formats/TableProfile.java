package io.trimtab.formats;

import io.trimtab.config.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * What a provisioning table was measured with, or what an agreement is about (Chalkiadaki 2013, ch.
 * 3: the data set's size, its locality, and the workload's access pattern, I/O size and read/write
 * ratio). Every value may be null: what is not told is not compared.
 *
 * @param dataSize of all records
 * @param rowSize of one record
 * @param locality of the requested records
 * @param reads share of the operations, in [0, 1]
 */
public record TableProfile(Bytes dataSize, Bytes rowSize, Sla.Locality locality, Double reads) {
  public static final TableProfile UNTOLD = new TableProfile(null, null, null, null);

  /** Shares of reads that do not differ by more are the same. */
  private static final double READS_ALIKE = 0.05;

  private static final double ROUNDING = 1e-9;

  /** A value that is not told is farther than any that is. */
  private static final double FAR = 1_000;

  public TableProfile {
    if (reads != null && !(reads >= 0 && reads <= 1)) {
      throw new IllegalArgumentException("reads must be in [0, 1], not " + reads);
    }
  }

  /**
   * Why what was measured with this does not hold for an agreement, one clause each; empty if it
   * does. More data and larger records are harder to serve, so that they hold for fewer and smaller
   * ones.
   */
  List<String> misses(TableProfile agreed) {
    List<String> misses = new ArrayList<>();
    atLeast("dataSize", dataSize, agreed.dataSize, misses);
    atLeast("rowSize", rowSize, agreed.rowSize, misses);
    if (locality != null && agreed.locality != null && locality != agreed.locality) {
      misses.add("locality " + locality.key() + ", not " + agreed.locality.key());
    }
    if (readsApart(agreed) > READS_ALIKE + ROUNDING) {
      misses.add("reads " + reads + ", not " + agreed.reads);
    }
    return misses;
  }

  private static void atLeast(String key, Bytes has, Bytes asked, List<String> misses) {
    if (has != null && asked != null && has.value() < asked.value()) {
      misses.add(key + " " + has + " < " + asked);
    }
  }

  private double readsApart(TableProfile agreed) {
    return reads == null || agreed.reads == null ? 0 : Math.abs(reads - agreed.reads);
  }

  /** How far this is from an agreement; 0 if it tells the same of all that was agreed. */
  double distance(TableProfile agreed) {
    return distance(dataSize, agreed.dataSize)
        + distance(rowSize, agreed.rowSize)
        + (agreed.locality != null && locality == null ? FAR : 0)
        + (agreed.reads != null && reads == null ? FAR : readsApart(agreed) / READS_ALIKE);
  }

  private static double distance(Bytes has, Bytes asked) {
    if (asked == null) {
      return 0;
    }
    return has == null
        ? FAR
        : Math.abs(Math.log((double) Math.max(1, has.value()) / Math.max(1, asked.value())));
  }

  /** What a megabyte of the table's records is in those of an agreement: as many of them. */
  double throughputFactor(TableProfile agreed) {
    return rowSize == null || agreed.rowSize == null || rowSize.value() == 0
        ? 1
        : (double) agreed.rowSize.value() / rowSize.value();
  }
}
