package io.trimtab.runtime;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long each dead node has been seen dead without interruption; starts from zero with the
 * controller. Time counts only between two snapshots that both show the node dead and are not too
 * far apart: a replacement can't be taken back, and a node may have been alive while nobody looked.
 */
final class DeadNodes {
  private final double gapMaxS;
  private final SortedMap<NodeId, Duration> dead = new TreeMap<>();
  private Optional<ClusterSnapshot> last = Optional.empty();

  /**
   * @param gapMax the longest time between two snapshots that counts
   */
  DeadNodes(Duration gapMax) {
    this.gapMaxS = gapMax.toNanos() / 1e9;
  }

  void observe(ClusterSnapshot seen) {
    // Not by the wall clock, which may jump.
    double seconds = last.map(seen::secondsSince).orElse(0.0);
    if (!(seconds >= 0 && seconds <= gapMaxS)) {
      dead.clear();
    }
    Duration more = Duration.ofNanos((long) (seconds * 1e9));
    SortedMap<NodeId, Duration> now = new TreeMap<>();
    for (NodeState node : seen.nodes()) {
      if (!node.alive()) {
        Duration before = dead.get(node.id());
        now.put(node.id(), before == null ? Duration.ZERO : before.plus(more));
      }
    }
    dead.clear();
    dead.putAll(now);
    last = Optional.of(seen);
  }

  /** As of the last snapshot. */
  SortedMap<NodeId, Duration> seenDead() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(dead));
  }
}
