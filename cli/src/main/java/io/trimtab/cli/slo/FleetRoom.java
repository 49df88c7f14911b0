package io.trimtab.cli.slo;

import io.trimtab.controller.guard.MachineMap;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.models.capacity.MachineBudget;
import io.trimtab.models.capacity.MachineBudget.Machine;
import io.trimtab.models.capacity.MachineBudget.Size;
import io.trimtab.runtime.journal.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the nodes of a fleet's clusters leave of the machines that they share. The same nodes count
 * as in the fleet's plans: also those that the file does not list, as an autopilot has added them,
 * and none that its cluster does not list any more.
 *
 * @param map which nodes are on which machines, as the file has it
 * @param seen the clusters that answer, by name
 * @param agreements of each cluster, by its name
 * @param lately what was told of an agreement lately, by its name
 */
record FleetRoom(
    MachineMap map,
    Map<String, ClusterSnapshot> seen,
    Map<String, List<String>> agreements,
    Function<String, Optional<Entry.AgreementSeen>> lately) {

  /** The machines, with what their nodes will use if all clients come that were agreed. */
  MachineBudget budget() {
    return new MachineBudget(
        map.machines().stream()
            .map(machine -> new Machine(machine.name(), machine.has(), nodes(machine)))
            .toList());
  }

  private List<Size> nodes(MachineMap.Machine machine) {
    List<Size> sizes = new ArrayList<>();
    for (MachineMap.Listed listed : machine.nodes()) {
      if (mayBeThere(listed.cluster(), listed.node())) {
        sizes.add(predicted(listed.cluster(), listed.node(), listed.size()));
      }
    }
    seen.forEach(
        (cluster, snapshot) ->
            snapshot.nodes().stream()
                .map(NodeState::id)
                .filter(node -> !machine.lists(cluster, node))
                .filter(node -> map.machineOf(cluster, node).filter(machine::equals).isPresent())
                .forEach(
                    node -> sizes.add(predicted(cluster, node, map.size(cluster, node, machine)))));
    return sizes;
  }

  /** One that has left uses nothing; one that is only not seen may be there. */
  private boolean mayBeThere(String cluster, NodeId node) {
    return Optional.ofNullable(seen.get(cluster))
        .filter(snapshot -> snapshot.clusterGaps().isEmpty())
        .map(snapshot -> snapshot.node(node).isPresent())
        .orElse(true);
  }

  private Size predicted(String cluster, NodeId node, Size whole) {
    double used =
        Optional.ofNullable(seen.get(cluster))
            .flatMap(snapshot -> snapshot.node(node))
            .map(NodeState::usage)
            .map(FleetRoom::cores)
            .orElse(Double.NaN);
    List<Entry.AgreementSeen> told =
        agreements.getOrDefault(cluster, List.of()).stream()
            .flatMap(name -> lately.apply(name).stream())
            .filter(agreement -> agreement.clients() > 0)
            .toList();
    // Without news a node counts as used to its limit: all clients of one may still be to come. Of
    // several agreements, that of which the most are.
    return told.size() < agreements.getOrDefault(cluster, List.of()).size()
        ? whole
        : told.stream()
            .max(Comparator.comparingDouble(a -> (double) a.agreed() / a.clients()))
            .map(most -> whole.predicted(used, most.clients(), most.agreed()))
            .orElse(whole);
  }

  private static double cores(NodeUsage usage) {
    return usage.cpu() * usage.limits().cores();
  }
}
