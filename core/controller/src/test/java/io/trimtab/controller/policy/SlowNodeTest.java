package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.maintenance.Busy;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  private static Observation.Usable using(Observation.Usable seen, NodeId node, double usage) {
    Map<NodeId, Double> used = new HashMap<>(seen.usage());
    used.put(node, usage);
    return new Observation.Usable(
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
        seen.ahead(),
        seen.busy(),
        seen.offer(),
        seen.slowPeers(),
        seen.misses(),
        seen.cold(),
        seen.unread(),
        seen.machines());
  }

  /** The same with partitions on other nodes. */
  private static Observation.Usable placed(
      Observation.Usable seen, Function<PartitionState, NodeId> at) {
    List<PartitionState> partitions =
        seen.snapshot().partitions().stream()
            .map(
                p ->
                    new PartitionState(
                        p.id(),
                        Optional.of(at.apply(p)),
                        p.counters(),
                        p.sizeBytes(),
                        p.locality(),
                        p.blockSizeBytes(),
                        p.range()))
            .toList();
    ClusterSnapshot now = seen.snapshot();
    return seen.on(now.with(now.nodes(), partitions, now.gaps()));
  }

  private static List<NodeId> others(Observation.Usable seen, NodeId node) {
    return seen.snapshot().nodes().stream()
        .map(NodeState::id)
        .filter(id -> !id.equals(node))
        .toList();
  }

  private static Set<PartitionId> partitions(List<Action.Move> moves) {
    return moves.stream().map(Action.Move::partition).collect(Collectors.toSet());
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
    double peers = seen.usage().values().stream().mapToDouble(u -> u).max().orElseThrow();
    Observation.Usable costly = using(seen, node, 2.5 * peers);
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

  @Test
  void threeMinutesAreNoReasonToAvoidIt() throws Exception {
    Observation.Usable seen = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode());
    NodeId idlest =
        seen.snapshot().nodes().stream()
            .map(NodeState::id)
            .min(Comparator.comparingDouble(id -> seen.usage().get(id)))
            .orElseThrow();
    Decision.Act free = (Decision.Act) decide(seen);
    Decision.Act act = (Decision.Act) decide(slow(seen, idlest, 4, Duration.ofMinutes(3)));

    assertThat(free.plan().actions(Action.Move.class))
        .anySatisfy(move -> assertThat(move.to()).isEqualTo(idlest));
    assertThat(act.plan().actions(Action.Move.class))
        .isEqualTo(free.plan().actions(Action.Move.class));
  }

  /** Wherever it is, its node is slow. */
  @Test
  void aPartitionThatIsSlowByItselfIsNotChased() throws Exception {
    Observation.Usable seen = alike();
    NodeId first = any(seen);
    PartitionId culprit = off(decide(slow(seen, first, 6, LONG)), first).get(0).partition();
    PolicyState state = PolicyState.INITIAL;
    List<NodeId> emptied = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      NodeId at = seen.snapshot().partition(culprit).orElseThrow().node().orElseThrow();
      Decision decision = Policies.AUTOPILOT.decide(slow(seen, at, 6, LONG), state, SETTINGS);
      if (decision instanceof Decision.Act act) {
        if (!off(act, at).isEmpty()) {
          emptied.add(at);
        }
        seen = seen.on(PlanApplier.apply(act.plan(), seen.snapshot()));
        state = act.next();
      }
    }

    assertThat(emptied).containsExactly(first);
  }

  /** It is slow without them, so that they are not what another one is slow by. */
  @Test
  void noPartitionLeavesSlowNodesTwiceADay() throws Exception {
    Observation.Usable seen = alike();
    NodeId first = any(seen);
    Decision.Act act = (Decision.Act) decide(slow(seen, first, 6, LONG));
    Set<PartitionId> left = partitions(off(act, first));
    NodeId second = off(act, first).get(0).to();
    Observation.Usable then = seen.on(PlanApplier.apply(act.plan(), seen.snapshot()));
    Observation.Usable both =
        then.withSlowPeers(
            Stream.of(first, second)
                .map(node -> new SlowPeer(node, List.of("late"), 6, LONG))
                .toList());

    long came = off(act, first).stream().filter(move -> move.to().equals(second)).count();

    Decision again = Policies.AUTOPILOT.decide(both, act.next(), SETTINGS);
    assertThat(partitions(off(again, second)))
        .as("its own leave it, and it shows by the others")
        .hasSize((int) (on(both, second) - came))
        .isNotEmpty()
        .doesNotContainAnyElementsOf(left);
  }

  @Test
  void aNodeWhoseRequestsCostMoreIsLateForThat() throws Exception {
    TableSpec reads = TableSpec.of("r", 12, 64 << 20, Access.reads(9_000));
    TableSpec writes = TableSpec.of("w", 4, 64 << 20, Access.writes(3_000));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 4, reads, writes));
    NodeId node = any(seen);
    List<NodeId> others = others(seen, node);
    AtomicInteger next = new AtomicInteger();
    Function<PartitionState, NodeId> inTurn =
        p -> others.get(next.getAndIncrement() % others.size());
    Observation.Usable writing =
        placed(seen, p -> p.id().table().equals("w") ? node : inTurn.apply(p));
    Observation.Usable reading =
        placed(seen, p -> p.id().table().equals("r") ? inTurn.apply(p) : others.get(0));

    assertThat(off(decide(slow(writing, node, 6, LONG)), node)).isEmpty();
    NodeId reader = others.get(1);
    assertThat(off(decide(slow(reading, reader, 6, LONG)), reader)).isNotEmpty();
  }

  /** The same while usage is known by requests alone, and a node serves nothing but scans. */
  private static Observation.Usable byRequests(Observation.Usable seen, NodeId scanning) {
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      Rates all = seen.rates(p.id());
      boolean scans = p.node().filter(scanning::equals).isPresent();
      rates.put(p.id(), scans ? new Rates(0, all.total(), 100 * all.total(), 0) : all);
    }
    return new Observation.Usable(seen.snapshot(), rates, seen.usage(), seen.cpu(), List.of());
  }

  @Test
  void aNodeThatServesScansIsLateForThatAlsoWhereNoCostsAreKnown() throws Exception {
    Observation.Usable seen = alike();
    NodeId node = any(seen);
    NodeId other = others(seen, node).get(0);

    assertThat(off(decide(slow(byRequests(seen, node), node, 6, LONG)), node)).isEmpty();
    assertThat(off(decide(slow(byRequests(seen, other), node, 6, LONG)), node)).isNotEmpty();
  }

  /** Moves do not pay for three minutes of late answers, but for what it can't serve. */
  @Test
  void oneThatIsUsedToItsLimitIsRelieved() throws Exception {
    TableSpec large = TableSpec.of("t", 16, 160L << 30, Access.writes(3_000));
    TableSpec seldom = TableSpec.of("s", 4, 160L << 30, Access.reads(4));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 4, large, seldom));
    NodeId node = any(seen);
    Duration minutes = Duration.ofMinutes(3);

    assertThat(off(decide(slow(seen, node, 4, minutes)), node)).isEmpty();
    Decision decision = decide(slow(using(seen, node, 0.98), node, 4, minutes));
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(off(decision, node)).isNotEmpty();
    UsagePrediction predicted = ((Decision.Act) decision).predicted().orElseThrow();
    assertThat(predicted.usage().get(node)).isBetween(0.1, 0.75);
    assertThat(others(seen, node))
        .as("what it uses more does not go along")
        .allSatisfy(other -> assertThat(predicted.usage().get(other)).isLessThan(0.25));
  }

  @Test
  void theOneThatStaysIsAskedForOftenEnoughToTell() throws Exception {
    TableSpec often = TableSpec.of("t", 12, 64 << 20, Access.reads(10_000));
    TableSpec seldom = TableSpec.of("s", 4, 64 << 20, Access.reads(4));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 4, often, seldom));
    NodeId node = any(seen);
    Observation.Usable mixed =
        placed(seen, p -> p.id().table().equals("s") ? node : p.node().orElseThrow());

    List<Action.Move> off = off(decide(slow(mixed, node, 6, LONG)), node);
    assertThat(off).hasSize((int) on(mixed, node) - 1);
    assertThat(off).filteredOn(move -> move.partition().table().equals("s")).hasSize(4);
  }

  /** Something else uses it up. Nothing can be moved off it, but it can be given back. */
  @Test
  void oneThatServesNothingDoesNotKeepTheRestBack() throws Exception {
    TableSpec little = TableSpec.of("t", 16, 64 << 20, Access.reads(2_000));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 4, little));
    NodeId node = any(seen);
    List<NodeId> others = others(seen, node);
    Observation.Usable idle =
        placed(seen, p -> p.node().filter(others::contains).orElse(others.get(0)));
    Decision decision =
        Policies.AUTOPILOT.decide(
            slow(using(idle, node, 0.95), node, 6, LONG), PolicyState.INITIAL, settings(2));

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.RemoveNode.class)).isNotEmpty();
  }
}
