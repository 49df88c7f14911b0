package io.trimtab.engineapi;

/**
 * A node's memory, cache and queues. Counters are cumulative since the process started; −1 where
 * the engine can't tell. Cache hits and misses are of data blocks, where the engine tells these
 * apart from index blocks.
 */
public record NodeGauges(
    long memoryUsedBytes,
    long heapUsedBytes,
    long heapMaxBytes,
    long cacheHits,
    long cacheMisses,
    long cacheUsedBytes,
    long cacheMaxBytes,
    long memstoreUsedBytes,
    long memstoreMaxBytes,
    long compactionQueue,
    long flushQueue,
    long gcMillis) {
  public static final NodeGauges UNKNOWN =
      new NodeGauges(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
}
