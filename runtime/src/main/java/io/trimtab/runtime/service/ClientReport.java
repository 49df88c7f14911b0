package io.trimtab.runtime.service;

/**
 * What clients of a tenant that sit together say of how they are answered, every 30 s or so.
 *
 * @param tenant as the agreement names it
 * @param client tells these clients from others, for example by host and process
 * @param clients that ask at the same time, ≥ 1
 * @param responseTimeMs exponentially weighted mean, ≥ 0
 * @param p95Ms 95th percentile, ≥ 0; may be missing
 * @param p99Ms 99th percentile, ≥ 0; may be missing
 * @param throughputMBps of these clients together, ≥ 0
 */
record ClientReport(
    String tenant,
    String client,
    Integer clients,
    Double responseTimeMs,
    Double p95Ms,
    Double p99Ms,
    Double throughputMBps) {
  private static final int NAME_MAX = 200;

  ClientReport {
    name("tenant", tenant);
    name("client", client);
    if (clients == null || clients < 1) {
      throw new IllegalArgumentException("clients must be at least 1, not " + clients);
    }
    notNegative("responseTimeMs", responseTimeMs);
    notNegative("throughputMBps", throughputMBps);
    p95Ms = percentile("p95Ms", p95Ms);
    p99Ms = percentile("p99Ms", p99Ms);
  }

  private static Double percentile(String key, Double value) {
    if (value == null) {
      return Double.NaN;
    }
    notNegative(key, value);
    return value;
  }

  private static void name(String key, String value) {
    if (value == null || value.isBlank() || value.length() > NAME_MAX) {
      throw new IllegalArgumentException(
          key + " must be 1 to " + NAME_MAX + " characters, not " + value);
    }
  }

  private static void notNegative(String key, Double value) {
    if (value == null || !(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(key + " must be ≥ 0, not " + value);
    }
  }
}
