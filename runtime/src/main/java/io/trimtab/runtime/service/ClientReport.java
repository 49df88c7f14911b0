package io.trimtab.runtime.service;

import java.util.Optional;

/**
 * A report of a group of a tenant's clients on their response times, sent about every 30 s.
 *
 * @param tenant name of the agreement
 * @param client identifies this group of clients, for example by host and process
 * @param clients number of concurrent clients, in [1, 1,000,000]
 * @param responseTimeMs exponentially weighted mean in milliseconds, in [0, one hour]
 * @param p95Ms 95th percentile in milliseconds, in [0, one hour]; optional
 * @param p99Ms 99th percentile in milliseconds, in [0, one hour]; optional
 * @param throughputMBps throughput of these clients together in MB/s, in [0, 1,000,000]
 * @param latencies response times since the last report; optional. Takes precedence over the
 *     percentiles, since several clients' can be merged.
 * @param readLatencies those of reads alone; optional
 * @param writeLatencies those of writes alone; optional
 */
record ClientReport(
    String tenant,
    String client,
    Integer clients,
    Double responseTimeMs,
    Double p95Ms,
    Double p99Ms,
    Double throughputMBps,
    Latencies latencies,
    Latencies readLatencies,
    Latencies writeLatencies) {
  /** The sum over all senders fits an int. */
  static final int CLIENTS_MAX = 1_000_000;

  private static final int NAME_MAX = 200;
  private static final double MS_MAX = 3_600_000;
  private static final double MBPS_MAX = 1e6;

  ClientReport {
    name("tenant", tenant);
    name("client", client);
    if (clients == null || clients < 1 || clients > CLIENTS_MAX) {
      throw new IllegalArgumentException(
          "clients must be in [1, " + CLIENTS_MAX + "], not " + clients);
    }
    within("responseTimeMs", responseTimeMs, MS_MAX);
    within("throughputMBps", throughputMBps, MBPS_MAX);
    p95Ms = percentile("p95Ms", p95Ms);
    p99Ms = percentile("p99Ms", p99Ms);
  }

  Optional<Latencies> histogram() {
    return Optional.ofNullable(latencies);
  }

  private static Double percentile(String key, Double value) {
    if (value == null) {
      return Double.NaN;
    }
    within(key, value, MS_MAX);
    return value;
  }

  private static void name(String key, String value) {
    if (value == null || value.isBlank() || value.length() > NAME_MAX) {
      throw new IllegalArgumentException(
          key
              + " must be 1 to "
              + NAME_MAX
              + " characters, not "
              + (value == null ? "none" : value.length()));
    }
  }

  private static void within(String key, Double value, double most) {
    // Also refuses NaN.
    if (value == null || !(value >= 0 && value <= most)) {
      throw new IllegalArgumentException(
          "%s must be in [0, %.0f], not %s".formatted(key, most, value));
    }
  }
}
