package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestartsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");

  private static NodeState draining(NodeId id) {
    NodeState node = RandomCluster.node(id, Profile.WRITE, false);
    return new NodeState(id, 1, true, true, node.profile(), false, node.usage(), node.gauges());
  }

  private static Guard.Verdict restartOfA(NodeState... nodes) {
    PartitionState partition =
        new PartitionState(
            new PartitionId("t", "p"),
            Optional.of(A),
            PartitionCounters.ZERO,
            1 << 20,
            1,
            65536,
            KeyRange.ALL);
    ClusterSnapshot seen = RandomCluster.snapshot(List.of(nodes), List.of(partition));
    Action restart =
        new Action.Reconfigure(A, Profile.WRITE, Profile.READ, Action.ApplyMode.RESTART);
    Plan plan =
        new Plan(
            "p",
            "test",
            NOW,
            "met",
            "s",
            1,
            List.of(new PlannedAction(1, restart, "r", "e", "c", "u")));
    return Guard.check(
        plan, seen, Optional.empty(), Optional.of(NodeCapacity.of(10)), Settings.defaults(), NOW);
  }

  /** The partitions of a node that restarts are moved away first. */
  @Test
  void itsPartitionsNeedANodeThatTakesThem() {
    NodeState a = RandomCluster.node(A, Profile.WRITE, false);

    assertThat(restartOfA(a, RandomCluster.node(B, Profile.WRITE, false)))
        .isInstanceOf(Guard.Verdict.Pass.class);
    String nowhere =
        "the plan restarts a node whose partitions would have nowhere to go:"
            + " no other node takes any";
    assertThat(restartOfA(a)).isEqualTo(new Guard.Verdict.Refuse(nowhere, "place.way"));
    assertThat(restartOfA(a, draining(B)))
        .isEqualTo(new Guard.Verdict.Refuse(nowhere, "place.way"));
  }
}
