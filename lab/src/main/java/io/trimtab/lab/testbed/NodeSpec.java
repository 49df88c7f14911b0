package io.trimtab.lab.testbed;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Profile;

/**
 * An isolated node that is measured.
 *
 * @param heap of the database's process
 * @param cores CPU quota, cores
 * @param memory limit of the node, page cache included
 * @param pageCache that it keeps beside what its processes hold
 * @param readIops disk reads a second that it may do; 0 = any number
 * @param cache size of its block cache or row cache, as a share of the heap
 * @param besideHeap whether that cache is outside of the heap, as Cassandra's is
 */
public record NodeSpec(
    Bytes heap,
    double cores,
    Bytes memory,
    Bytes pageCache,
    int readIops,
    double cache,
    boolean besideHeap) {

  /** Cores to which one measured load's threads and rates are enough; more cores get more. */
  private static final double CORES = 1.5;

  private static final double MEMSTORE_MIN = 0.10;

  /** The size of its cache. */
  public Bytes cacheSize() {
    return new Bytes((long) (cache * heap.value()));
  }

  /** The profile READ, or one that shares the same part of the heap out in another way. */
  Profile profile() {
    Profile read = Profile.READ;
    double shared = read.cacheFraction() + read.memstoreFraction();
    return cache == read.cacheFraction()
        ? read
        : new Profile(
            "CUSTOM", cache, Math.max(MEMSTORE_MIN, shared - cache), read.blockSizeBytes());
  }

  /** By how much more it is asked for than a small node, ≥ 1. */
  public static double scale(double cores) {
    return Math.max(1, cores / CORES);
  }

  /** Another heap and cache; the memory limit grows or shrinks by as much. */
  public NodeSpec with(Bytes otherHeap, double otherCache) {
    NodeSpec other =
        new NodeSpec(otherHeap, cores, memory, pageCache, readIops, otherCache, besideHeap);
    long limit = memory.value() - held() + other.held();
    return other.with(new Bytes(limit));
  }

  /** Another memory limit. */
  public NodeSpec with(Bytes otherMemory) {
    return new NodeSpec(heap, cores, otherMemory, pageCache, readIops, cache, besideHeap);
  }

  /** Other limits of CPU and disk. */
  public NodeSpec with(double otherCores, int otherIops) {
    return new NodeSpec(heap, otherCores, memory, pageCache, otherIops, cache, besideHeap);
  }

  /** What its heap and its cache take at most, in bytes. */
  public long held() {
    return heap.value() + (besideHeap ? cacheSize().value() : 0);
  }
}
