package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What one plan may not move, several do. */
class TrimmedPlansTest {
  private static final int PLANS_MAX = 5;

  private static int fewestOnANode(Observation.Usable seen) {
    return seen.snapshot().partitions().stream()
        .collect(Collectors.groupingBy(p -> p.node().orElseThrow(), Collectors.counting()))
        .values()
        .stream()
        .mapToInt(Long::intValue)
        .min()
        .orElseThrow();
  }

  private static Observation.Usable idle() throws Exception {
    TableSpec little = TableSpec.of("t", 48, 64 << 20, Access.reads(3_000));
    return AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, little));
  }

  private static Settings settings(int moves) {
    return Settings.defaults()
        .with(Policies.AUTOPILOT)
        .with(GuardSettings.builder().minNodes(5).maxMoves(moves).build());
  }

  /** As where the number of nodes has gone up and down, or the others' disks are too full. */
  @Test
  void aNodeThatMayNotBeRemovedIsNotBegunToBeEmptied() throws Exception {
    Observation.Usable seen = idle();
    Settings settings = settings((fewestOnANode(seen) + 1) / 2);
    Policy kept =
        Policies.AUTOPILOT.heeding(
            act ->
                act.plan().actions(Action.RemoveNode.class).isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Policy.Refused("not now", "stability.nodeSwings")));

    assertThat(Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings))
        .isInstanceOf(Decision.Act.class);
    Decision decision = kept.decide(seen, PolicyState.INITIAL, settings);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    Decision.Hold held = (Decision.Hold) decision;
    assertThat(held.reason()).isEqualTo("to give nodes back is refused: not now");
    assertThat(held.setting()).isEqualTo("stability.nodeSwings");
    assertThat(held.weighed())
        .extracting(Alternative::title, Alternative::verdict)
        .containsExactly(tuple("begin to empty a node, to remove it", "refused: not now"));
  }

  private static boolean removes(Decision.Act act) {
    return !act.plan().actions(Action.RemoveNode.class).isEmpty();
  }

  /** Carries out plans until one removes a node, which is not the first one. */
  private static void givenBack(
      Policy policy, Observation.Usable begin, Settings settings, Consumer<Decision.Act> check) {
    Observation.Usable seen = begin;
    PolicyState state = PolicyState.INITIAL;
    int plans = 0;
    boolean removed = false;
    while (!removed && plans < PLANS_MAX) {
      Decision decision = policy.decide(seen, state, settings);
      assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
      Decision.Act act = (Decision.Act) decision;
      check.accept(act);
      removed = removes(act);
      seen = seen.on(PlanApplier.apply(act.plan(), seen.snapshot()));
      state = act.next();
      plans++;
    }
    assertThat(removed).isTrue();
    assertThat(plans).isGreaterThan(1);
  }

  @Test
  void aNodeThatHoldsMoreThanAPlanMayMoveIsGivenBackBySeveral() throws Exception {
    Observation.Usable seen = idle();
    int moves = (fewestOnANode(seen) + 1) / 2;
    Settings settings = settings(moves);
    assertThat(moves).isPositive().isLessThan(fewestOnANode(seen));

    Set<NodeId> emptied = new HashSet<>();
    givenBack(
        Policies.AUTOPILOT,
        seen,
        settings,
        act -> {
          List<Action.Move> moved = act.plan().actions(Action.Move.class);
          assertThat(moved).hasSizeBetween(1, moves);
          moved.forEach(move -> emptied.add(move.from()));
          if (!removes(act)) {
            assertThat(act.plan().summary()).startsWith("begin to empty a node, to remove it: ");
            assertThat(act.plan().gain()).isEqualTo(1);
          }
        });

    assertThat(emptied).hasSize(1);
  }

  private static long bytes(Decision.Act act, Observation.Usable seen) {
    return act.plan().actions(Action.Move.class).stream()
        .mapToLong(move -> seen.snapshot().partition(move.partition()).orElseThrow().sizeBytes())
        .sum();
  }

  /** By half of guard.maxMovedGiB each: what has moved may be rewritten by the same plan. */
  @Test
  void aNodeThatStoresMoreThanAPlanMayMoveIsGivenBackBySeveral() throws Exception {
    // Eight partitions of 200 MiB each on a node.
    TableSpec large = TableSpec.of("t", 48, 9_600L << 20, Access.reads(600));
    Observation.Usable begin = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, large));
    Settings settings =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(GuardSettings.builder().minNodes(5).maxMovedGiB(1).build());
    Policy guarded =
        Policies.AUTOPILOT.heeding(
            act ->
                bytes(act, begin) > 1L << 30
                    ? Optional.of(new Policy.Refused("too much", "guard.maxMovedGiB"))
                    : Optional.empty());

    givenBack(
        guarded,
        begin,
        settings,
        act -> assertThat(bytes(act, begin)).isBetween(1L, removes(act) ? 1L << 30 : 1L << 29));
  }

  /** What has moved is compacted, where its node does not cache all that it serves. */
  @Test
  void aNodeThatIsMoreThanAPlanMayCompactIsGivenBackBySeveral() throws Exception {
    TableSpec large = TableSpec.of("t", 48, 24L << 30, Access.reads(600));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, large));
    Settings settings =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(GuardSettings.builder().minNodes(5).maxCompactions(3).build());
    Policy guarded =
        Policies.AUTOPILOT.heeding(
            act ->
                act.plan().actions(Action.Compact.class).size() > 3
                    ? Optional.of(new Policy.Refused("too many", "guard.maxCompactions"))
                    : Optional.empty());

    givenBack(
        guarded,
        seen,
        settings,
        act -> assertThat(act.plan().actions(Action.Compact.class)).hasSizeBetween(1, 3));
  }

  @Test
  void noMoreLeavesASlowNodeThanOnePlanMayCompact() throws Exception {
    TableSpec large = TableSpec.of("t", 48, 24L << 30, Access.reads(600));
    Observation.Usable all = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, large));
    NodeId node = all.snapshot().nodes().get(0).id();
    Observation.Usable seen =
        all.withSlowPeers(List.of(new SlowPeer(node, List.of("slow"), 6, Duration.ofMinutes(20))));
    Settings settings =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(GuardSettings.builder().minNodes(6).maxCompactions(2).build());

    Decision decision = Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.Compact.class)).hasSize(2);
  }
}
