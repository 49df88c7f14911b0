package io.trimtab.sources.ganglia;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A host as Ganglia tells of it.
 *
 * @param name as it calls itself
 * @param ip its address
 * @param metrics by Ganglia's names
 */
record GangliaHost(String name, String ip, Map<String, Sample> metrics) {

  /**
   * A value.
   *
   * @param age since it was measured (attribute {@code TN})
   */
  record Sample(double value, Duration age) {}

  GangliaHost {
    metrics = Map.copyOf(metrics);
  }

  Optional<Sample> metric(String of) {
    return Optional.ofNullable(metrics.get(of));
  }
}
