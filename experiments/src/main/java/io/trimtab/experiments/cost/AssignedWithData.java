package io.trimtab.experiments.cost;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.Console;
import java.util.List;

/** Where partitions are assigned, and are rewritten where they have moved to. */
final class AssignedWithData extends AssignedResize {
  AssignedWithData(ResizeVariant variant, Console console, ExperimentReport report) {
    super(variant, console, report);
  }

  @Override
  void follow(Engine engine, List<PartitionId> moved, String phase) throws Exception {
    phase(
        phase,
        () -> {
          for (PartitionId id : moved) {
            engine.compact(id, LIMIT);
          }
        });
  }
}
