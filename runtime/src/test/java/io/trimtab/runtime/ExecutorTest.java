package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ExecutorTest {
  private static final RowKey KEY = RowKey.of(new byte[] {7});

  private static final VirtualClock CLOCK = new VirtualClock(FakeEngine.NOW);

  /** Real threads, so that what goes on at the same time does; no real pauses between tries. */
  private static final Ports PORTS = SimulatedTime.ports(CLOCK, SystemPorts.ports().workers());

  private static final NodeId TARGET = new NodeId("n1:1");
  private static final Plan PLAN = plan();

  /** As of {@code kill -9}: nothing after it runs. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static Plan plan() {
    List<PlannedAction> actions = new ArrayList<>();
    for (Action action :
        List.of(
            new Action.DrainNode(new NodeId("n2:1")),
            new Action.SetBlockSize("t", 32768, 65536),
            new Action.Reconfigure(
                TARGET, Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.ONLINE),
            new Action.Move(new PartitionId("t", "p0"), new NodeId("n0:1"), TARGET),
            new Action.Move(new PartitionId("t", "p2"), new NodeId("n2:1"), TARGET),
            new Action.Split(new PartitionId("t", "p3"), KEY, 0.5, new NodeId("n0:1"), TARGET),
            new Action.Merge(
                new PartitionId("t", "p4"),
                new PartitionId("t", "p5"),
                KeyRange.ALL,
                RowKey.of(new byte[] {9})),
            new Action.Compact(new PartitionId("t", "p0"), 0.9))) {
      actions.add(new PlannedAction(actions.size() + 1, action, "r", "e", "c", "u"));
    }
    return new Plan("plan", "fake", FakeEngine.NOW, "met", "s", 1, actions);
  }

  private static Tenure tenure(FakeEngine engine) throws EngineException {
    return TestTenure.of(engine, new MemoryState());
  }

  private static Executor executor(
      FakeEngine engine, Tenure tenure, FaultPoints faults, BooleanSupplier stop) {
    return executor(engine, Optional.empty(), tenure, Settings.defaults(), faults, stop);
  }

  private static Executor executor(
      FakeEngine engine,
      Optional<NodeProvider> machines,
      Tenure tenure,
      Settings settings,
      FaultPoints faults,
      BooleanSupplier stop) {
    return new Executor(
        new LoopContext(engine, machines, settings, LoopListener.SILENT, PORTS, faults),
        tenure,
        stop,
        () -> true,
        before -> before);
  }

  private static void assertDone(FakeEngine engine) {
    assertThat(engine.placement.get(new PartitionId("t", "p0"))).isEqualTo(TARGET);
    assertThat(engine.placement.get(new PartitionId("t", "p2"))).isEqualTo(TARGET);
    assertThat(engine.placement)
        .containsEntry(new PartitionId("t", "p3-right"), TARGET)
        .doesNotContainKeys(new PartitionId("t", "p3"), new PartitionId("t", "p5"));
    assertThat(engine.profiles.get(TARGET)).isEqualTo(Profile.READ);
    assertThat(engine.blockSizes).containsEntry("t", 65536);
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
  }

  @Test
  void aPlanIsCarriedOutAndTheBalancerPutBack() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    try (Tenure tenure = tenure(engine)) {
      var outcome =
          executor(engine, tenure, FaultPoints.NONE, () -> false)
              .begin(PLAN, engine.balancer, PolicyState.INITIAL, Optional.empty());
      assertThat(outcome.how()).isEqualTo(PlanOutcome.DONE);
      assertDone(engine);
      assertThat(tenure.journal().unfinished()).isEmpty();
      assertThat(engine.verbs.get(0)).isEqualTo("balancer false");
    }
  }

  @Test
  void aControllerKilledAtAnyPointIsFollowedByOneThatFinishes() throws EngineException {
    List<String> points = new ArrayList<>();
    FakeEngine whole = new FakeEngine(3, 6, CLOCK);
    try (Tenure tenure = tenure(whole)) {
      executor(whole, tenure, points::add, () -> false)
          .begin(PLAN, whole.balancer, PolicyState.INITIAL, Optional.empty());
    }
    assertThat(points).hasSizeGreaterThan(3 * PLAN.actions().size());
    for (String fatal : points) {
      FakeEngine engine = new FakeEngine(3, 6, CLOCK);
      AtomicBoolean dead = new AtomicBoolean();
      FaultPoints killer =
          point -> {
            // A dead process passes no further point, not even those in its finally blocks.
            if (dead.get() || point.equals(fatal)) {
              dead.set(true);
              throw new Killed();
            }
          };
      try (Tenure tenure = tenure(engine)) {
        executor(engine, tenure, killer, () -> false)
            .begin(PLAN, engine.balancer, PolicyState.INITIAL, Optional.empty());
      } catch (Killed e) {
        assertThat(dead).isTrue();
      }
      try (Tenure tenure = tenure(engine)) {
        Executor next = executor(engine, tenure, FaultPoints.NONE, () -> false);
        tenure.journal().unfinished().ifPresent(next::resume);
        assertThat(tenure.journal().unfinished()).as("killed at %s", fatal).isEmpty();
      }
      assertDone(engine);
    }
  }

  @Test
  void aLeftPlanCanBeGivenUp() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    FaultPoints killer =
        point -> {
          if (point.equals("action-ended-1") || point.equals("before-restore")) {
            throw new Killed();
          }
        };
    try (Tenure tenure = tenure(engine)) {
      executor(engine, tenure, killer, () -> false)
          .begin(PLAN, engine.balancer, PolicyState.INITIAL, Optional.empty());
    } catch (Killed e) {
      assertThat(engine.balancer).isEqualTo(BalancerState.PAUSED);
    }
    try (Tenure tenure = tenure(engine)) {
      executor(engine, tenure, FaultPoints.NONE, () -> false)
          .abandon(tenure.journal().unfinished().orElseThrow(), "asked to");
      assertThat(tenure.journal().unfinished()).isEmpty();
    }
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
    assertThat(engine.draining).isEmpty();
  }

  @Test
  void stopEndsAVerbThatHangs() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    engine.movesHang = true;
    try (Tenure tenure = tenure(engine)) {
      var outcome =
          executor(engine, tenure, FaultPoints.NONE, () -> engine.verbs.contains("move"))
              .begin(PLAN, engine.balancer, PolicyState.INITIAL, Optional.empty());
      assertThat(outcome.how()).isEqualTo(PlanOutcome.STOPPED);
    }
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
    assertThat(engine.draining).isEmpty();
  }

  @Test
  void aVerbThatKeepsFailingAbandonsThePlanAndTidies() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    engine.movesFail = true;
    try (Tenure tenure = tenure(engine)) {
      var outcome =
          executor(engine, tenure, FaultPoints.NONE, () -> false)
              .begin(PLAN, engine.balancer, PolicyState.INITIAL, Optional.empty());
      assertThat(outcome.how()).isEqualTo(PlanOutcome.ABANDONED);
      assertThat(outcome.why()).contains("does not answer");
      assertThat(tenure.journal().unfinished()).isEmpty();
    }
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
    assertThat(engine.draining).isEmpty();
  }

  private static Executor.Outcome perform(
      FakeEngine engine, FakeNodes machines, Tenure tenure, Action... actions)
      throws EngineException {
    return executor(
            engine,
            Optional.of(machines),
            tenure,
            Settings.defaults(),
            FaultPoints.NONE,
            () -> false)
        .begin(
            new Plan("plan", "fake", FakeEngine.NOW, "met", "s", 1, TestPlans.steps(actions)),
            engine.balancer,
            PolicyState.INITIAL,
            Optional.empty());
  }

  @Test
  void anAddedNodeIsAskedForByAWishAndTakesWhatWasMeantForIt() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    FakeNodes machines = new FakeNodes();
    Action.AddNode add = new Action.AddNode(1, Profile.READ, List.of(-7L, 7L));
    PartitionId moved = new PartitionId("t", "p0");
    try (Tenure tenure = tenure(engine)) {
      perform(
          engine,
          machines,
          tenure,
          add,
          new Action.Move(moved, new NodeId("n0:1"), add.placeholder()));
    }
    assertThat(machines.asked).containsExactly("add plan/" + add.placeholder() + " [-7, 7]");
    assertThat(engine.placement).containsEntry(moved, new NodeId("n9:1"));
  }

  /** It would join, or fail, when nobody looks any more. */
  @Test
  void aNodeThatNeverServesIsWaitedForAgainAndThenGivenBack() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    engine.nodesNeverServe = true;
    FakeNodes machines = new FakeNodes();
    Action.AddNode add = new Action.AddNode(1, Profile.READ);
    try (Tenure tenure = tenure(engine)) {
      Executor.Outcome outcome = perform(engine, machines, tenure, add);
      assertThat(outcome.how()).isEqualTo(PlanOutcome.ABANDONED);
      assertThat(outcome.why()).contains("n9:1 is not in service").contains("JOINING");
    }
    assertThat(engine.verbs.stream().filter("await n9:1"::equals)).hasSize(3);
    // Twice, because a request that was given up may take effect after the first time.
    assertThat(machines.asked)
        .containsExactly("add plan/" + add.placeholder(), "remove n9:1", "remove n9:1");
  }

  /** The others would wait for it to go for ever. */
  @Test
  void aNodeThatCanNotLeaveTheRingStaysInIt() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    engine.ownership = Ownership.TOKENS;
    FakeNodes machines = new FakeNodes();
    try (Tenure tenure = tenure(engine)) {
      Executor.Outcome outcome = perform(engine, machines, tenure, new Action.RemoveNode(TARGET));
      assertThat(outcome.how()).isEqualTo(PlanOutcome.ABANDONED);
      assertThat(outcome.why()).contains("another one is down");
    }
    // This one goes on leaving after its restart, and so is restarted once more.
    assertThat(machines.asked).containsExactly("restart n1:1", "restart n1:1");
    assertThat(engine.verbs).contains("vacate n1:1", "await n1:1");
  }

  @Test
  void aDeadNodesSuccessorIsWaitedForBeforeItsMachineIsReleased() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    FakeNodes machines = new FakeNodes();
    NodeId dead = new NodeId("n7:1");
    Action.ReplaceNode replace = new Action.ReplaceNode(1, dead, Profile.READ);
    try (Tenure tenure = tenure(engine)) {
      assertThat(perform(engine, machines, tenure, replace).done()).isTrue();
    }
    assertThat(engine.verbs).contains("await n9:1");
    assertThat(machines.asked)
        .containsExactly("replace n7:1 plan/" + replace.placeholder(), "remove n7:1");

    // One that answers again is nobody's to replace.
    FakeNodes idle = new FakeNodes();
    FakeEngine back = new FakeEngine(3, 6, CLOCK);
    try (Tenure tenure = tenure(back)) {
      Executor.Outcome outcome =
          perform(back, idle, tenure, new Action.ReplaceNode(1, TARGET, Profile.READ));
      assertThat(outcome.how()).isEqualTo(PlanOutcome.ABANDONED);
      assertThat(outcome.why()).contains("n1:1 is back");
    }
    assertThat(idle.asked).isEmpty();
  }

  @Test
  void aCleanupIsTheEngines() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    try (Tenure tenure = tenure(engine)) {
      assertThat(perform(engine, new FakeNodes(), tenure, new Action.Cleanup(TARGET)).done())
          .isTrue();
      assertThat(tenure.journal().entries().toString()).contains("Cleanup[node=n1:1]");
    }
    assertThat(engine.verbs).contains("cleanup n1:1");
  }

  @Test
  void aNodeWhoseProcessIsGoneIsStillReleased() throws EngineException {
    FakeEngine engine = new FakeEngine(3, 6, CLOCK);
    FakeNodes machines = new FakeNodes();
    NodeId gone = new NodeId("n7:1");
    try (Tenure tenure = tenure(engine)) {
      assertThat(perform(engine, machines, tenure, new Action.RemoveNode(gone)).done()).isTrue();
    }
    assertThat(machines.asked).containsExactly("remove " + gone);
  }

  @Test
  void aNodeThatServesIsNeitherRestartedNorRemoved() throws EngineException {
    FakeNodes machines = new FakeNodes();
    for (Action action :
        List.of(
            new Action.RemoveNode(TARGET),
            new Action.Reconfigure(
                TARGET, Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.RESTART))) {
      FakeEngine engine = new FakeEngine(3, 6, CLOCK);
      try (Tenure tenure = tenure(engine)) {
        Executor.Outcome outcome = perform(engine, machines, tenure, action);
        assertThat(outcome.how()).isEqualTo(PlanOutcome.ABANDONED);
        assertThat(outcome.why()).contains("still serves 2 partitions");
      }
    }
    // What it has is its next start's, too.
    assertThat(machines.asked).containsOnly("persist n1:1");
  }

  /** Two nodes without partitions restart together if they may, and one by one if not. */
  @Test
  void asManyNodesRestartAtOnceAsMay() throws EngineException {
    for (int atOnce = 1; atOnce <= 2; atOnce++) {
      FakeEngine engine = new FakeEngine(4, 0, CLOCK);
      AtomicInteger down = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      FakeNodes machines =
          new FakeNodes() {
            @Override
            public void restart(NodeId node, Duration limit) {
              most.accumulateAndGet(down.incrementAndGet(), Math::max);
              try {
                Thread.sleep(200);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              down.decrementAndGet();
            }
          };
      GuardSettings guard = GuardSettings.builder().maxRestarting(atOnce).build();
      List<PlannedAction> planned = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Action restart =
            new Action.Reconfigure(
                new NodeId("n" + i + ":1"),
                Profile.HOMOGENEOUS,
                Profile.READ,
                Action.ApplyMode.RESTART);
        planned.add(new PlannedAction(i + 1, restart, "r", "e", "c", "u"));
      }
      try (Tenure tenure = tenure(engine)) {
        Executor.Outcome outcome =
            executor(
                    engine,
                    Optional.of(machines),
                    tenure,
                    Settings.defaults().with(guard),
                    FaultPoints.NONE,
                    () -> false)
                .begin(
                    new Plan("plan", "fake", FakeEngine.NOW, "met", "s", 1, planned),
                    engine.balancer,
                    PolicyState.INITIAL,
                    Optional.empty());
        assertThat(outcome.done()).isTrue();
      }
      assertThat(most).hasValue(atOnce);
    }
  }
}
