package io.trimtab.controller.choice.layout;

import io.trimtab.controller.observe.Partitions;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Tables that are served much less than before the last plans, and on which full nodes that is. It
 * counts where as much of a table is as on its other nodes: one that is hardly asked for there says
 * nothing of a node.
 */
final class Lacking {
  /** Of the mean over a table's nodes. */
  private static final double CONSIDERABLE = 0.5;

  /** By node that is full, how many times as much was served of the table that lacks most. */
  private final Map<Integer, Double> most = new HashMap<>();

  private final SortedMap<String, Double> tables = new TreeMap<>();

  /**
   * @param lacking tables, each with how many times as much as now it was served
   * @param at by partition, its node; −1 for none
   * @param isFull of a node
   */
  Lacking(SortedMap<String, Double> lacking, Partitions partitions, int[] at, IntPredicate isFull) {
    if (lacking.isEmpty()) {
      return;
    }
    Map<String, Map<Integer, Double>> loads = new TreeMap<>();
    for (int p = 0; p < at.length; p++) {
      String table = partitions.state(p).id().table();
      if (at[p] >= 0 && lacking.containsKey(table)) {
        loads
            .computeIfAbsent(table, t -> new HashMap<>())
            .merge(at[p], partitions.load(p), Double::sum);
      }
    }
    loads.forEach(
        (table, byNode) -> {
          double mean = byNode.values().stream().mapToDouble(l -> l).average().orElse(0);
          byNode.forEach(
              (node, load) -> {
                if (load > 0 && load >= CONSIDERABLE * mean && isFull.test(node)) {
                  most.merge(node, lacking.get(table), Math::max);
                  tables.put(table, lacking.get(table));
                }
              });
        });
  }

  /** How many times as much as is served is asked of a node, ≥ 1. */
  double most(int node) {
    return most.getOrDefault(node, 1.0);
  }

  /** The tables for which that is so, as they were given. */
  SortedMap<String, Double> tables() {
    return tables;
  }
}
