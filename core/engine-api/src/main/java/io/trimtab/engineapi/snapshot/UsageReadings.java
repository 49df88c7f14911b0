package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last reading of each node's usage that one caller has seen. Usage is a difference of two
 * readings, so whoever wants it over an interval of its own keeps one of these and gives it to
 * {@link Engine#snapshot(UsageReadings)}: then nobody else's snapshots shorten the interval.
 * Thread-safe.
 */
public final class UsageReadings {
  private record Kept(long incarnation, UsageReading reading) {}

  private final Map<NodeId, Kept> last = new ConcurrentHashMap<>();

  /**
   * Keeps a reading; for engines.
   *
   * @return the usage since the node's previous one; empty for the first of a process, or where the
   *     two are not of one series
   */
  public Optional<NodeUsage> next(NodeId node, long incarnation, UsageReading now) {
    return Optional.ofNullable(last.put(node, new Kept(incarnation, now)))
        .filter(before -> before.incarnation() == incarnation)
        .map(before -> now.since(before.reading()))
        .filter(usage -> !usage.equals(NodeUsage.UNKNOWN));
  }

  /** Forgets nodes that are gone. */
  public void keep(Collection<NodeId> present) {
    last.keySet().retainAll(present);
  }
}
