package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.StoppedWorkers;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A node that joins or leaves a ring does so for longer than its controller lives: the next one
 * waits for it, and nothing that forbids a new action ends it.
 */
class ResumedRingTest extends SafetyFixture {
  private Workers workers = Workers.IN_TURN;

  /** A node streams for half an hour. */
  ResumedRingTest() {
    super(ClusterSpec.ring(1, 4, 2, TableSpec.of("k.t", 4, 900_000_000_000L, Access.reads(100))));
    settings = settings.with(GuardSettings.builder().maxNodes(5).build());
  }

  @Override
  Ports ports(ClusterState home) {
    return SimulatedTime.ports(cluster.clock(), workers, id -> home);
  }

  /** A controller has begun the plan's only action, and is gone. */
  private void begun(Plan plan, TestTenure.Work work) throws EngineException {
    TestTenure.begun(
        cluster,
        here,
        plan,
        tenure -> {
          tenure.record(new Entry.ActionStarted(cluster.clock().instant(), 1));
          work.on(tenure);
        });
    assertThat(cluster.engine().snapshot().partitionsInTransition()).isEqualTo(1);
  }

  private void joins() throws EngineException {
    Action.AddNode add = new Action.AddNode(1, Profile.HOMOGENEOUS);
    Plan plan = plan(add);
    begun(
        plan,
        tenure -> {
          NodeId node =
              cluster
                  .provider()
                  .add(
                      plan.id() + "/" + add.placeholder(),
                      add.profile(),
                      List.of(),
                      Duration.ofMinutes(1));
          tenure.record(new Entry.NodeAdded(cluster.clock().instant(), add.placeholder(), node));
        });
  }

  private NodeId leaves() throws EngineException {
    NodeId node = cluster.engine().snapshot().nodes().get(3).id();
    begun(
        plan(new Action.RemoveNode(node)),
        tenure ->
            assertThatThrownBy(() -> cluster.engine().vacate(node, Duration.ofSeconds(10)))
                .isInstanceOf(EngineException.class));
    return node;
  }

  private void blackout() {
    LocalTime now = cluster.clock().instant().atZone(ZoneOffset.UTC).toLocalTime();
    settings =
        settings.with(
            GuardSettings.builder()
                .maxNodes(5)
                .blackouts(List.of(now.minusMinutes(5) + "-" + now.plusMinutes(50)))
                .build());
  }

  private void stop() {
    cluster.control().requestStop("an upgrade");
  }

  private void assertJoined() throws EngineException {
    assertThat(ended).last().asString().startsWith("done");
    assertThat(cluster.engine().snapshot().liveNodes()).hasSize(5);
    assertThat(cluster.faults().calls(Verb.ADD)).isEqualTo(1);
    assertThat(cluster.faults().calls(Verb.REMOVE)).isZero();
  }

  private void assertLeft(NodeId node) throws EngineException {
    assertThat(ended).last().asString().startsWith("done");
    assertThat(cluster.engine().snapshot().node(node)).isEmpty();
    assertThat(cluster.faults().calls(Verb.RESTART)).isZero();
  }

  @Test
  void aJoinThatWasTakenUpIsWaitedFor() throws Exception {
    joins();
    run(elsewhere, FaultPoints.NONE);
    assertJoined();
  }

  @Test
  void aJoinThatWasTakenUpIsWaitedForInABlackout() throws Exception {
    joins();
    blackout();
    run(elsewhere, FaultPoints.NONE);
    assertJoined();
  }

  @Test
  void aJoinThatWasTakenUpIsWaitedForAfterThePlansLimit() throws Exception {
    joins();
    cluster.clock().advance(Duration.ofHours(7));
    run(elsewhere, FaultPoints.NONE);
    assertJoined();
  }

  @Test
  void aLeaveThatWasTakenUpIsWaitedFor() throws Exception {
    NodeId node = leaves();
    run(elsewhere, FaultPoints.NONE);
    assertLeft(node);
  }

  @Test
  void aLeaveThatWasTakenUpIsWaitedForInABlackout() throws Exception {
    NodeId node = leaves();
    blackout();
    run(elsewhere, FaultPoints.NONE);
    assertLeft(node);
  }

  @Test
  void aLeaveThatWasTakenUpIsWaitedForAfterThePlansLimit() throws Exception {
    settings =
        settings.with(GuardSettings.builder().maxNodes(5).planLimit(Duration.ofMinutes(1)).build());
    NodeId node = leaves();
    cluster.clock().advance(Duration.ofMinutes(2));
    run(elsewhere, FaultPoints.NONE);
    assertLeft(node);
  }

  /**
   * The JMX of another one is broken for good, say: nothing new is begun, so that it is no harm.
   */
  @Test
  void aLeaveThatWasTakenUpIsWaitedForBesideANodeThatCanNotBeRead() throws Exception {
    NodeId node = leaves();
    NodeId other = cluster.engine().snapshot().nodes().get(0).id();
    cluster.faults().always(Verb.SNAPSHOT, other, Kind.GAP);
    run(elsewhere, FaultPoints.NONE);
    cluster.faults().clear();
    assertLeft(node);
  }

