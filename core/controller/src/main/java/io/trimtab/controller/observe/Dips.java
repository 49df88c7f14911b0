package io.trimtab.controller.observe;

import io.trimtab.engineapi.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far each table's requests fall by themselves: requests between two samples divided by the
 * smoothed ones before, over the last samples. What is no lower than that is no effect of a plan.
 * An immutable value.
 *
 * @param shares by table, one map for each pair of samples, the oldest first
 */
public record Dips(List<Map<String, Double>> shares) {
  /** Enough for a steady load's noise, few enough to forget the load of an hour ago. */
  private static final int SAMPLES_MAX = 24;

  /** Of a table whose requests come in bursts; otherwise a plan would never slow down for it. */
  private static final double LEAST = 0.5;

  public static final Dips NONE = new Dips(List.of());

  /**
   * With one more sample.
   *
   * @param fresh rates between the last two samples
   * @param smoothed rates of before
   */
  Dips append(Map<PartitionId, Rates> fresh, Map<PartitionId, Rates> smoothed) {
    Map<String, Double> is = new TreeMap<>();
    Map<String, Double> was = new TreeMap<>();
    fresh.forEach(
        (id, rates) -> {
          Rates old = smoothed.get(id);
          if (old != null) {
            is.merge(id.table(), rates.total(), Double::sum);
            was.merge(id.table(), old.total(), Double::sum);
          }
        });
    Map<String, Double> now = new TreeMap<>();
    was.forEach((table, before) -> now.put(table, before > 0 ? is.get(table) / before : 1.0));
    if (now.isEmpty()) {
      return this;
    }
    List<Map<String, Double>> all = new ArrayList<>(shares);
    all.add(now);
    return new Dips(List.copyOf(all.subList(Math.max(0, all.size() - SAMPLES_MAX), all.size())));
  }

  /** The least share of each table, in [0.5, 1]. */
  public Map<String, Double> least() {
    Map<String, Double> least = new TreeMap<>();
    for (Map<String, Double> share : shares) {
      share.forEach((table, s) -> least.merge(table, Math.min(1, Math.max(LEAST, s)), Math::min));
    }
    return least;
  }
}
