package io.trimtab.experiments.cost;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.testbed.Console;
import java.util.ArrayList;
import java.util.List;

/** Where partitions are assigned to nodes, and their data stay where they are. */
class AssignedResize extends ResizeRun {
  AssignedResize(ResizeVariant variant, Console console, ExperimentReport report) {
    super(variant, console, report);
  }

  /** What becomes of the data of partitions that have moved: nothing, they stay where they are. */
  void follow(Engine engine, List<PartitionId> moved, String phase) throws Exception {}

  @Override
  final void grow(Lab lab, Engine engine) throws Exception {
    NodeId added = start(lab);
    phase("add: it joins", () -> engine.awaitNode(added, 0, LIMIT));
    List<PartitionId> moving = share(engine);
    phase(
        "add: partitions are reassigned",
        () -> {
          for (PartitionId id : moving) {
            engine.move(id, added, LIMIT);
          }
        });
    follow(engine, moving, "add: data move");
  }

  /** A part of each node's partitions, as many as the new node should have. */
  private static List<PartitionId> share(Engine engine) throws EngineException {
    List<PartitionState> all = engine.snapshot().partitions();
    List<PartitionId> moving = new ArrayList<>();
    for (int i = 0; i < all.size(); i += ResizeVariant.NODES + 1) {
      moving.add(all.get(i).id());
    }
    return moving;
  }

  @Override
  final void shrink(Lab lab, Engine engine) throws Exception {
    NodeId leaving = last(engine);
    List<NodeState> nodes = engine.snapshot().liveNodes();
    List<PartitionId> moving =
        engine.snapshot().partitions().stream()
            .filter(p -> p.node().filter(leaving::equals).isPresent())
            .map(PartitionState::id)
            .toList();
    phase(
        "remove: partitions are reassigned",
        () -> {
          engine.setDraining(leaving, true);
          int next = 0;
          for (PartitionId id : moving) {
            engine.move(id, nodes.get(next++ % (nodes.size() - 1)).id(), LIMIT);
          }
          engine.vacate(leaving, LIMIT);
        });
    follow(engine, moving, "remove: data move to the others");
    stop(lab, leaving);
  }
}
