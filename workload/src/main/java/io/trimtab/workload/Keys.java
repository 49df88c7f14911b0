package io.trimtab.workload;

import java.nio.charset.StandardCharsets;
import site.ycsb.Utils;

/**
 * Row keys of numbered records: {@code user} and digits, as many as the tenant says. Records are
 * numbered from 0, keys from where the tenant says.
 */
final class Keys {
  private static final byte[] PREFIX = "user".getBytes(StandardCharsets.US_ASCII);

  /** Enough for every number, so that keys are ordered as their numbers. */
  static final int ALL_DIGITS = 19;

  private final TenantSpec tenant;
  private final boolean hashed;

  Keys(TenantSpec tenant) {
    this.tenant = tenant;
    this.hashed = tenant.keyOrder() == TenantSpec.KeyOrder.HASHED;
  }

  byte[] key(long number) {
    long named = tenant.keyStart() + number;
    return digits(hashed ? Utils.hash(named) : named);
  }

  private byte[] digits(long value) {
    int digits = tenant.keyDigits();
    if (digits < ALL_DIGITS) {
      digits = Math.max(digits, Long.toString(value).length());
    }
    byte[] key = new byte[PREFIX.length + digits];
    System.arraycopy(PREFIX, 0, key, 0, PREFIX.length);
    long rest = value;
    for (int i = key.length - 1; i >= PREFIX.length; i--) {
      key[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return key;
  }

  /** The first keys of all partitions but the first. */
  byte[][] splits() {
    byte[][] splits = new byte[tenant.partitions() - 1][];
    for (int i = 1; i < tenant.partitions(); i++) {
      splits[i - 1] =
          hashed
              ? digits(Long.MAX_VALUE / tenant.partitions() * i)
              : digits(tenant.keyStart() + (long) tenant.records() * i / tenant.partitions());
    }
    return splits;
  }
}
