package io.trimtab.workload;

/**
 * What a tenant did in one second of a run.
 *
 * @param second since the start of the run, from 0
 * @param operations that succeeded
 * @param errors that failed permanently
 * @param retries tries that were repeated
 * @param wrong reads with wrong content
 * @param lost reads that missed what had been acknowledged
 * @param meanMicros mean latency in µs, failed operations included; 0 where nothing ended
 * @param p50Micros median latency in µs; 0 where nothing ended
 */
public record Sample(
    int second,
    String tenant,
    long operations,
    long errors,
    long retries,
    long wrong,
    long lost,
    double meanMicros,
    long p50Micros,
    long p95Micros,
    long p99Micros,
    long maxMicros) {}
