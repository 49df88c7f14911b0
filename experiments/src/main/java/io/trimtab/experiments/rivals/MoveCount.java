package io.trimtab.experiments.rivals;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts partitions that have another node than when they were seen last; of those that came of a
 * split or a merge, than what they came of. Thread-safe.
 */
final class MoveCount {
  /** Where a partition was seen last. */
  private record Seen(NodeId node, KeyRange range, long bytes) {}

  private final Map<PartitionId, Seen> last = new HashMap<>();
  private int moves;
  private long bytes;

  synchronized void look(Collection<PartitionState> now) {
    Map<PartitionId, Seen> gone = new HashMap<>(last);
    now.forEach(partition -> gone.remove(partition.id()));
    for (PartitionState partition : now) {
      partition.node().ifPresent(node -> seen(partition, node, gone));
    }
    forget(gone, now);
  }

  private void seen(PartitionState partition, NodeId node, Map<PartitionId, Seen> gone) {
    Seen before =
        last.put(partition.id(), new Seen(node, partition.range(), partition.sizeBytes()));
    long moved = 0;
    boolean elsewhere;
    if (before != null) {
      elsewhere = !before.node().equals(node);
      moved = partition.sizeBytes();
    } else {
      List<Seen> from =
          gone.entrySet().stream()
              .filter(g -> g.getKey().table().equals(partition.id().table()))
              .map(Map.Entry::getValue)
              .filter(g -> overlap(g.range(), partition.range()) && !g.node().equals(node))
              .toList();
      elsewhere = !from.isEmpty();
      for (Seen old : from) {
        moved += share(partition, old);
      }
    }
    if (elsewhere) {
      moves++;
      bytes += moved;
    }
  }

  /**
   * What a partition has of one that it came of. Until it is compacted, half of a split one has
   * references to whole files, which servers tell as its own size; a merged one has all of each.
   */
  private static long share(PartitionState partition, Seen old) {
    if (contains(partition.range(), old.range())) {
      return old.bytes();
    }
    return partition.sizeBytes() < old.bytes() ? partition.sizeBytes() : old.bytes() / 2;
  }

  private static boolean contains(KeyRange all, KeyRange part) {
    return all.start().compareTo(part.start()) <= 0
        && (all.end().isEmpty() || (!part.end().isEmpty() && part.end().compareTo(all.end()) <= 0));
  }

  /** What is gone is known until all of it is served by others. */
  private void forget(Map<PartitionId, Seen> gone, Collection<PartitionState> now) {
    gone.forEach(
        (id, old) -> {
          List<PartitionState> there =
              now.stream()
                  .filter(p -> p.id().table().equals(id.table()) && overlap(p.range(), old.range()))
                  .toList();
          if (!there.isEmpty() && there.stream().allMatch(p -> p.node().isPresent())) {
            last.remove(id);
          }
        });
  }

  private static boolean overlap(KeyRange one, KeyRange other) {
    return begins(one, other) && begins(other, one);
  }

  /** Whether a range begins before another one ends. */
  private static boolean begins(KeyRange range, KeyRange end) {
    return end.end().isEmpty() || range.start().compareTo(end.end()) < 0;
  }

  /** So far. */
  synchronized int moves() {
    return moves;
  }

  synchronized long bytes() {
    return bytes;
  }
}
