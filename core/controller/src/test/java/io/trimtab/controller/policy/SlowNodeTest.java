package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.maintenance.Busy;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where partitions are assigned: a node that answers six times as late as its peers. */
class SlowNodeTest {
  /** No node is given back. */
  private static final Settings SETTINGS = settings(4);

  private static final Duration LONG = Duration.ofMinutes(20);

  private static Settings settings(int minNodes) {
    return Settings.defaults()
        .with(Policies.AUTOPILOT)
        .with(GuardSettings.builder().minNodes(minNodes).build());
  }

  /** Four nodes with sixteen partitions, all asked for alike. */
  private static Observation.Usable alike() throws Exception {
    TableSpec table = TableSpec.of("t", 16, 64 << 20, Access.reads(10_000));
    return AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 4, table));
  }

  private static Observation.Usable slow(
      Observation.Usable seen, NodeId node, double answers, Duration lasted) {
    String signal = "99th percentile of requests 48 ms, peers 8 ms";
    return seen.withSlowPeers(List.of(new SlowPeer(node, List.of(signal), answers, lasted)));
  }

  private static Decision decide(Observation.Usable seen) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS);
  }

  /** One that has several partitions. */
  private static NodeId any(Observation.Usable seen) {
    return seen.snapshot().nodes().stream()
        .map(NodeState::id)
        .max(Comparator.comparingLong(id -> on(seen, id)))
        .orElseThrow();
  }

  private static long on(Observation.Usable seen, NodeId node) {
    return seen.snapshot().partitions().stream()
        .filter(p -> p.node().filter(node::equals).isPresent())
        .count();
  }

  private static List<Action.Move> off(Decision decision, NodeId node) {
    return decision instanceof Decision.Act act
        ? act.plan().actions(Action.Move.class).stream()
            .filter(move -> move.from().equals(node))
            .toList()
        : List.of();
  }

  @Test
  void itsPartitionsMoveOffAllButOneByWhichItIsJudged() throws Exception {
    Observation.Usable seen = alike();
    NodeId node = any(seen);
    Decision decision = decide(slow(seen, node, 6, LONG));

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Plan plan = ((Decision.Act) decision).plan();
    assertThat(off(decision, node)).hasSize((int) on(seen, node) - 1);
    assertThat(plan.actions(Action.Move.class))
        .allSatisfy(move -> assertThat(move.to()).isNotEqualTo(node));
    assertThat(plan.actions(Action.RemoveNode.class)).isEmpty();
    assertThat(plan.summary())
        .startsWith("move partitions off a slow node: ")
        .endsWith(
            "; "
                + node
                + " is slower than its peers, for 20 min: 99th percentile of requests 48 ms,"
                + " peers 8 ms");
    assertThat(decision.weighed())
        .filteredOn(alternative -> alternative.verdict().equals("chosen"))
        .singleElement()
        .satisfies(chosen -> assertThat(chosen.price()).isPositive());
  }

  /** A queue or a disk that is busier is no reason, as long as users are answered. */
  @Test
  void whatAnswersAsFastKeepsItsPartitions() throws Exception {
    Observation.Usable seen = alike();
    NodeId node = any(seen);

    assertThat(off(decide(slow(seen, node, 1, LONG)), node))
        .isEqualTo(off(decide(seen), node))
        .hasSizeLessThan((int) on(seen, node) - 1);
  }

  @Test
  void whereThatIsRefusedTheRestIsDone() throws Exception {
    Observation.Usable seen = alike();
    NodeId node = any(seen);
    Policy.Veto veto =
        act ->
            act.plan().summary().startsWith("move partitions off a slow node")
                ? Optional.of(new Policy.Refused("no moves", "guard.maxMoves"))
                : Optional.empty();
    Decision decision =
        Policies.AUTOPILOT
            .heeding(veto)
            .decide(slow(seen, node, 6, LONG), PolicyState.INITIAL, settings(2));

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.RemoveNode.class)).isNotEmpty();
  }

  @Test
  void whileItIsBusyWithSomethingElseThatIsWaitedFor() throws Exception {
    Observation.Usable seen = alike();
    NodeId node = any(seen);
    Instant now = seen.snapshot().takenAt();
    Busy busy = new Busy(node, List.of("major compaction of 2 regions"), now, now);
    Decision decision =
        decide(slow(seen, node, 6, LONG).with(new BusyNodes(List.of(busy), Optional.of(now))));

    assertThat(off(decision, node)).hasSizeLessThan((int) on(seen, node) - 1);
  }

  /** What it uses more than its peers for the same is its own, and not its partitions'. */
  @Test
  void whatItUsesMoreStaysBehind() throws Exception {
    Observation.Usable seen = alike();
    NodeId node = any(seen);
    Map<NodeId, Double> used = new HashMap<>(seen.usage());
    double peers = used.values().stream().mapToDouble(u -> u).max().orElseThrow();
    used.put(node, 2.5 * peers);
    Observation.Usable costly =
        new Observation.Usable(
            seen.snapshot(),
            seen.rates(),
            used,
            used,
            seen.hints(),
            seen.blocks(),
            seen.model(),
            seen.services(),
            seen.frozen(),
            seen.slow(),
            seen.learned(),
            seen.outlooks(),
            seen.busy(),
            seen.offer(),
            seen.slowPeers());
    Decision decision = decide(slow(costly, node, 6, LONG));

    assertThat(off(decision, node)).hasSize((int) on(seen, node) - 1);
    double sum = seen.usage().values().stream().mapToDouble(u -> u).sum();
    assertThat(
            ((Decision.Act) decision)
                .predicted().orElseThrow().usage().values().stream().mapToDouble(u -> u).sum())
        .isLessThan(1.2 * sum);
  }

  @Test
  void noneOfAFullNodesPartitionsGoToIt() throws Exception {
    Observation.Usable seen = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode());
    NodeId idlest =
        seen.snapshot().nodes().stream()
            .map(NodeState::id)
            .min(Comparator.comparingDouble(id -> seen.usage().get(id)))
            .orElseThrow();
    Decision decision = decide(slow(seen, idlest, 6, LONG));

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.Move.class))
        .isNotEmpty()
        .allSatisfy(move -> assertThat(move.to()).isNotEqualTo(idlest));
  }
}
