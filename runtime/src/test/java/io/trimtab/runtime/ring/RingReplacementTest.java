package io.trimtab.runtime.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.ReplicaSignals;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.ring.TokenAllocator;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node of a ring takes a slow one's place: in which order, and what the others have then. */
class RingReplacementTest {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final long BYTES = 9_000_000_000L;
  private static final int COPIES = 2;

  /** A node more for a while, and never one fewer. */
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(2).build())
          .with(GuardSettings.builder().minNodes(4).maxNodes(5).build())
          .with(Policies.AUTOPILOT);

  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.ring(1, 4, COPIES, TableSpec.of("k.t", 4, BYTES, Access.reads(100))));

  private final List<String> begun = new ArrayList<>();
  private final List<String> waits = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();

  /** Live nodes, and bytes of all of them, at each point that a plan has reached. */
  private final List<Integer> nodes = new ArrayList<>();

  private final List<Double> stored = new ArrayList<>();

  private NodeId slow;
  private SortedMap<Long, NodeId> tokens;
  private Map<NodeId, Double> bytes;
  private Plan plan;
  private PolicyState next;

  @BeforeEach
  void decide() throws EngineException {
    slow = cluster.truth().nodes().get(1).id();
    tokens = new TreeMap<>(cluster.tokens());
    bytes = bytes();
    History history = History.EMPTY;
    for (int i = 0; i < 3; i++) {
      cluster.clock().advance(Duration.ofSeconds(5));
      history = history.append(cluster.engine().snapshot(), SETTINGS.observe());
    }
    Observation seen = Observation.of(history, cluster.clock().instant(), SETTINGS.observe());
    SlowNode told = new SlowNode(slow, 0.2, Duration.ofMinutes(45), ReplicaSignals.UNKNOWN);
    Decision decision =
        Policies.AUTOPILOT.decide(
            ((Observation.Usable) seen).withSlow(List.of(told)), PolicyState.INITIAL, SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Decision.Act act = (Decision.Act) decision;
    next = act.next();
    plan =
        TokenAllocator.choose(
            act.plan(),
            cluster.engine().ringRequests(TokenAllocator.TOKENS_MAX, Duration.ofSeconds(10)));
  }

  private Map<NodeId, Double> bytes() {
    return cluster.truth().partitions().stream()
        .collect(
            Collectors.groupingBy(
                p -> p.node().orElseThrow(),
                TreeMap::new,
                Collectors.summingDouble(PartitionState::sizeBytes)));
  }

  private final class Heard implements LoopListener {
    private ControlLoop loop;

    @Override
    public void started(PlannedAction action, int of) {
      begun.add(action.action().kind());
    }

    @Override
    public void waits(Plan waiting, String reason) {
      waits.add(reason);
    }

    @Override
    public void planEnded(Plan over, PlanOutcome outcome, String why) {
      ended.add(outcome + ": " + why);
      loop.stop();
    }

    @Override
    public void held(String by, String reason, String setting) {
      ended.add("held by " + by + ": " + reason);
      loop.stop();
    }
  }

  /** A controller goes on with what an earlier one has left. */
  private void run(FaultPoints points) throws EngineException {
    Heard heard = new Heard();
    MemoryState home = new MemoryState();
    heard.loop =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            SETTINGS,
            heard,
            SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> home),
            point -> {
              ClusterSnapshot now = cluster.truth();
              nodes.add(now.liveNodes().size());
              stored.add(bytes().values().stream().mapToDouble(b -> b).sum());
              points.reached(point);
            });
    heard.loop.run(true, 0, false);
  }

  private interface Work {
    void on(Tenure tenure) throws EngineException;
  }

  /** A controller has begun the plan, has done some of it, and is gone. */
  private void left(Work work) throws EngineException {
    try (Tenure tenure = TestTenure.of(cluster.engine(), new MemoryState())) {
      tenure.record(
          new Entry.PlanStarted(now(), plan, cluster.engine().snapshot().balancer(), next));
      work.on(tenure);
    }
  }

  private Instant now() {
    return cluster.clock().instant();
  }

  private void joins(Tenure tenure) throws EngineException {
    Action.AddNode add = plan.actions(Action.AddNode.class).get(0);
    tenure.record(new Entry.ActionStarted(now(), 1));
    NodeId node =
        cluster
            .provider()
            .add(plan.id() + "/" + add.placeholder(), add.profile(), add.tokens(), LIMIT);
    tenure.record(new Entry.NodeAdded(now(), add.placeholder(), node));
    cluster.engine().awaitNode(node, 0, LIMIT);
    tenure.record(new Entry.ActionEnded(now(), 1, ActionOutcome.DONE, ""));
  }

  private NodeId joined() {
    return cluster.truth().nodes().stream()
        .map(NodeState::id)
        .filter(node -> !bytes.containsKey(node))
        .findFirst()
        .orElseThrow();
  }

  /** It has the other's tokens and data, and nobody else has more or less than before. */
  private void assertReplaced() {
    NodeId joined = joined();
    SortedMap<Long, NodeId> due = new TreeMap<>();
    tokens.forEach((token, n) -> due.put(n.equals(slow) ? token - 1 : token, n));
    due.replaceAll((token, n) -> n.equals(slow) ? joined : n);
    assertThat(cluster.tokens()).isEqualTo(due);
    Map<NodeId, Double> now = bytes();
    assertThat(now.get(joined)).isCloseTo(bytes.get(slow), within(10.0));
    assertThat(now).hasSize(4).doesNotContainKey(slow);
    bytes.forEach(
        (node, before) -> {
          if (!node.equals(slow)) {
            assertThat(now.get(node)).as("%s", node).isCloseTo(before, within(10.0));
          }
        });
    assertThat(cluster.faults().calls(Verb.ADD)).isEqualTo(1);
    assertThat(cluster.faults().calls(Verb.CLEANUP)).as("of what has come back").isZero();
  }

  /** Nothing is ever missing, neither a copy nor a node. */
  private void assertWhole() {
    assertThat(nodes).allMatch(live -> live >= 4);
    assertThat(stored).allMatch(all -> all > COPIES * (double) BYTES - 100);
  }

  @Test
  void itJoinsBeforeTheOtherLeavesAndTheRestCleanUpLast() throws Exception {
    left(tenure -> {});
    run(FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("done").doesNotContain("cleanup");
    assertThat(begun).containsExactly("add-node", "remove-node", "cleanup", "cleanup", "cleanup");
    assertReplaced();
    assertWhole();
  }

  @Test
  void aPlanThatIsStoppedInBetweenLeavesAWholeRing() throws Exception {
    left(tenure -> {});
    run(
        point -> {
          if (point.equals("action-ended-1")) {
            cluster.control().requestStop("an upgrade");
          }
        });

    assertThat(ended)
        .singleElement()
        .asString()
        .startsWith("stopped: a stop was requested")
        .endsWith(
            "; run `nodetool cleanup` on "
                + bytes.keySet().stream().map(NodeId::toString).collect(Collectors.joining(", "))
                + " before a node leaves the ring: they still store data that the new node has"
                + " taken over, and deleted rows could come back");
    assertThat(begun).containsExactly("add-node");
    assertThat(cluster.truth().liveNodes()).hasSize(5).noneMatch(NodeState::draining);
    assertThat(cluster.tokens().values()).contains(slow, joined());
    assertWhole();
  }

  @Test
  void whoComesAfterTheJoinGoesOnWithTheLeave() throws Exception {
    left(this::joins);
    run(FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("done");
    assertThat(begun).containsExactly("remove-node", "cleanup", "cleanup", "cleanup");
    assertReplaced();
    assertWhole();
  }

  @Test
  void whoComesDuringTheLeaveWaitsForIt() throws Exception {
    left(
        tenure -> {
          joins(tenure);
          tenure.record(new Entry.ActionStarted(now(), 2));
          assertThatThrownBy(() -> cluster.engine().vacate(slow, Duration.ofSeconds(10)))
              .isInstanceOf(EngineException.class);
        });
    run(FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("done");
    assertReplaced();
  }

  @Test
  void aRepairThatBeginsInBetweenIsWaitedForUpToTheHorizon() throws Exception {
    Instant[] times = new Instant[2];
    left(tenure -> {});
    run(
        point -> {
          if (point.equals("action-ended-1")) {
            times[0] = now();
            cluster.setMaintenance(slow, List.of("repair"));
          } else if (point.equals("action-started-2")) {
            times[1] = now();
          }
        });

    assertThat(waits)
        .singleElement()
        .asString()
        .startsWith(slow + " is busy with repair; no node joins or leaves before that has ended");
    assertThat(Duration.between(times[0], times[1]))
        .isBetween(Duration.ofMinutes(60), Duration.ofMinutes(61));
    assertThat(ended).singleElement().asString().startsWith("done");
    assertReplaced();
  }

  @Test
  void aPlanIsNotBegunWhileANodeRepairs() throws Exception {
    left(tenure -> {});
    cluster.setMaintenance(tokens.get(tokens.firstKey()), List.of("repair"));
    run(FaultPoints.NONE);

    assertThat(ended)
        .singleElement()
        .asString()
        .startsWith("abandoned: ")
        .contains(" is busy with repair; no node joins or leaves before that has ended");
    assertThat(cluster.faults().calls(Verb.ADD)).isZero();
  }
}
