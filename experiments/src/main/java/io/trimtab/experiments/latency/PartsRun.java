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
 */
record PartsRun(
    String load, int run, String day, String machine, Map<String, List<List<Long>>> rows) {
  ComponentCounts counts(String component) {
    ComponentCounts counts = new ComponentCounts();
    counts.add(rows.get(component));
    return counts;
  }
}
