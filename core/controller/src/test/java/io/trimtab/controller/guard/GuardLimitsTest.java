package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.GuardSettings.Builder;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each limit of the guard refuses a plan that passes it, and names itself; at the limit it passes.
 */
class GuardLimitsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final RowKey KEY = RowKey.of(new byte[] {1});
  private static final ClusterSnapshot CLUSTER = cluster();
  private static final NodeId A = CLUSTER.nodes().get(0).id();
  private static final NodeId B = CLUSTER.nodes().get(1).id();

  /** Four live nodes, and partitions of 1 GiB each. */
  private static ClusterSnapshot cluster() {
    ClusterSnapshot any = new RandomCluster(1, 4, 8).snapshot;
    List<PartitionState> partitions = new ArrayList<>();
    for (PartitionState p : any.partitions()) {
      partitions.add(
          new PartitionState(
              p.id(),
              p.node(),
              p.counters(),
              1L << 30,
              p.locality(),
              p.blockSizeBytes(),
              p.range()));
    }
    return any.with(any.nodes(), partitions, any.gaps())
        .with(Copies.alike(2))
        .at(NOON, any.readAtNs());
  }

  private static PartitionId id(int index) {
    return CLUSTER.partitions().get(index).id();
  }

  private static Action move(int index) {
    NodeId from = CLUSTER.partitions().get(index).node().orElseThrow();
    return new Action.Move(id(index), from, from.equals(A) ? B : A);
  }

  private static Action split(int index) {
    return new Action.Split(id(index), KEY, 0.5, A, A);
  }

  private static Action merge(int index) {
    return new Action.Merge(id(index), id(index + 1), KeyRange.ALL, KEY);
  }

  private static Action compact(int index) {
    return new Action.Compact(id(index), Action.Compact.ALWAYS);
  }

  private static Arguments limit(
      String setting, UnaryOperator<Builder> at, UnaryOperator<Builder> below, Action... actions) {
    return arguments(setting, at, below, List.of(actions));
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        limit("guard.maxMoves", g -> g.maxMoves(2), g -> g.maxMoves(1), move(0), move(1)),
        limit("guard.maxSplits", g -> g.maxSplits(2), g -> g.maxSplits(1), split(0), split(1)),
        limit("guard.maxMerges", g -> g.maxMerges(2), g -> g.maxMerges(1), merge(0), merge(2)),
        limit(
            "guard.maxCompactions",
            g -> g.maxCompactions(2),
            g -> g.maxCompactions(1),
            compact(0),
            compact(1)),
        limit(
            "guard.maxBlockSizeChanges",
            g -> g.maxBlockSizeChanges(2),
            g -> g.maxBlockSizeChanges(1),
            new Action.SetBlockSize("t", 1, 2),
            new Action.SetBlockSize("u", 1, 2)),
        limit("guard.maxMovedGiB", g -> g.maxMovedGiB(2), g -> g.maxMovedGiB(1), move(0), move(1)),
        limit(
            "guard.maxNodes",
            g -> g.maxNodes(5),
            g -> g.maxNodes(4),
            new Action.AddNode(1, Profile.HOMOGENEOUS)),
        limit("guard.minNodes", g -> g.minNodes(3), g -> g.minNodes(4), new Action.RemoveNode(A)),
        limit("guard.minGain", g -> g.minGain(0.5), g -> g.minGain(0.6), move(0)),
        limit(
            "guard.cooldown",
            g -> g.cooldown(Duration.ofMinutes(10)),
            g -> g.cooldown(Duration.ofMinutes(11)),
            move(0)),
        limit(
            "guard.blackouts",
            g -> g.blackouts(List.of("11:00-12:00")),
            g -> g.blackouts(List.of("11:00-12:01")),
            move(0)));
  }

  /** The last plan ended ten minutes ago, and this one gains a half. */
  private static Guard.Verdict check(UnaryOperator<Builder> limit, List<Action> actions) {
    List<PlannedAction> list = new ArrayList<>();
    for (Action action : actions) {
      list.add(new PlannedAction(list.size() + 1, action, "r", "e", "c", "u"));
    }
    return Guard.check(
        new Plan("p", "test", NOON, "met", "s", 0.5, list),
        CLUSTER,
        Optional.of(NOON.minus(Duration.ofMinutes(10))),
        Optional.of(NodeCapacity.of(10)),
        Settings.defaults().with(limit.apply(GuardSettings.builder()).build()),
        NOON);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("limits")
  void aPlanThatPassesALimitIsRefusedByItsName(
      String setting,
      UnaryOperator<Builder> atLimit,
      UnaryOperator<Builder> below,
      List<Action> actions) {
    assertThat(check(atLimit, actions)).isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(check(below, actions))
        .isInstanceOfSatisfying(
            Guard.Verdict.Refuse.class, refuse -> assertThat(refuse.setting()).isEqualTo(setting));
  }

  /** Nodes are counted step by step: who joins before another leaves makes up for it. */
  @Test
  void aNodeThatTakesAnothersPlaceLeavesAsManyAsThereWere() {
    UnaryOperator<Builder> four = g -> g.minNodes(4).maxNodes(5);
    Action joins = new Action.AddNode(1, Profile.HOMOGENEOUS);
    Action leaves = new Action.RemoveNode(A);

    assertThat(check(four, List.of(joins, leaves))).isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(check(four, List.of(leaves, joins)))
        .isEqualTo(new Guard.Verdict.Refuse("3 nodes would be fewer than 4", "guard.minNodes"));
  }
}
