package io.trimtab.workload;

import io.trimtab.workload.lengths.Lengths;

/**
 * What a tenant's columns hold, with the length that each value must have: a function of record,
 * field and version, so that a reader knows it. As in YCSB, another version has another length.
 */
final class Values {
  private final int fields;
  private final Lengths lengths;

  Values(TenantSpec tenant) {
    this.fields = tenant.fields();
    this.lengths = tenant.fieldLengths().function(tenant.fieldLength());
  }

  /** A record's values, one per field. */
  byte[][] of(long number, long version) {
    byte[][] values = new byte[fields][];
    for (int field = 0; field < values.length; field++) {
      values[field] = Content.value(number, field, version, length(number, field, version));
    }
    return values;
  }

  int length(long number, int field, long version) {
    return lengths.of(draw(number, field, version));
  }

  double meanLength() {
    return lengths.mean();
  }

  /**
   * The version of a value, {@link Content#FOREIGN}, or {@link Content#BROKEN}, which it also is
   * where missing or of another length than it was written with.
   */
  long version(byte[] value, long number, int field) {
    if (value == null) {
      return Content.BROKEN;
    }
    long version = Content.version(value, 0, value.length, number, field);
    return version >= 0 && value.length != length(number, field, version)
        ? Content.BROKEN
        : version;
  }

  /** In [0, 1): splitmix64's finalizer over each part in turn. */
  private static double draw(long number, int field, long version) {
    long hash = mixed(mixed(mixed(number + 1) + field) + version);
    return (hash >>> 11) * 0x1p-53;
  }

  private static long mixed(long value) {
    long hash = value + 0x9E3779B97F4A7C15L;
    hash = (hash ^ hash >>> 30) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ hash >>> 27) * 0x94D049BB133111EBL;
    return hash ^ hash >>> 31;
  }
}
