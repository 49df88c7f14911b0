package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.NodeId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sampled requests of a ring, by token.
 *
 * @param owners every token of the ring and its node; a token's range begins after the previous
 *     token, and the first one's after the last
 * @param counts sampled requests by token, reads and writes together, as served by the replicas
 * @param gap why the sample is not usable, a sentence; empty if it is. Owners may be known all the
 *     same
 */
public record RingRequests(
    SortedMap<Long, NodeId> owners, SortedMap<Long, Long> counts, String gap) {

  public RingRequests {
    owners = Collections.unmodifiableSortedMap(new TreeMap<>(owners));
    counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
  }

  /** No usable sample, with the reason. */
  public static RingRequests unknown(String gap) {
    return new RingRequests(new TreeMap<>(), new TreeMap<>(), gap);
  }

  /** Number of sampled requests. */
  public long total() {
    return counts.values().stream().mapToLong(n -> n).sum();
  }
}
