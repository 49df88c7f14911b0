package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever a plan can have many of has a limit, and what is at the limit passes. */
class PlanLimitsTest {
  private static final Instant NOW = RandomCluster.NOW;
  private static final NodeId NODE = new NodeId("a:1");
  private static final RowKey KEY = RowKey.of(new byte[] {1});

  private final ClusterSnapshot cluster = withAPartitionOfTwoGiB();
  private final PartitionState first = cluster.partitions().get(0);

  private static ClusterSnapshot withAPartitionOfTwoGiB() {
    ClusterSnapshot any = new RandomCluster(1, 4, 8).snapshot;
    List<PartitionState> partitions = new ArrayList<>(any.partitions());
    PartitionState p = partitions.get(0);
    partitions.set(
        0,
        new PartitionState(
            p.id(), p.node(), p.counters(), 2L << 30, p.locality(), p.blockSizeBytes(), p.range()));
    return any.with(any.nodes(), partitions, any.gaps());
  }

  private Guard.Verdict check(GuardSettings.Builder guard, Action... actions) {
    List<PlannedAction> list = new ArrayList<>();
    for (Action action : actions) {
      list.add(new PlannedAction(list.size() + 1, action, "r", "e", "c", "u"));
    }
    return Guard.check(
        new Plan("p", "test", NOW, "met", "s", 1, list),
        cluster,
        Optional.empty(),
        Optional.of(NodeCapacity.of(10)),
        Settings.defaults().with(guard.build()),
        NOW);
  }

  private static GuardSettings.Builder limits() {
    return GuardSettings.builder();
  }

  private static void passes(Guard.Verdict verdict) {
    assertThat(verdict).isInstanceOf(Guard.Verdict.Pass.class);
  }

  private static Guard.Verdict.Refuse refused(String reason, String setting) {
    return new Guard.Verdict.Refuse(reason, setting);
  }

  private static PartitionId id(String name) {
    return new PartitionId("t", name);
  }

  @Test
  void splitsHaveALimit() {
    Action a = new Action.Split(id("a"), KEY, 0.5, NODE, NODE);
    Action b = new Action.Split(id("b"), KEY, 0.5, NODE, NODE);
    passes(check(limits().maxSplits(2), a, b));
    assertThat(check(limits().maxSplits(1), a, b))
        .isEqualTo(refused("the plan has 2 splits, more than 1", "guard.maxSplits"));
  }

  @Test
  void mergesHaveALimit() {
    Action a = new Action.Merge(id("a"), id("b"), KeyRange.ALL, KEY);
    Action b = new Action.Merge(id("c"), id("d"), KeyRange.ALL, KEY);
    passes(check(limits().maxMerges(2), a, b));
    assertThat(check(limits().maxMerges(1), a, b))
        .isEqualTo(refused("the plan has 2 merges, more than 1", "guard.maxMerges"));
  }

  @Test
  void compactionsHaveALimit() {
    Action a = new Action.Compact(id("a"), Action.Compact.ALWAYS);
    Action b = new Action.Compact(id("b"), Action.Compact.ALWAYS);
    passes(check(limits().maxCompactions(2), a, b));
    assertThat(check(limits().maxCompactions(1), a, b))
        .isEqualTo(refused("the plan has 2 compactions, more than 1", "guard.maxCompactions"));
  }

  @Test
  void tablesThatGetAnotherBlockSizeHaveALimit() {
    Action t = new Action.SetBlockSize("t", 1, 2);
    Action u = new Action.SetBlockSize("u", 1, 2);
    passes(check(limits().maxBlockSizeChanges(1), t, t));
    assertThat(check(limits().maxBlockSizeChanges(1), t, u))
        .isEqualTo(
            refused(
                "the plan has 2 changes of tables' block sizes, more than 1",
                "guard.maxBlockSizeChanges"));
  }

  @Test
  void bytesThatAreMovedSplitOrCompactedHaveALimit() {
    NodeId at = first.node().orElseThrow();
    Action move = new Action.Move(first.id(), at, NODE);
    Action split = new Action.Split(first.id(), KEY, 0.5, at, NODE);
    Action compact = new Action.Compact(first.id(), Action.Compact.ALWAYS);
    for (Action action : List.of(move, split, compact)) {
      passes(check(limits().maxMovedGiB(2), action));
      assertThat(check(limits().maxMovedGiB(1), action))
          .isEqualTo(
              refused(
                  "the plan moves, splits or compacts 2.00 GiB, more than 1", "guard.maxMovedGiB"));
    }
    // What is moved and compacted is read twice.
    passes(check(limits().maxMovedGiB(4), move, compact));
    assertThat(check(limits().maxMovedGiB(3), move, compact))
        .isInstanceOf(Guard.Verdict.Refuse.class);
  }

  @Test
  void aRunningPlanHasALimitOfTime() {
    Settings hour = Settings.defaults().with(limits().planLimit(Duration.ofHours(1)).build());
    Instant begun = NOW.minus(Duration.ofHours(1));
    assertThat(Guard.over(begun, hour, NOW)).isEmpty();
    assertThat(Guard.over(begun, hour, NOW.plusSeconds(1)))
        .contains(refused("the plan has run for 3601 s, longer than 3600 s", "guard.planLimit"));
  }
}
