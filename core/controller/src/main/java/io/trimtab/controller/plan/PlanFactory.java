package io.trimtab.controller.plan;

import io.trimtab.controller.place.Gain;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.List;

/**
 * Makes plans from a policy's target state or actions.
 *
 * @param policy its name, which plans bear
 */
public record PlanFactory(String policy) {

  /** Of actions in their order. */
  public Decision.Act plan(
      ClusterSnapshot snapshot,
      List<PlannedAction> actions,
      String summary,
      double gain,
      PolicyState next) {
    return new Decision.Act(
        new Plan(
            policy + "-" + snapshot.takenAt().toEpochMilli(),
            snapshot.clusterId(),
            snapshot.takenAt(),
            policy,
            summary,
            gain,
            actions),
        next);
  }

  /**
   * A step that rewrites a partition's files where it is, since they are on other nodes.
   *
   * @param below locality below which it is done, in [0, 1]
   */
  public static PlannedAction compaction(int step, PartitionState partition, double below) {
    return new PlannedAction(
        step,
        new Action.Compact(partition.id(), below),
        new CompactTexts(CompactTexts.Why.FAR, below, partition.sizeBytes()));
  }

  /**
   * A step that changes the size of the blocks in a table's new files.
   *
   * @param main class that most of its requests are of
   */
  public static PlannedAction blockSize(int step, PartitionState of, AccessClass main, int bytes) {
    int now = of.blockSizeBytes();
    return new PlannedAction(
        step,
        new Action.SetBlockSize(of.id().table(), now, bytes),
        new BlockSizeTexts(main, now, bytes));
  }

  /** A compaction that gives a partition's files the block size of its table, wherever they are. */
  public static PlannedAction resizing(int step, PartitionState partition) {
    double below = Action.Compact.ALWAYS;
    return new PlannedAction(
        step,
        new Action.Compact(partition.id(), below),
        new CompactTexts(CompactTexts.Why.RESIZED, below, partition.sizeBytes()));
  }

  /** Of the cluster that is to be; doing nothing where it is as it is to be. */
  public Decision toward(
      PlacementInput in,
      TargetState target,
      List<NodeId> leaving,
      String summary,
      PolicyState next) {
    List<PlannedAction> actions = new PlanBuilder(target, leaving).build();
    if (actions.isEmpty()) {
      return new Decision.Hold("nothing to change: " + summary, "place.tolerance", next);
    }
    boolean resizes =
        actions.stream()
            .anyMatch(
                a ->
                    a.action().as(Action.AddNode.class).isPresent()
                        || a.action().as(Action.RemoveNode.class).isPresent());
    // Adding and removing nodes pays in nodes, which is not what the gain measures.
    return plan(in.snapshot(), actions, summary, resizes ? 1 : Gain.of(in, target), next);
  }
}
