package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.ReadTime;
import io.trimtab.engineapi.snapshot.ReplicaView;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What coordinators had counted at one moment. Those that always read their own copy are left out:
 * what they leave for others depends on where the copies lie. Of nodes that could not be read it is
 * what they had counted when they last were.
 *
 * @param read when each live node was read
 * @param incarnations of these nodes
 * @param counts by coordinator and replica
 */
record ReadCounts(
    ReadTime at,
    Map<NodeId, ReadTime> read,
    Map<NodeId, Long> incarnations,
    Map<NodeId, Map<NodeId, Counted>> counts) {

  /**
   * Reads for which a replica was a candidate, and those of them for which it came first.
   *
   * @param candidate ≥ 0
   * @param first ≥ 0
   */
  record Counted(long candidate, long first) {
    static final Counted NONE = new Counted(0, 0);

    Counted plus(Counted other) {
      return new Counted(candidate + other.candidate, first + other.first);
    }

    Counted minus(Counted other) {
      return new Counted(candidate - other.candidate, first - other.first);
    }

    /** Empty if a counter went down, so that a new series has begun. */
    Optional<Counted> since(Counted earlier) {
      return candidate < earlier.candidate || first < earlier.first
          ? Optional.empty()
          : Optional.of(minus(earlier));
    }

    double share() {
      return (double) first / candidate;
    }
  }

  /**
   * @param earlier of the look before, if there was one
   * @param unreadMaxS seconds after which nothing is known any more of a node that can't be read
   */
  static ReadCounts of(ClusterSnapshot seen, Optional<ReadCounts> earlier, double unreadMaxS) {
    ReadTime now = seen.readTime();
    Map<NodeId, ReadTime> read = new TreeMap<>();
    Map<NodeId, Long> incarnations = new TreeMap<>();
    Map<NodeId, Map<NodeId, Counted>> counts = new TreeMap<>();
    for (NodeState node : seen.liveNodes()) {
      NodeId id = node.id();
      if (node.readable()) {
        read.put(id, now);
        incarnations.put(id, node.incarnation());
        node.view()
            .filter(view -> !view.ownFirst())
            .ifPresent(view -> counts.put(id, counted(view)));
        continue;
      }
      earlier
          .filter(then -> then.read.containsKey(id))
          .filter(then -> now.secondsSince(then.read.get(id)) <= unreadMaxS)
          .ifPresent(
              then -> {
                read.put(id, then.read.get(id));
                incarnations.put(id, then.incarnations.get(id));
                Optional.ofNullable(then.counts.get(id)).ifPresent(its -> counts.put(id, its));
              });
    }
    return new ReadCounts(
        now,
        Collections.unmodifiableMap(read),
        Collections.unmodifiableMap(incarnations),
        Collections.unmodifiableMap(counts));
  }

  private static Map<NodeId, Counted> counted(CoordinatorView view) {
    Map<NodeId, Counted> counted = new HashMap<>();
    for (ReplicaView replica : view.replicas()) {
      if (replica.candidate().isPresent() && replica.first().isPresent()) {
        counted.put(
            replica.replica(),
            new Counted(replica.candidate().getAsLong(), replica.first().getAsLong()));
      }
    }
    return Collections.unmodifiableMap(counted);
  }

  /** Whether a node runs, and did then, without a restart between. */
  boolean ranThrough(NodeId node, ReadCounts earlier) {
    Long now = incarnations.get(node);
    return now != null && now.equals(earlier.incarnations.get(node));
  }

  /** What has been counted since, by coordinator and replica. */
  Map<NodeId, Map<NodeId, Counted>> since(ReadCounts earlier) {
    Map<NodeId, Map<NodeId, Counted>> all = new HashMap<>();
    counts.forEach(
        (coordinator, its) -> {
          Map<NodeId, Counted> before = earlier.counts.get(coordinator);
          if (before == null || !ranThrough(coordinator, earlier)) {
            return;
          }
          Map<NodeId, Counted> differences = new HashMap<>();
          its.forEach(
              (replica, counted) ->
                  Optional.ofNullable(before.get(replica))
                      .flatMap(counted::since)
                      .ifPresent(difference -> differences.put(replica, difference)));
          all.put(coordinator, differences);
        });
    return all;
  }
}
