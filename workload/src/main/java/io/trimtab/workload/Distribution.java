package io.trimtab.workload;

/**
 * Distribution of the requested keys.
 *
 * @param kind the generator of YCSB's core
 * @param hotKeys hotspot: share of the keys that are hot, in (0, 1); the lowest ones
 * @param hotOperations hotspot: share of the operations that go to them, in (0, 1)
 * @param percentile exponential: per cent of the operations that go to the newest records, in (0,
 *     100); default 95
 * @param fraction exponential: the share of the records that these are, in (0, 1]; default
 *     0.8571428571, as in YCSB
 */
public record Distribution(
    Kind kind, Double hotKeys, Double hotOperations, Double percentile, Double fraction) {

  /** The generators of YCSB's core. */
  public enum Kind {
    UNIFORM,
    /** The lowest keys are the most popular, so popularity is clustered where keys are ordered. */
    ZIPFIAN,
    /** What YCSB calls zipfian: the popular keys are scattered over the key space. */
    SCRAMBLED,
    /** The newest inserts are the most popular. */
    LATEST,
    HOTSPOT,
    EXPONENTIAL
  }

  public static final Distribution UNIFORM = new Distribution(Kind.UNIFORM, null, null);

  public Distribution {
    if (kind == null) {
      throw new IllegalArgumentException("distribution.kind is missing");
    }
    if (kind == Kind.HOTSPOT) {
      fraction("distribution.hotKeys", hotKeys);
      fraction("distribution.hotOperations", hotOperations);
    } else if (hotKeys != null || hotOperations != null) {
      throw new IllegalArgumentException(
          "distribution.hotKeys and hotOperations are for kind: hotspot only");
    }
    if (kind == Kind.EXPONENTIAL) {
      percentile = percentile == null ? 95 : percentile;
      fraction = fraction == null ? 0.8571428571 : fraction;
      if (!(percentile > 0 && percentile < 100)) {
        throw new IllegalArgumentException(
            "distribution.percentile must be in (0, 100), not " + percentile);
      }
      if (!(fraction > 0 && fraction <= 1)) {
        throw new IllegalArgumentException(
            "distribution.fraction must be in (0, 1], not " + fraction);
      }
    } else if (percentile != null || fraction != null) {
      throw new IllegalArgumentException(
          "distribution.%s must be left out; it is for kind: exponential only"
              .formatted(percentile == null ? "fraction" : "percentile"));
    }
  }

  /** Any, with the defaults of the exponential one. */
  public Distribution(Kind kind, Double hotKeys, Double hotOperations) {
    this(kind, hotKeys, hotOperations, null, null);
  }

  private static void fraction(String key, Double value) {
    if (value == null || !(value > 0 && value < 1)) {
      throw new IllegalArgumentException(key + " must be in (0, 1), not " + value);
    }
  }
}
