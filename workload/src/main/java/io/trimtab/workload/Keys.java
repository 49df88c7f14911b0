package io.trimtab.workload;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
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
    return digits(value(number));
  }

  /** What the digits of a key say. */
  long value(long number) {
    long named = tenant.keyStart() + number;
    return hashed ? Utils.hash(named) : named;
  }

  /** Whether keys are hashes of what they are named after. */
  boolean hashed() {
    return hashed;
  }

  /** Digits of the key with this value. */
  int length(long value) {
    int digits = tenant.keyDigits();
    return digits < ALL_DIGITS ? Math.max(digits, Long.toString(value).length()) : digits;
  }

  /** The most digits of a loaded record's key, where it is no hash. */
  int longest() {
    return length(tenant.keyStart() + tenant.records() - 1);
  }

  private byte[] digits(long value) {
    byte[] key = new byte[PREFIX.length + length(value)];
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

  /** Whether keys are ordered as the numbers of their records. */
  boolean asNumbers() {
    return !hashed && length(tenant.keyStart()) == longest();
  }

  /** Which loaded records follow which by key. Twelve bytes a record, unless it is their number. */
  static final class Order {
    /** Digits of the longest key. */
    private static final int DIGITS = 19;

    /** Above the lengths of keys. */
    private static final int LENGTHS = 32;

    private final Keys keys;

    /** What orders keys, sorted. */
    private final long[] sorted;

    private final int[] records;

    private final int count;

    Order(Keys keys, int count) {
      this.keys = keys;
      this.count = count;
      int sort = keys.asNumbers() ? 0 : count;
      sorted = new long[sort];
      for (int record = 0; record < sort; record++) {
        sorted[record] = code(record);
      }
      Arrays.sort(sorted);
      records = new int[sort];
      for (int record = 0; record < sort; record++) {
        records[rank(record)] = record;
      }
    }

    /** Records from one on, as a scan returns them; so many, or as many as there are. */
    int[] from(int record, int length) {
      int rank = keys.asNumbers() ? record : rank(record);
      int end = (int) Math.min(count, (long) rank + length);
      return keys.asNumbers()
          ? IntStream.range(rank, end).toArray()
          : Arrays.copyOfRange(records, rank, end);
    }

    private int rank(int record) {
      return Arrays.binarySearch(sorted, code(record));
    }

    /**
     * Ordered as the key's digits are as text. Hashes have up to 19 digits, and fill the long; two
     * of which one is the other with a nought at its end are not among them. Numbers leave room for
     * the length, by which "1" comes before "10".
     */
    private long code(int record) {
      long value = keys.value(record);
      int length = keys.length(value);
      if (keys.hashed()) {
        // More than a signed long holds, in an order that keeps that of unsigned ones.
        return value * power(DIGITS - length) ^ Long.MIN_VALUE;
      }
      return value * power(keys.longest() - length) * LENGTHS + length;
    }

    private static long power(int exponent) {
      long power = 1;
      for (int i = 0; i < exponent; i++) {
        power *= 10;
      }
      return power;
    }
  }
}
