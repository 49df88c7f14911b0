package io.trimtab.sources;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.metrics.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A source's readings of some time. Not thread-safe. */
final class ReadingHistory {
  private final Duration length;
  private final Map<NodeId, Map<Metric, Deque<Reading>>> nodes = new HashMap<>();

  /**
   * @param length how far back shares and rates are averaged
   */
  ReadingHistory(Duration length) {
    this.length = length;
  }

  /**
   * Adds readings, and forgets what is too old beside them, and nodes that are gone.
   *
   * @param now by this host's clock, which may have been set back since the last time
   */
  void add(Map<NodeId, NodeReadings> told, Collection<NodeId> present, Instant now) {
    nodes.keySet().retainAll(present);
    told.forEach(
        (node, readings) ->
            readings
                .values()
                .forEach(
                    (metric, reading) ->
                        add(
                            nodes
                                .computeIfAbsent(node, n -> new EnumMap<>(Metric.class))
                                .computeIfAbsent(metric, m -> new ArrayDeque<>()),
                            reading,
                            now)));
  }

  /**
   * The same value told twice is one. One that is still to come is of a clock that was ahead, and
   * would keep away all that is right until then.
   */
  private void add(Deque<Reading> kept, Reading next, Instant now) {
    while (!kept.isEmpty()
        && kept.getLast().at().isAfter(now)
        && kept.getLast().at().isAfter(next.at())) {
      kept.removeLast();
    }
    if (kept.isEmpty() || next.at().isAfter(kept.getLast().at())) {
      kept.addLast(next);
    }
    Instant oldest = kept.getLast().at().minus(length);
    while (kept.getFirst().at().isBefore(oldest)) {
      kept.removeFirst();
    }
  }

  /** By node, the mean of what is averaged and the newest of the rest, as of the newest. */
  Map<NodeId, NodeReadings> means() {
    Map<NodeId, NodeReadings> means = new TreeMap<>();
    nodes.forEach(
        (node, metrics) -> {
          Map<Metric, Reading> values = new EnumMap<>(Metric.class);
          metrics.forEach((metric, kept) -> values.put(metric, mean(metric, kept)));
          means.put(node, new NodeReadings(values));
        });
    return means;
  }

  private static Reading mean(Metric metric, Deque<Reading> kept) {
    Reading newest = kept.getLast();
    return metric.averaged()
        ? new Reading(
            kept.stream().mapToDouble(Reading::value).average().orElseThrow(), newest.at())
        : newest;
  }
}
