package io.trimtab.engineapi.metrics;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a source tells of a node at one time; what it does not tell is absent, and never 0.
 *
 * @param values by metric
 */
public record NodeReadings(Map<Metric, Reading> values) {
  public static final NodeReadings NONE = new NodeReadings(Map.of());

  public NodeReadings {
    values = values.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(values));
  }

  public Optional<Reading> of(Metric metric) {
    return Optional.ofNullable(values.get(metric));
  }

  /** With one more value; the same if it is not finite or out of the metric's range. */
  public NodeReadings with(Metric metric, double value, Instant at) {
    double checked = metric.checked(value);
    if (Double.isNaN(checked)) {
      return this;
    }
    Map<Metric, Reading> more = new EnumMap<>(Metric.class);
    more.putAll(values);
    more.put(metric, new Reading(checked, at));
    return new NodeReadings(more);
  }
}
