package io.trimtab.workload.lengths;

/**
 * How many rows scans ask for, up to the tenant's {@code scanLength}.
 *
 * @param kind default uniform
 * @param min rows of the shortest scan, ≥ 1; default 1
 */
public record ScanLengths(Kind kind, Integer min) {

  /** YCSB's {@code scanlengthdistribution}. */
  public enum Kind {
    UNIFORM,
    /** The shortest scans are the most frequent. */
    ZIPFIAN
  }

  public static final ScanLengths UNIFORM = new ScanLengths(null, null);

  public ScanLengths {
    kind = kind == null ? Kind.UNIFORM : kind;
    min = min == null ? 1 : min;
    if (min < 1) {
      throw new IllegalArgumentException("scanLengths.min must be >= 1, not " + min);
    }
  }

  /**
   * As a function of a draw.
   *
   * @param scanLength the tenant's, at least {@link #min}
   */
  public Lengths function(int scanLength) {
    return switch (kind) {
      case UNIFORM -> Lengths.uniform(min, scanLength);
      case ZIPFIAN -> new ZipfianLengths(min, scanLength);
    };
  }
}
