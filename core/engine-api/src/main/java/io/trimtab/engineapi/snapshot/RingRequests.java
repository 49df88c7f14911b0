package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.NodeId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which tokens of a ring are asked for, as sampled.
 *
 * @param owners every token of the ring and the node that has it; its range begins after the token
 *     before, and the first one's after the last
 * @param counts requests at a token, reads and writes alike, as the replicas served them
 * @param gap why this can't be relied on, a sentence; empty where it can
 */
public record RingRequests(
    SortedMap<Long, NodeId> owners, SortedMap<Long, Long> counts, String gap) {

  public RingRequests {
    owners = Collections.unmodifiableSortedMap(new TreeMap<>(owners));
    counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
  }

  /** Nothing is known, and why. */
  public static RingRequests unknown(String gap) {
    return new RingRequests(new TreeMap<>(), new TreeMap<>(), gap);
  }

  /** All that were seen. */
  public long total() {
    return counts.values().stream().mapToLong(n -> n).sum();
  }
}
