package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An action that streams or rewrites data has the time for them. */
class ActionLimitsTest {
  private static final NodeId SMALL = new NodeId("small:1");
  private static final NodeId LARGE = new NodeId("large:1");
  private static final NodeId DEAD = new NodeId("dead:1");
  private static final Duration PLAIN = Duration.ofMinutes(1);

  /** A MiB per second. */
  private static final GuardSettings GUARD =
      GuardSettings.builder().actionLimit(PLAIN).minMiBPerSecond(1).build();

  private static PartitionState stored(NodeId node, String table, long bytes) {
    return new PartitionState(
        new PartitionId(table, node.name()),
        Optional.of(node),
        PartitionCounters.ZERO,
        bytes,
        1,
        16384,
        KeyRange.ALL);
  }

  private static ActionLimits limits(Ownership ownership) {
    ClusterSnapshot s = new RandomCluster(1, 3, 0).snapshot;
    List<PartitionState> stored =
        List.of(
            stored(LARGE, "t", 300L << 20),
            stored(LARGE, "u", 200L << 20),
            stored(SMALL, "t", 10L << 20));
    return new ActionLimits(
        GUARD,
        new ClusterSnapshot(
            s.takenAt(),
            s.clusterId(),
            s.engine(),
            ownership,
            s.version(),
            1,
            s.nodes(),
            stored,
            0,
            List.of(),
            s.balancer(),
            List.of()));
  }

  private static Duration plus(int seconds) {
    return PLAIN.plusSeconds(seconds);
  }

  @Test
  void aNodeOfARingHasTheTimeForWhatItStores() {
    ActionLimits ring = limits(Ownership.TOKENS);
    assertThat(ring.of(new Action.Cleanup(SMALL))).isEqualTo(plus(10));
    assertThat(ring.of(new Action.Cleanup(LARGE))).isEqualTo(plus(500));
    assertThat(ring.of(new Action.RemoveNode(SMALL))).isEqualTo(plus(10));
  }

  @Test
  void aNodeWhoseDataAreNotKnownHasTheTimeOfTheFullest() {
    ActionLimits ring = limits(Ownership.TOKENS);
    assertThat(ring.of(new Action.AddNode(1, Profile.HOMOGENEOUS))).isEqualTo(plus(500));
    assertThat(ring.of(new Action.ReplaceNode(1, DEAD, Profile.HOMOGENEOUS))).isEqualTo(plus(500));
  }

  @Test
  void aCompactionHasTheTimeForItsPartition() {
    for (Ownership ownership : Ownership.values()) {
      ActionLimits limits = limits(ownership);
      PartitionId large = new PartitionId("t", LARGE.name());
      assertThat(limits.of(new Action.Compact(large, 0.5))).isEqualTo(plus(300));
      assertThat(limits.of(new Action.Compact(new PartitionId("t", "?"), 0.5))).isEqualTo(PLAIN);
    }
  }

  @Test
  void aBlockSizeHasTheTimeToReopenItsTable() {
    ActionLimits limits = limits(Ownership.ASSIGNED);
    assertThat(limits.of(new Action.SetBlockSize("t", 65_536, 16_384))).isEqualTo(plus(20));
    assertThat(limits.of(new Action.SetBlockSize("u", 65_536, 16_384))).isEqualTo(plus(10));
    assertThat(limits.of(new Action.SetBlockSize("v", 65_536, 16_384))).isEqualTo(PLAIN);
  }

  @Test
  void whatStreamsNothingHasTheLimitOfEveryAction() {
    ActionLimits assigned = limits(Ownership.ASSIGNED);
    assertThat(assigned.of(new Action.AddNode(1, Profile.HOMOGENEOUS))).isEqualTo(PLAIN);
    assertThat(assigned.of(new Action.RemoveNode(LARGE))).isEqualTo(PLAIN);
    assertThat(assigned.of(new Action.Move(new PartitionId("t", LARGE.name()), LARGE, SMALL)))
        .isEqualTo(PLAIN);
  }

  @Test
  void noLimitIsLongerThanAWeek() {
    ClusterSnapshot s = new RandomCluster(1, 3, 0).snapshot;
    ClusterSnapshot absurd =
        RandomCluster.snapshot(s.nodes(), List.of(stored(LARGE, "t", Long.MAX_VALUE)));
    Action compact = new Action.Compact(new PartitionId("t", LARGE.name()), 0.5);
    assertThat(new ActionLimits(GUARD, absurd).of(compact)).isEqualTo(Duration.ofDays(7));
  }
}
