package io.trimtab.engineapi.snapshot;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node's memory, cache and queues. Counters are cumulative since the process started; −1 if the
 * engine does not provide the value. Cache hits and misses are those of data blocks, if the engine
 * distinguishes these from index blocks.
 *
 * @param own values that only this engine provides, by its own names; for information only, not
 *     used for decisions
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
