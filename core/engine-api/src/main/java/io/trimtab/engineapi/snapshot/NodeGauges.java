package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.Profile;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node's memory, cache, queues and disks. Counters are cumulative since the process started; −1
 * if the engine does not provide the value. Cache hits and misses are those of data blocks, if the
 * engine distinguishes these from index blocks; the cache's size is that of the one in which data
 * blocks are.
 *
 * @param own values that only this engine provides, by its own names; for information only, not
 *     used for decisions
 * @param disk how full the disks with its data are
 * @param times how it serves requests
 * @param cacheBesideHeap whether the cache is not a share of the heap (HBase's bucket cache), so
 *     that no profile changes its size
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
    Map<String, Double> own,
    DiskSpace disk,
    RequestTimes times,
    boolean cacheBesideHeap) {
  public static final NodeGauges UNKNOWN =
      new NodeGauges(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, Map.of());

  public NodeGauges {
    // In the order of names, so that it is written alike by every JVM.
    own = own == null || own.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(own));
    // Older recordings know none.
    disk = disk == null ? DiskSpace.UNKNOWN : disk;
    times = times == null ? RequestTimes.UNKNOWN : times;
  }

  /** Of a node whose disks and response times are not known. */
  public NodeGauges(
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
    this(
        memoryUsedBytes,
        heapUsedBytes,
        heapMaxBytes,
        cacheHits,
        cacheMisses,
        cacheUsedBytes,
        cacheMaxBytes,
        memstoreUsedBytes,
        memstoreMaxBytes,
        compactionQueue,
        flushQueue,
        gcMillis,
        own,
        DiskSpace.UNKNOWN,
        RequestTimes.UNKNOWN,
        false);
  }

  /**
   * How large the cache would be under a profile, in bytes: of a cache beside the heap, as large as
   * it is. Negative if the engine does not tell.
   */
  public double cacheBytes(Profile profile) {
    return cacheBesideHeap ? cacheMaxBytes : profile.cacheFraction() * heapMaxBytes;
  }

  /** The same of a node whose cache is not on its heap. */
  public NodeGauges besideHeap() {
    return copy(memoryUsedBytes, own, disk, times, true);
  }

  /** The same with other disks. */
  public NodeGauges with(DiskSpace other) {
    return copy(memoryUsedBytes, own, other, times, cacheBesideHeap);
  }

  /** The same with other response times. */
  public NodeGauges with(RequestTimes other) {
    return copy(memoryUsedBytes, own, disk, other, cacheBesideHeap);
  }

  /** The same with other memory in use; −1 if it is not known. */
  public NodeGauges usingMemory(long bytes) {
    return copy(bytes, own, disk, times, cacheBesideHeap);
  }

  /** The same with one more value for information. */
  public NodeGauges with(String name, double value) {
    Map<String, Double> more = new TreeMap<>(own);
    more.put(name, value);
    return copy(memoryUsedBytes, more, disk, times, cacheBesideHeap);
  }

  private NodeGauges copy(
      long memory,
      Map<String, Double> itsOwn,
      DiskSpace itsDisk,
      RequestTimes itsTimes,
      boolean beside) {
    return new NodeGauges(
        memory,
        heapUsedBytes,
        heapMaxBytes,
        cacheHits,
        cacheMisses,
        cacheUsedBytes,
        cacheMaxBytes,
        memstoreUsedBytes,
        memstoreMaxBytes,
        compactionQueue,
        flushQueue,
        gcMillis,
        itsOwn,
        itsDisk,
        itsTimes,
        beside);
  }
}