  /**
   * It may be leaving: to take it for one that stays would restart it, with all it has streamed.
   */
  @Test
  void aLeavingNodeThatIsSilentForAMomentIsAskedAgainAfterThePlansLimit() throws Exception {
    settings =
        settings.with(GuardSettings.builder().maxNodes(5).planLimit(Duration.ofMinutes(1)).build());
    NodeId node = leaves();
    cluster.clock().advance(Duration.ofMinutes(2));
    for (int nth = 1; nth < 8; nth++) {
      cluster.faults().on(Verb.SNAPSHOT, node, nth, Kind.GAP);
    }
    run(elsewhere, FaultPoints.NONE);
    assertLeft(node);
  }

  /** Somebody has taken it out for repair meanwhile. */
  @Test
  void aNodeOfAStepThatNeverBeganIsLeftAsItIs() throws Exception {
    NodeId node = cluster.engine().snapshot().nodes().get(3).id();
    leave(here, plan(new Action.AddNode(1, Profile.HOMOGENEOUS), new Action.RemoveNode(node)));
    cluster.faults().always(Verb.ADD, Kind.FAIL);
    run(
        here,
        at(
            "action-started-1",
            () ->
                assertThatThrownBy(() -> cluster.engine().vacate(node, Duration.ofSeconds(10)))
                    .isInstanceOf(EngineException.class)));

    assertThat(ended).last().asString().startsWith("abandoned");
    assertThat(cluster.faults().calls(Verb.RESTART)).isZero();
  }

  @Test
  void aLeaveThatWasNotBegunYetIsNotBegunInABlackout() throws Exception {
    NodeId node = cluster.engine().snapshot().nodes().get(3).id();
    leave(here, plan(new Action.RemoveNode(node)));
    try (Tenure tenure = TestTenure.of(cluster.engine(), here)) {
      tenure.record(new Entry.ActionStarted(cluster.clock().instant(), 1));
    }
    blackout();

    run(elsewhere, FaultPoints.NONE);

    assertThat(ended).last().asString().startsWith("abandoned").contains("blackout");
    assertThat(cluster.faults().calls(Verb.VACATE)).isZero();
  }

  /** Whether the database goes on is known from the look before the action. */
  @Test
  void aJoinGoesOnWhereTheClusterDoesNotAnswerAtTheStop() throws Exception {
    leave(here, plan(new Action.AddNode(1, Profile.HOMOGENEOUS)));
    cluster.faults().on(Verb.AWAIT_NODE, 1, Kind.FAIL);
    workers = new StoppedWorkers();
    run(
        here,
        at(
            "action-started-1",
            () -> {
              stop();
              cluster.faults().always(Verb.SNAPSHOT, Kind.FAIL);
            }));
    cluster.faults().clear();
    assertThat(ended).singleElement().asString().startsWith("detached");

    workers = Workers.IN_TURN;
    run(elsewhere, FaultPoints.NONE);
    assertJoined();
  }

  @Test
  void aJoinGoesOnWhereTheStopComesBetweenTwoTries() throws Exception {
    leave(here, plan(new Action.AddNode(1, Profile.HOMOGENEOUS)));
    cluster.faults().on(Verb.AWAIT_NODE, 1, Kind.FAIL);
    run(here, at("action-started-1", this::stop));
    assertThat(ended).singleElement().asString().startsWith("detached");

    run(elsewhere, FaultPoints.NONE);
    assertJoined();
  }

  /** The second controller has not come to wait for the node yet. */
  @Test
  void aJoinGoesOnThroughTwoStops() throws Exception {
    joins();
    run(elsewhere, at("plan-started", this::stop));
    assertThat(ended).singleElement().asString().startsWith("detached");

    run(here, FaultPoints.NONE);
    assertJoined();
  }

  @Test
  void aStopWhileTheClusterDoesNotAnswerLeavesAJoinAlone() throws Exception {
    joins();
    run(
        elsewhere,
        at(
            "plan-started",
            () -> {
              stop();
              cluster.faults().always(Verb.SNAPSHOT, Kind.FAIL);
            }));
    cluster.faults().clear();
    assertThat(ended).singleElement().asString().startsWith("detached");
    assertThat(ControlDocuments.read(cluster.control()).open()).isPresent();

    run(here, FaultPoints.NONE);
    assertJoined();
  }

  @Test
  void aJoinOutlastsAClusterThatDoesNotAnswer() throws Exception {
    joins();
    for (int nth = 2; nth < 100; nth++) {
      cluster.faults().on(Verb.SNAPSHOT, nth, Kind.FAIL);
    }
    run(elsewhere, FaultPoints.NONE);
    assertJoined();
  }
}
