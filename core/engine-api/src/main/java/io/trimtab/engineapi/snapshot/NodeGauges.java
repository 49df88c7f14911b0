package io.trimtab.engineapi.snapshot;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node's memory, cache and queues. Counters are cumulative since the process started; −1 where
 * the engine can't tell. Cache hits and misses are of data blocks, where the engine tells these
 * apart from index blocks.
 *
 * @param own what only this engine tells, by its own names; for people, nothing is decided on it
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
    long gcMillis,
    Map<String, Double> own) {
  public static final NodeGauges UNKNOWN =
      new NodeGauges(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, Map.of());

  public NodeGauges {
    // In the order of names, so that it is written alike by every JVM.
    own = own == null || own.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(own));
  }
}
