package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Policies plan with what the node provider can add and give back, and tell where it decides. */
class OfferedNodesTest {
  private static final String RULE = "only the last pod of a pool is given back";
  private static final String FULL = "no node can be added: quota of 4 machines is used up";

  /** After the first run of MeT's policies. */
  private static final PolicyState LATER = new PolicyState(1, false, List.of(), List.of());

  private static NodeId node(int n) {
    return new NodeId("n" + n + ":1");
  }

  /** Four nodes that are used alike; the first one is asked for least. */
  private static Observation.Usable used(double usage) {
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> partitions = new ArrayList<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    Map<NodeId, Double> used = new HashMap<>();
    for (int n = 0; n < 4; n++) {
      nodes.add(
          new NodeState(
              node(n),
              1,
              true,
              false,
              Optional.of(Profile.HOMOGENEOUS),
              true,
              new NodeUsage(usage, 0, 0, usage),
              NodeGauges.UNKNOWN));
      PartitionId id = new PartitionId("t", "p" + n);
      partitions.add(
          new PartitionState(
              id,
              Optional.of(node(n)),
              PartitionCounters.ZERO,
              1,
              1,
              Profile.HOMOGENEOUS.blockSizeBytes(),
              KeyRange.ALL));
      rates.put(id, new Rates(n + 1, 0, 0, 0));
      used.put(node(n), usage);
    }
    ClusterSnapshot snapshot = RandomCluster.snapshot(nodes, partitions).with(Copies.alike(2));
    return new Observation.Usable(snapshot, rates, used, used, List.of());
  }

  /** The same with an agreement on so many clients, which are answered in so many ms. */
  private static Observation.Usable agreed(Observation.Usable seen, int clients, double ms) {
    return seen.withServices(
        List.of(
            new Service(
                "shop",
                SloPolicyTest.objective(40, Double.NaN, Double.NaN),
                SloPolicyTest.table(),
                "small",
                SloPolicyTest.checks(20, clients, ms))));
  }

  private static Observation.Usable with(Observation.Usable seen, NodeCapacity offer) {
    return seen.withOffer(Optional.of(offer));
  }

  private static NodeCapacity last(int n) {
    return NodeCapacity.of(3).with(Removable.inTurn(List.of(List.of(node(n))), RULE));
  }

  private static NodeCapacity full() {
    return new NodeCapacity(0, OptionalInt.of(4), OptionalDouble.empty(), Optional.empty());
  }

  private static Plan plan(Policy policy, Settings settings, Observation.Usable seen) {
    Decision decision = policy.decide(seen, LATER, settings);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan();
  }

  private static List<NodeId> removed(Plan plan) {
    return plan.actions(Action.RemoveNode.class).stream().map(Action.RemoveNode::node).toList();
  }

  private static void removesOnlyWhatCanGo(
      Policy policy, Settings settings, Observation.Usable idle) {
    Plan free = plan(policy, settings, idle);
    assertThat(removed(free)).containsExactly(node(0));
    assertThat(free.summary()).doesNotContain("would go first");

    Plan bound = plan(policy, settings, with(idle, last(2)));
    assertThat(removed(bound)).containsExactly(node(2));
    assertThat(bound.summary()).contains("; n0:1 would go first, but " + RULE);
    assertThat(plan(policy, settings, with(idle, last(0))).summary()).isEqualTo(free.summary());
  }

  @Test
  void onlyANodeThatCanBeGivenBackIsAndItIsToldWhyNoOther() {
    Settings settings = Settings.defaults();
    removesOnlyWhatCanGo(Policies.TIRAMOLA, settings, used(0.02));
    removesOnlyWhatCanGo(Policies.MET_1, settings, used(0.02));
    removesOnlyWhatCanGo(Policies.MET, settings, used(0.02));
    removesOnlyWhatCanGo(Policies.SLO, SloPolicyTest.SETTINGS, agreed(used(0.02), 100, 25));
  }

