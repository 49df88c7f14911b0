package io.trimtab.experiments.latency;

import java.util.List;
import java.util.Map;

/**
 * What one run of LATENCY counted.
 *
 * @param run from 1 on
 * @param day on which it was made, UTC
 * @param machine on which it was made
 * @param rows by component: bins, as the plug-in counts them
 * @param parts bins of the response time, with waiting and service, as the plug-in adds them
 */
record PartsRun(
    String load,
    int run,
    String day,
    String machine,
    Map<String, List<List<Long>>> rows,
    List<List<Long>> parts) {
  /** Adds what it counted of a component. */
  void addTo(ComponentCounts counts, String component) {
    counts.add(rows.get(component));
    if (component.equals(LatencyParts.RESPONSE)) {
      counts.addParts(parts);
    }
  }

  ComponentCounts counts(String component) {
    ComponentCounts counts = new ComponentCounts();
    addTo(counts, component);
    return counts;
  }
}
