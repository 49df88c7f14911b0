package io.trimtab.plugincore.ranking;

/**
 * What a message says of a replica, as one number: 16 bits of the replica, 12 of its queue's age in
 * 100 µs, 12 of the requests that waited or ran, 12 of the service time, 12 of its age in ms. What
 * is larger is told as the largest; of a service time that is older nothing is told. Ages are
 * rounded up: what nodes tell each other again and again must not become younger. Service times are
 * µs with 7 bits of mantissa, less than 1 % too small.
 */
final class Entry {
  private static final int REPLICA_AT = 48;
  private static final int QUEUE_AGE_AT = 36;
  private static final int QUEUED_AT = 24;
  private static final int SERVICE_AT = 12;
  private static final int FIELD = (1 << 12) - 1;
  private static final long QUEUE_AGE_UNIT = 100_000;
  private static final long SERVICE_AGE_UNIT = 1_000_000;
  private static final int US = 1_000;

  /** Bits of a float's mantissa that are left out. */
  private static final int LEFT_OUT = 16;

  /** The float 1 without them, less one: 0 is no service time. */
  private static final int BEFORE_FIRST = (127 << 7) - 1;

  private Entry() {}

  private static long rounded(long age, long unit) {
    return Math.min(FIELD, (Math.max(0, age) + unit - 1) / unit);
  }

  /** Of a replica of whose service time nothing is known. Ages are nanoseconds. */
  static long of(int replica, long queueAge, int queued) {
    return (long) replica << REPLICA_AT
        | rounded(queueAge, QUEUE_AGE_UNIT) << QUEUE_AGE_AT
        | (long) Math.min(FIELD, queued) << QUEUED_AT;
  }

  /**
   * @param service nanoseconds
   */
  static long of(int replica, long queueAge, int queued, long serviceAge, long service) {
    long age = rounded(serviceAge, SERVICE_AGE_UNIT);
    long entry = of(replica, queueAge, queued);
    return age == FIELD ? entry : entry | code(service) << SERVICE_AT | age;
  }

  private static long code(long service) {
    float us = Math.max(1, (float) service / US);
    return Math.min(FIELD, (Float.floatToIntBits(us) >>> LEFT_OUT) - BEFORE_FIRST);
  }

  private static int field(long entry, int at) {
    return (int) (entry >>> at) & FIELD;
  }

  static int replica(long entry) {
    return (int) (entry >>> REPLICA_AT);
  }

  static long queueAge(long entry) {
    return field(entry, QUEUE_AGE_AT) * QUEUE_AGE_UNIT;
  }

  static int queued(long entry) {
    return field(entry, QUEUED_AT);
  }

  /** Whether it says anything of the service time. */
  static boolean hasService(long entry) {
    return field(entry, SERVICE_AT) > 0;
  }

  static long serviceAge(long entry) {
    return field(entry, 0) * SERVICE_AGE_UNIT;
  }

  static double service(long entry) {
    int bits = field(entry, SERVICE_AT) + BEFORE_FIRST << LEFT_OUT;
    return (double) Float.intBitsToFloat(bits) * US;
  }
}
