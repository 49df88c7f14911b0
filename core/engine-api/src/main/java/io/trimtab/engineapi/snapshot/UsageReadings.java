package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last usage reading of each node for one caller. Usage is the difference of two readings, so a
 * caller that needs its own interval keeps an instance and passes it to {@link
 * Engine#snapshot(UsageReadings)}: other callers' snapshots then do not shorten the interval.
 * Thread-safe.
 */
public final class UsageReadings {
  private record Kept(long incarnation, UsageReading reading) {}

  private final Map<NodeId, Kept> last = new ConcurrentHashMap<>();

  /**
   * Stores a reading; called by engines.
   *
   * @return the usage since the node's previous reading; empty for the first reading of a process,
   *     or if the two are not comparable
   */
  public Optional<NodeUsage> next(NodeId node, long incarnation, UsageReading now) {
    return Optional.ofNullable(last.put(node, new Kept(incarnation, now)))
        .filter(before -> before.incarnation() == incarnation)
        .map(before -> now.since(before.reading()))
        .filter(usage -> !usage.equals(NodeUsage.UNKNOWN));
  }

  /** Removes the readings of all other nodes. */
  public void keep(Collection<NodeId> present) {
    last.keySet().retainAll(present);
  }
}
