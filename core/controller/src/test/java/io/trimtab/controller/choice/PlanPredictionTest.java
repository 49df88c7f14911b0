package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.LearnedNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is predicted of a plan whose policy predicts nothing is what the evaluator says of it. */
class PlanPredictionTest {
  private static final Settings SETTINGS = Settings.defaults();
  private static final RowKey KEY = RowKey.of(new byte[] {1});
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");

  private final ByHand cluster = new ByHand();

  private static Optional<UsagePrediction> predicted(Observation.Usable seen, Plan plan) {
    return PlanPrediction.of(new DecisionContext(seen, PolicyState.INITIAL, SETTINGS), plan);
  }

  private static Plan plan(Policy policy, Observation.Usable seen) {
    Decision decision = policy.decide(seen, PolicyState.INITIAL, SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).predicted()).isEmpty();
    return ((Decision.Act) decision).plan();
  }

  private static Plan plan(Observation.Usable seen, Action... actions) {
    List<PlannedAction> all = new ArrayList<>();
    for (Action action : actions) {
      all.add(new PlannedAction(all.size() + 1, action, "", "", "", ""));
    }
    ClusterSnapshot snapshot = seen.snapshot();
    return new Plan("p", snapshot.clusterId(), snapshot.takenAt(), "by hand", "", 1, all);
  }

  /** Usage by node of a layout that has everything where, and as, the plan leaves it. */
  private static SortedMap<NodeId, Double> evaluated(Observation.Usable seen, Plan plan) {
    ClusterSnapshot after = PlanApplier.apply(plan, seen.snapshot());
    ClusterLoad load = ByHand.load(seen, SETTINGS);
    Layout now = Layout.now(load);
    Layout then = now.copy();
    for (Action.AddNode joins : plan.actions(Action.AddNode.class)) {
      assertThat(then.name(then.add(joins.profile()))).isEqualTo(joins.placeholder());
    }
    for (int p = 0; p < load.partitions().size(); p++) {
      PartitionState state = after.partition(load.partitions().state(p).id()).orElseThrow();
      then.move(p, ByHand.index(then, state.node().orElseThrow()));
    }
    for (NodeState node : after.nodes()) {
      then.configure(ByHand.index(then, node.id()), node.profile().orElseThrow());
    }
    for (Action.RemoveNode leaves : plan.actions(Action.RemoveNode.class)) {
      then.remove(ByHand.index(then, leaves.node()));
    }
    double most = new Evaluator(load, now, 0.7).cost(then).most();
    SortedMap<NodeId, Double> usage = new TreeMap<>();
    then.present().forEach(n -> usage.put(then.name(n), then.usage(n)));
    assertThat(usage.values()).contains(most);
    return usage;
  }

  private static void assertAlike(SortedMap<NodeId, Double> found, Map<NodeId, Double> expected) {
    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    expected.forEach(
        (node, usage) -> assertThat(found.get(node)).as("%s", node).isCloseTo(usage, within(1e-9)));
  }

  @Test
  void plansOfMet1MetAndTiramolaAreOnesThatTheEvaluatorKnows() {
    for (Policy policy : List.of(Policies.MET_1, Policies.MET, Policies.TIRAMOLA)) {
      int moving = 0;
      for (long seed = 0; seed < 20; seed++) {
        RandomCluster random = new RandomCluster(seed, 4, 24);
        Observation.Usable seen =
            new Observation.Usable(
                random.snapshot, random.rates, random.usage, random.usage, List.of());
        Plan plan = plan(policy, seen);
        moving += plan.actions(Action.Move.class).isEmpty() ? 0 : 1;

        UsagePrediction found = predicted(seen, plan).orElseThrow();

        assertThat(found.from()).isEqualTo(Origin.REQUESTS);
        assertAlike(found.usage(), evaluated(seen, plan));
      }
      assertThat(moving).as(policy.name()).isGreaterThan(10);
    }
  }

  /** Two nodes with three partitions each, of which one has much more than the other. */
  private Observation.Usable two() {
    NodeId first = cluster.node("a", Profile.HOMOGENEOUS, 0.6);
    NodeId second = cluster.node("b", Profile.HOMOGENEOUS, 0.3);
    for (double reads : new double[] {100, 200, 300}) {
      cluster.reads(first, "t", reads);
    }
    for (double reads : new double[] {50, 100, 150}) {
      cluster.reads(second, "u", reads);
    }
    return cluster.seen();
  }

  @Test
  void byRequestsAPartitionTakesItsPartOfItsNodesUsageAlong() {
    Observation.Usable seen = two();
    Plan plan = plan(Policies.TIRAMOLA, seen);
    assertThat(plan.actions(Action.AddNode.class)).hasSize(1);
    ClusterSnapshot after = PlanApplier.apply(plan, seen.snapshot());

    Map<NodeId, Double> expected = new TreeMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      double part = 1e-3 * seen.rates(p.id()).total();
      expected.merge(
          after.partition(p.id()).flatMap(PartitionState::node).orElseThrow(), part, Double::sum);
    }
    assertThat(expected).containsOnlyKeys(A, B, new NodeId("new-1"));
    assertAlike(predicted(seen, plan).orElseThrow().usage(), expected);
  }

  @Test
  void aSplitTakesAPartAndAMergeAWhole() {
    Observation.Usable seen = two();
    PartitionId large = new PartitionId("t", "p002");
    PartitionId small = new PartitionId("t", "p000");
    Plan split = plan(seen, new Action.Split(large, KEY, 0.4, A, B));
    assertAlike(predicted(seen, split).orElseThrow().usage(), Map.of(A, 0.42, B, 0.48));

    PartitionId other = new PartitionId("u", "p003");
    Plan merge = plan(seen, new Action.Merge(small, other, KeyRange.ALL, KEY));
    assertAlike(predicted(seen, merge).orElseThrow().usage(), Map.of(A, 0.65, B, 0.25));
  }

  @Test
  void aNodeThatLeavesIsNotPredicted() {
    Observation.Usable seen = two();
    Plan plan =
        plan(
            seen,
            new Action.DrainNode(B),
            new Action.Move(new PartitionId("u", "p003"), B, A),
            new Action.Move(new PartitionId("u", "p004"), B, A),
            new Action.Move(new PartitionId("u", "p005"), B, A),
            new Action.RemoveNode(B));

    assertAlike(predicted(seen, plan).orElseThrow().usage(), Map.of(A, 0.9));
  }

  @Test
  void whereCostsAreLearnedTheyArePredictedFrom() {
    NodeId full = cluster.node("a", Profile.HOMOGENEOUS, Double.NaN, used(3_600), 0);
    NodeId other = cluster.node("b", Profile.HOMOGENEOUS, Double.NaN, used(600), 0);
    List<BlockHistogram> blocks = new ArrayList<>();
    var bin = new BlockHistogram.Bin(500, 100);
    for (int i = 0; i < 3; i++) {
      PartitionId id = cluster.reads(full, "t", 1_200);
      blocks.add(BlockHistogram.ofReads(id, List.of(bin), ByHand.BLOCK));
    }
    PartitionId its = cluster.reads(other, "u", 600);
    blocks.add(BlockHistogram.ofReads(its, List.of(bin), ByHand.BLOCK));
    Observation.Usable seen =
        cluster
            .seen()
            .withBlocks(blocks)
            .with(Optional.of(LearnedNodes.alike(ResourcesTest.learned())));
    PartitionId moved = new PartitionId("t", "p000");

    UsagePrediction found =
        predicted(seen, plan(seen, new Action.Move(moved, full, other))).orElseThrow();

    assertThat(found.from()).isEqualTo(Origin.LEARNED);
    assertThat(found.usage().get(full)).isCloseTo(used(2_400), within(0.02));
    assertThat(found.usage().get(other)).isCloseTo(used(1_800), within(0.02));
    ClusterLoad load = ByHand.load(seen, SETTINGS);
    Layout then = Layout.now(load);
    then.move(ByHand.index(load, moved), ByHand.index(then, other));
    new Evaluator(load, Layout.now(load), 0.7).cost(then);
    assertAlike(found.usage(), then.usageByLoadOfNow());
  }

  private static double used(double reads) {
    return ResourcesTest.IDLE + reads * ResourcesTest.READ;
  }

  @Test
  void whereNothingIsKnownNothingIsPredicted() {
    Observation.Usable seen = two();
    Action move = new Action.Move(new PartitionId("t", "p000"), A, B);
    assertThat(predicted(seen, plan(seen, move))).isPresent();

    ClusterSnapshot snapshot = seen.snapshot();
    Observation.Usable unmeasured =
        new Observation.Usable(snapshot, seen.rates(), Map.of(), Map.of(), List.of());
    assertThat(predicted(unmeasured, plan(seen, move))).as("usage").isEmpty();
    Observation.Usable unasked =
        new Observation.Usable(snapshot, Map.of(), seen.usage(), seen.cpu(), List.of());
    assertThat(predicted(unasked, plan(seen, move))).as("requests").isEmpty();
    Action unknown = new Action.Move(new PartitionId("t", "gone"), A, B);
    assertThat(predicted(seen, plan(seen, unknown))).as("partition").isEmpty();
    Action set = new Action.SetNode(A, NodeSetting.values()[0], 1, 2);
    assertThat(predicted(seen, plan(seen, set))).as("settings").isEmpty();
  }
}
