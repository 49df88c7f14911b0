package io.trimtab.testkit.cluster;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster has done since it began.
 *
 * @param nodeSeconds for which nodes were up, all together
 * @param overloadedSeconds of these in which a node was asked for more than it can do
 * @param served share of the requests that was served, by table, in [0, 1]; 1 without requests
 * @param operations that clients which wait for answers have had done, by table; 0 of others
 */
public record ServedTotals(
    double nodeSeconds,
    double overloadedSeconds,
    Map<String, Double> served,
    Map<String, Double> operations) {

  /** With the state's monitor held. */
  static ServedTotals of(ClusterState state) {
    Map<String, Double> served = new TreeMap<>();
    Map<String, Double> operations = new TreeMap<>();
    for (TableModel table : state.tables.values()) {
      double share = table.wanted > 0 ? table.served / table.wanted : 1;
      served.put(table.spec.name(), Math.min(1, share));
      operations.put(table.spec.name(), table.operations);
    }
    return new ServedTotals(state.upSeconds, state.overloadedSeconds, served, operations);
  }
}
