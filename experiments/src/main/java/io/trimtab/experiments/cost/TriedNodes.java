package io.trimtab.experiments.cost;

import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.Provisioner.Choice;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import java.util.List;

/**
 * What a measured table says of one workload, and what clusters of every size then did.
 *
 * @param tried those clusters, the smallest first
 */
record TriedNodes(String workload, List<Cell> table, List<Cell> tried) {
  static final String NODE_TYPE = "small";
  static final int NODES_TO = 4;
  static final int ASKED = 384;

  /**
   * Fixed before anything is measured. Those that lay half-way between what the table has for two
   * sizes would be met by the size that it chooses whatever the table was worth.
   */
  static final List<Integer> OBJECTIVES_MS = List.of(120, 160, 220, 300);

  /**
   * What an objective came to.
   *
   * @param nodes that were chosen by the table; 0 if it has no number that is enough
   * @param smallest number of those tried that met the objective; 0 if none did
   */
  record Chosen(int objectiveMs, int nodes, int smallest) {
    boolean right() {
      return nodes == smallest;
    }
  }

  List<Chosen> chosen() {
    return OBJECTIVES_MS.stream()
        .map(ms -> new Chosen(ms, nodes(workload, table, ms), smallest(ms)))
        .toList();
  }

  /** By the table; 0 if it has no number that is enough. */
  static int nodes(String workload, List<Cell> table, int objectiveMs) {
    Objective objective =
        new Objective(workload, ASKED, objectiveMs, Double.NaN, Double.NaN, Double.NaN, NODES_TO);
    return Provisioner.fewest(new ProvisioningTable(table), objective, NODE_TYPE, NODES_TO)
        .map(Choice::nodes)
        .orElse(0);
  }

  private int smallest(int objectiveMs) {
    return tried.stream()
        .filter(cell -> cell.responseTimeMs() <= objectiveMs)
        .mapToInt(Cell::nodes)
        .min()
        .orElse(0);
  }

  ServiceEstimate predicted(int nodes) {
    return new ProvisioningTable(table).at(workload, NODE_TYPE, ASKED, nodes);
  }
}
