package io.trimtab.workload;

/**
 * Which keys are asked for.
 *
 * @param kind the generator of YCSB's core
 * @param hotKeys hotspot: share of the keys that are hot, in (0, 1); the lowest ones
 * @param hotOperations hotspot: share of the operations that go to them, in (0, 1)
 */
public record Distribution(Kind kind, Double hotKeys, Double hotOperations) {

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
  }

  private static void fraction(String key, Double value) {
    if (value == null || !(value > 0 && value < 1)) {
      throw new IllegalArgumentException(key + " must be in (0, 1), not " + value);
    }
  }
}