  @Test
  void theAutopilotGivesNodesBackInTheTurnInWhichTheyCanGo() throws Exception {
    TableSpec little = TableSpec.of("t", 24, 64 << 20, Access.reads(3_000));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, little));
    Settings settings = Settings.defaults().with(Policies.AUTOPILOT);
    List<NodeId> lastFirst =
        seen.snapshot().nodes().stream()
            .map(NodeState::id)
            .sorted(Comparator.reverseOrder())
            .toList();
    Removable row = Removable.inTurn(List.of(lastFirst), RULE);
    Plan plan = plan(Policies.AUTOPILOT, settings, with(seen, NodeCapacity.of(3).with(row)));

    assertThat(removed(plan)).hasSizeGreaterThan(1);
    assertThat(removed(plan)).isEqualTo(lastFirst.subList(0, removed(plan).size()));

    Removable none = Removable.only(List.of(), RULE);
    Decision held =
        Policies.AUTOPILOT.decide(
            with(seen, NodeCapacity.of(3).with(none)), PolicyState.INITIAL, settings);
    assertThat(held)
        .isInstanceOfSatisfying(
            Decision.Hold.class,
            hold ->
                assertThat(hold.reason()).endsWith("none of 6 nodes can be given back: " + RULE));
  }

  private static String refusal(Guard.Verdict verdict) {
    return verdict instanceof Guard.Verdict.Refuse refuse ? refuse.reason() : "";
  }

  /** Guard.checkOrdered is what saved plans have to pass. */
  private static String ordered(Plan plan, NodeCapacity offer) {
    return refusal(
        Guard.checkOrdered(
            plan,
            used(0.02).snapshot(),
            Optional.empty(),
            Optional.of(offer),
            Settings.defaults(),
            RandomCluster.NOW));
  }

  @Test
  void aPlanThatRemovesAnotherNodeIsRefusedBeforeItBegins() {
    Plan plan = plan(Policies.TIRAMOLA, Settings.defaults(), used(0.02));
    String says = "the plan removes node n0:1, which the node provider can't give back: " + RULE;

    assertThat(ordered(plan, last(2))).isEqualTo(says);
    assertThat(
            refusal(
                Guard.check(
                    plan,
                    used(0.02).snapshot(),
                    Optional.empty(),
                    Optional.of(last(2)),
                    Settings.defaults(),
                    RandomCluster.NOW)))
        .isEqualTo(says);
    assertThat(ordered(plan, last(0))).isEmpty();
    assertThat(ordered(plan, NodeCapacity.of(3))).isEmpty();
  }

  @Test
  void aPlanThatNeedsANodeIsRefusedWithTheReasonWhyThereIsNone() {
    assertThat(ordered(of(new Action.AddNode(1, Profile.HOMOGENEOUS)), full()))
        .isEqualTo(
            "the plan adds 1 node, but only 0 are available: quota of 4 machines is used up");
  }

  private static Plan of(Action... actions) {
    List<PlannedAction> steps = new ArrayList<>();
    for (Action action : actions) {
      steps.add(new PlannedAction(steps.size() + 1, action, "r", "e", "c", "u"));
    }
    return new Plan("p", "test", RandomCluster.NOW, "tiramola", "s", 1, steps);
  }

  @Test
  void whatLeavesOrJoinsBeforeDecidesWhatCanLeaveAfter() {
    List<NodeId> row = List.of(node(3), node(2));
    NodeCapacity turns = NodeCapacity.of(3).with(Removable.inTurn(List.of(row), RULE));
    NodeCapacity any = NodeCapacity.of(3).with(Removable.only(row, RULE));
    Action first = new Action.RemoveNode(node(3));
    Action second = new Action.RemoveNode(node(2));
    Action joins = new Action.AddNode(1, Profile.HOMOGENEOUS);

    assertThat(ordered(of(second, first), turns)).contains("can't give back: ");
    assertThat(ordered(of(first, second), turns)).doesNotContain("can't give back");
    assertThat(ordered(of(second, first), any)).doesNotContain("can't give back");
    assertThat(ordered(of(joins, first), turns))
        .contains("can't give back after another has joined: " + RULE);
    assertThat(ordered(of(joins, first), any)).doesNotContain("can't give back");
  }

  @Test
  void whereNoNodeCanBeAddedNoPlanAddsOneAndTheReasonIsTold() {
    Settings settings = Settings.defaults();
    Observation.Usable busy = with(used(0.95), full());
    assertThat(plan(Policies.TIRAMOLA, settings, used(0.95)).actions(Action.AddNode.class))
        .isNotEmpty();

    assertThat(Policies.TIRAMOLA.decide(busy, LATER, settings))
        .isInstanceOfSatisfying(
            Decision.Hold.class, hold -> assertThat(hold.reason()).endsWith(", but " + FULL));
    assertThat(Policies.SLO.decide(agreed(busy, 200, 100), LATER, SloPolicyTest.SETTINGS))
        .isInstanceOfSatisfying(
            Decision.Hold.class,
            hold -> assertThat(hold.reason()).endsWith("ms > 40.0, but " + FULL));
    for (Policy met : List.of(Policies.MET, Policies.MET_1)) {
      Decision decision = met.decide(busy, LATER, settings);
      String text =
          decision instanceof Decision.Act act
              ? act.plan().summary()
              : ((Decision.Hold) decision).reason();
      assertThat(text).contains(" and " + FULL);
      assertThat(
              decision instanceof Decision.Act act
                  && !act.plan().actions(Action.AddNode.class).isEmpty())
          .isFalse();
    }
  }

  @Test
  void noMoreNodesAreAddedThanThereAre() {
    Observation.Usable busy = agreed(used(0.95), 300, 100);
    assertThat(plan(Policies.SLO, SloPolicyTest.SETTINGS, busy).actions(Action.AddNode.class))
        .hasSizeGreaterThan(1);
    assertThat(
            plan(Policies.SLO, SloPolicyTest.SETTINGS, with(busy, NodeCapacity.of(1)))
                .actions(Action.AddNode.class))
        .hasSize(1);
  }

  @Test
  void theTimeThatANodeTakesIsToldWithThePlan() {
    NodeCapacity offer =
        new NodeCapacity(
            3, OptionalInt.empty(), OptionalDouble.empty(), Optional.of(Duration.ofSeconds(90)));
    assertThat(plan(Policies.TIRAMOLA, Settings.defaults(), with(used(0.95), offer)).summary())
        .endsWith("; one boots in about 90 s");
    assertThat(
            plan(Policies.SLO, SloPolicyTest.SETTINGS, with(agreed(used(0.95), 200, 100), offer))
                .summary())
        .endsWith("; one boots in about 90 s");
  }
}
