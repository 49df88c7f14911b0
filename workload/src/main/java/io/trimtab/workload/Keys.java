package io.trimtab.workload;

import java.nio.charset.StandardCharsets;
import site.ycsb.Utils;

/** Row keys of numbered records: {@code user} and nineteen digits. */
final class Keys {
  private static final byte[] PREFIX = "user".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 19;

  private final boolean hashed;

  Keys(TenantSpec.KeyOrder order) {
    this.hashed = order == TenantSpec.KeyOrder.HASHED;
  }

  byte[] key(long number) {
    return digits(hashed ? Utils.hash(number) : number);
  }

  private static byte[] digits(long value) {
    byte[] key = new byte[PREFIX.length + DIGITS];
    System.arraycopy(PREFIX, 0, key, 0, PREFIX.length);
    long rest = value;
    for (int i = key.length - 1; i >= PREFIX.length; i--) {
      key[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return key;
  }

  /** The first keys of all partitions but the first. */
  byte[][] splits(TenantSpec spec) {
    byte[][] splits = new byte[spec.partitions() - 1][];
    for (int i = 1; i < spec.partitions(); i++) {
      splits[i - 1] =
          hashed
              ? digits(Long.MAX_VALUE / spec.partitions() * i)
              : digits((long) spec.records() * i / spec.partitions());
    }
    return splits;
  }
}
