package io.trimtab.cassandra;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Profiles on Cassandra (decision 0018). The cache's share of the heap is the size of the row
 * cache, which lies outside of the heap; the memstore's share is {@code memtable_heap_space}, which
 * changes by restart only. Readers and writers share the node's threads in the proportion of the
 * two.
 */
final class NodeProfile {
  static final String CACHES = "org.apache.cassandra.db:type=Caches";

  /** With less than this of either a node would starve the other. */
  private static final int THREADS_MIN = 2;

  static final long MEBIBYTE = 1 << 20;

  /**
   * So near to a standard profile it is that one: a node is configured by the heap that it is
   * started with, of which the JVM tells a few hundredths less, what its collector keeps free.
   */
  private static final double MEANT = 0.02;

  private NodeProfile() {}

  /** As measured; empty where the row cache is off, since it can't be given a size then. */
  static Optional<Profile> of(NodeGauges gauges) {
    double heap = gauges.heapMaxBytes();
    double cache = gauges.cacheMaxBytes() / heap;
    // Until its next start a node may have the cache of one profile and the memtables of another,
    // together more than profiles have: here the cache is not of the heap, and may.
    double memstore = Math.min(gauges.memstoreMaxBytes() / heap, Profile.FRACTIONS_MAX - cache);
    boolean valid = cache > 0 && memstore > 0;
    if (!valid) {
      return Optional.empty();
    }
    Profile measured = new Profile("CUSTOM", cache, memstore, Profile.HOMOGENEOUS.blockSizeBytes());
    return Optional.of(
        Profile.STANDARD.stream().filter(p -> meant(measured, p)).findFirst().orElse(measured));
  }

  private static boolean meant(Profile measured, Profile standard) {
    return Math.abs(measured.cacheFraction() - standard.cacheFraction()) < MEANT
        && Math.abs(measured.memstoreFraction() - standard.memstoreFraction()) < MEANT;
  }

  /** Sets what can be set while the node runs, and reads it back. */
  static void apply(JmxPool jmx, Threads threads, NodeId node, Profile profile, InCharge control)
      throws EngineException {
    try {
      jmx.ask(
          node,
          j -> {
            apply(j, profile, threads.of(node, j), control);
            threads.parted(node);
            return true;
          });
    } catch (IOException e) {
      throw new EngineException(
          "node " + node + " can't be made " + profile.name() + ": " + CassandraErrors.line(e), e);
    }
  }

  /**
   * The same by a connection.
   *
   * @param threads that readers and writers share
   */
  static void apply(NodeJmx jmx, Profile profile, int threads, InCharge control)
      throws IOException, LostControlException {
    if (capacity(jmx) <= 0) {
      throw new IOException("its row cache is off (row_cache_size), which only a restart changes");
    }
    long heap = CassandraNodeReader.heapMax(jmx);
    long target = Math.max(1, (long) (profile.cacheFraction() * heap / MEBIBYTE));
    mustFit(jmx, heap, target * MEBIBYTE);
    control.require();
    jmx.set(CACHES, "RowCacheCapacityInMB", target);
    StorageService service = new StorageService(jmx);
    int toRead = readers(profile, threads);
    Map<String, Integer> wanted =
        Map.of(Threads.READERS, toRead, Threads.WRITERS, threads - toRead);
    // What gets fewer first, so that a node never has more than its own.
    boolean fewerRead = toRead < service.threads(Threads.READERS);
    for (String stage :
        fewerRead
            ? List.of(Threads.READERS, Threads.WRITERS)
            : List.of(Threads.WRITERS, Threads.READERS)) {
      control.require();
      service.setThreads(stage, wanted.get(stage));
    }
    verify(jmx, target, wanted);
  }

  private static void verify(NodeJmx jmx, long cacheMebibytes, Map<String, Integer> threads)
      throws IOException {
    long now = capacity(jmx);
    if (now != cacheMebibytes * MEBIBYTE) {
      throw new IOException(
          "its row cache holds %d MiB and not %d".formatted(now / MEBIBYTE, cacheMebibytes));
    }
    StorageService service = new StorageService(jmx);
    for (Map.Entry<String, Integer> stage : threads.entrySet()) {
      int has = service.threads(stage.getKey());
      if (has != stage.getValue()) {
        throw new IOException(
            "%d threads are in its %s and not %d".formatted(has, stage.getKey(), stage.getValue()));
      }
    }
  }

  /** The cache fills up only later, and the node would be killed then. */
  private static void mustFit(NodeJmx jmx, long heapBytes, long cacheBytes) throws IOException {
    long cached = Math.max(0, jmx.number(CassandraNodeReader.ROW_CACHE + "Size", "Value"));
    long free = CassandraNodeReader.freeMemory(jmx, heapBytes, cached);
    long wanted = cacheBytes - cached;
    boolean larger = cacheBytes > capacity(jmx);
    if (larger && free >= 0 && wanted > free) {
      throw new IOException(
          // Rounded so that what does not fit never reads as if it did.
          "its row cache could grow by %d MiB, and %d MiB of memory are free"
              .formatted((wanted + MEBIBYTE - 1) / MEBIBYTE, free / MEBIBYTE));
    }
  }

  /** The profile for a number of threads. */
  static int readers(Profile profile, int threads) {
    double share = profile.cacheFraction() / (profile.cacheFraction() + profile.memstoreFraction());
    int readers = (int) Math.round(share * threads);
    return Math.max(THREADS_MIN, Math.min(threads - THREADS_MIN, readers));
  }

  private static long capacity(NodeJmx jmx) throws IOException {
    return jmx.number(CassandraNodeReader.ROW_CACHE + "Capacity", "Value");
  }

  /**
   * How many threads nodes have for requests, which readers and writers share. A change that failed
   * half-way leaves another sum; until one succeeds, or the node is restarted, the sum of before is
   * what is parted. Thread-safe.
   */
  static final class Threads {
    static final String READERS = "ReadStage";
    static final String WRITERS = "MutationStage";

    private final Map<NodeId, Found> found = new ConcurrentHashMap<>();

    private record Found(long started, int threads) {}

    /** Readers and writers together; remembered until {@link #parted}. */
    int of(NodeId node, NodeJmx jmx) throws IOException {
      long started = jmx.number(CassandraNodeReader.RUNTIME, "StartTime");
      Found known = found.get(node);
      if (known != null && known.started == started) {
        return known.threads;
      }
      StorageService service = new StorageService(jmx);
      int threads = service.threads(READERS) + service.threads(WRITERS);
      found.put(node, new Found(started, threads));
      return threads;
    }

    /** A change has succeeded: the node has as many as before. */
    void parted(NodeId node) {
      found.remove(node);
    }
  }
}
