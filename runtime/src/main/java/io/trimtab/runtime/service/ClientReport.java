package io.trimtab.runtime.service;

/**
 * A report of a group of a tenant's clients on their response times, sent about every 30 s.
 *
 * @param tenant name of the agreement
 * @param client identifies this group of clients, for example by host and process
 * @param clients number of concurrent clients, ≥ 1
 * @param responseTimeMs exponentially weighted mean in milliseconds, ≥ 0
 * @param p95Ms 95th percentile in milliseconds, ≥ 0; optional
 * @param p99Ms 99th percentile in milliseconds, ≥ 0; optional
 * @param throughputMBps throughput of these clients together in MB/s, ≥ 0
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
