package io.trimtab.sources;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.Metric;
import io.trimtab.engineapi.metrics.NodeReadings;
import io.trimtab.engineapi.metrics.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one of the sources in the order tells.
 *
 * @param name {@link MetricsConfig#NATIVE} for what the database and the kernel tell
 * @param nodes readings by node; none of the native one
 * @param failure why it could not be asked last; empty if it could
 */
record Told(String name, Map<NodeId, NodeReadings> nodes, Optional<String> failure) {
  Told {
    nodes = Map.copyOf(nodes);
  }

  static Told ofNative() {
    return new Told(MetricsConfig.NATIVE, Map.of(), Optional.empty());
  }

  boolean isNative() {
    return name.equals(MetricsConfig.NATIVE);
  }

  /** A value that is not stale; empty if there is none. */
  OptionalDouble fresh(NodeId node, Metric metric, Instant now, Duration stale) {
    Optional<Reading> reading = nodes.getOrDefault(node, NodeReadings.NONE).of(metric);
    return reading.isPresent() && age(reading.get(), now).compareTo(stale) < 0
        ? OptionalDouble.of(reading.get().value())
        : OptionalDouble.empty();
  }

  /** A clock that is ahead by minutes is as wrong as a reading that is old by minutes. */
  private static Duration age(Reading reading, Instant now) {
    return Duration.between(reading.at(), now).abs();
  }

  /** Why it does not tell a node's metric, a clause. */
  String lacks(NodeId node, Metric metric, Instant now) {
    if (failure.isPresent()) {
      return failure.get();
    }
    NodeReadings readings = nodes.get(node);
    if (readings == null) {
      return name + " tells nothing of this node";
    }
    return readings
        .of(metric)
        .map(
            reading ->
                "%s's newest %s is %d s old, or the clocks differ by that"
                    .formatted(name, metric.key(), age(reading, now).toSeconds()))
        .orElseGet(() -> name + " does not tell its " + metric.key());
  }
}
