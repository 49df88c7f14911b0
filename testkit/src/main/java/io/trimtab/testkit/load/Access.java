package io.trimtab.testkit.load;

/**
 * What clients ask of a table, a second.
 *
 * @param reads single-row reads, ≥ 0
 * @param scans ≥ 0
 * @param rowsPerScan ≥ 0
 * @param writes ≥ 0
 */
public record Access(double reads, double scans, double rowsPerScan, double writes) {
  public static final Access NONE = new Access(0, 0, 0, 0);

  public Access {
    if (!(reads >= 0 && scans >= 0 && rowsPerScan >= 0 && writes >= 0)) {
      throw new IllegalArgumentException("rates must be >= 0");
    }
  }

  public static Access reads(double rate) {
    return new Access(rate, 0, 0, 0);
  }

  public static Access writes(double rate) {
    return new Access(0, 0, 0, rate);
  }

  /** Of all kinds together. */
  public double requests() {
    return reads + scans + writes;
  }

  public Access times(double factor) {
    return new Access(reads * factor, scans * factor, rowsPerScan, writes * factor);
  }
}
