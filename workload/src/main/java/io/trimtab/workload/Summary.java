package io.trimtab.workload;

import java.util.SortedMap;

/**
 * What a tenant did in a whole run.
 *
 * @param seconds that the run took
 * @param opsPerSecond mean throughput
 * @param meanMicros mean latency, µs, failed operations included; the others percentiles
 * @param retryReasons how many of the retries, by the simple name of the first cause's class
 */
public record Summary(
    String tenant,
    double seconds,
    long operations,
    double opsPerSecond,
    long errors,
    long retries,
    long wrong,
    long lost,
    double meanMicros,
    long p50Micros,
    long p95Micros,
    long p99Micros,
    long p999Micros,
    long maxMicros,
    SortedMap<String, Long> retryReasons) {}
