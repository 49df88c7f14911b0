package io.trimtab.experiments.cost;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.testbed.Console;
import java.util.List;

/** Where tokens decide who has which data. */
final class RingResize extends ResizeRun {
  RingResize(ResizeVariant variant, Console console, ExperimentReport report) {
    super(variant, console, report);
  }

  @Override
  void grow(Lab lab, Engine engine) throws Exception {
    NodeId added = start(lab);
    phase("add: it joins, and data move", () -> engine.awaitNode(added, 0, LIMIT));
    List<NodeId> old =
        engine.snapshot().nodes().stream()
            .map(NodeState::id)
            .filter(n -> !n.equals(added))
            .toList();
    phase(
        "add: the old nodes clean up",
        () -> {
          for (NodeId node : old) {
            engine.cleanup(node, LIMIT);
          }
        });
  }

  @Override
  void shrink(Lab lab, Engine engine) throws Exception {
    NodeId leaving = last(engine);
    phase("remove: data move to the others", () -> engine.vacate(leaving, LIMIT));
    stop(lab, leaving);
  }
}
