package io.trimtab.sources.ganglia;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A host as Ganglia tells of it.
 *
 * @param name as it calls itself
 * @param ip its address
 * @param silent since it was heard of last, by any metric or its heartbeat
 * @param alive whether Ganglia itself takes it for one that is up
 * @param metrics values that are in force, by Ganglia's names
 */
record GangliaHost(
    String name, String ip, Duration silent, boolean alive, Map<String, Double> metrics) {

  GangliaHost {
    metrics = Map.copyOf(metrics);
  }

  OptionalDouble metric(String of) {
    Double value = metrics.get(of);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
