package io.trimtab.workload.lengths;

import java.nio.file.Path;

/**
 * How long the values of columns are.
 *
 * @param kind default constant: always the tenant's {@code fieldLength}, which is the most for
 *     uniform and zipfian
 * @param min bytes of the shortest value, for uniform and zipfian; default: {@link #SHORTEST}
 * @param histogram a file as YCSB's {@code fieldlengthhistogram}, for histogram; from the working
 *     directory where relative
 */
public record FieldLengths(Kind kind, Integer min, String histogram) {

  /** YCSB's {@code fieldlengthdistribution}. */
  public enum Kind {
    CONSTANT,
    UNIFORM,
    /** The shortest values are the most frequent. */
    ZIPFIAN,
    HISTOGRAM
  }

  /** Bytes of the shortest value: it must have room for what verifies it. */
  public static final int SHORTEST = 24;

  /** Bytes of the longest value. */
  public static final int LONGEST = 1_000_000;

  public static final FieldLengths CONSTANT = new FieldLengths(Kind.CONSTANT, null, null);

  public FieldLengths {
    kind = kind == null ? Kind.CONSTANT : kind;
    boolean ranged = kind == Kind.UNIFORM || kind == Kind.ZIPFIAN;
    if (ranged) {
      min = min == null ? SHORTEST : min;
      if (min < SHORTEST) {
        throw new IllegalArgumentException(
            "fieldLengths.min must be >= %d, not %d".formatted(SHORTEST, min));
      }
    } else if (min != null) {
      throw new IllegalArgumentException("fieldLengths.min is for kind: uniform and zipfian only");
    }
    if (kind == Kind.HISTOGRAM) {
      if (histogram == null) {
        throw new IllegalArgumentException("fieldLengths.histogram is missing");
      }
      Lengths read = HistogramLengths.read(Path.of(histogram));
      int longest = read.of(Math.nextDown(1.0));
      if (read.of(0) < SHORTEST || longest > LONGEST) {
        throw new IllegalArgumentException(
            "%s: lengths must be in [%d, %d], not [%d, %d]"
                .formatted(histogram, SHORTEST, LONGEST, read.of(0), longest));
      }
    } else if (histogram != null) {
      throw new IllegalArgumentException("fieldLengths.histogram is for kind: histogram only");
    }
  }

  /**
   * As a function of a draw. Costs time or reads a file: keep it.
   *
   * @param fieldLength the tenant's, at least {@link #min}
   */
  public Lengths function(int fieldLength) {
    return switch (kind) {
      case CONSTANT -> Lengths.uniform(fieldLength, fieldLength);
      case UNIFORM -> Lengths.uniform(min, fieldLength);
      case ZIPFIAN -> new ZipfianLengths(min, fieldLength);
      case HISTOGRAM -> HistogramLengths.read(Path.of(histogram));
    };
  }
}
