package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Memory;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.Workers;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stops by files in a home folder, which mean all autopilots of this user here, and by Ctrl-C. */
@Timeout(60)
class OperatorStopTest extends SafetyFixture {
  @TempDir private Path home;
  private StateDir folder;

  @BeforeEach
  void home() throws Exception {
    System.setProperty("trimtab.home", home.toString());
    folder = StateDir.of(cluster.engine().snapshot().clusterId());
  }

  @AfterEach
  void noHome() {
    System.clearProperty("trimtab.home");
  }

  /** The folder as another process sees it. */
  private StateDir again() {
    return StateDir.of(folder.clusterId());
  }

  private ControlLoop controller(LoopListener listener) {
    return new ControlLoop(
        cluster.engine(), Optional.empty(), settings, listener, ports(again()), FaultPoints.NONE);
  }

  /** Of a command that carries out one plan. */
  private LoopContext context(Ports ports, FaultPoints faults) {
    return new LoopContext(
        cluster.engine(), Optional.empty(), settings, LoopListener.SILENT, ports, faults);
  }

  @Test
  void oneThatWaitsEndsAndDoesNotTakeOverFromTheOneThatEndsFirst() throws Exception {
    folder.register();
    ControlLock lock = cluster.engine().takeControl("somebody");
    ControlLoop standby =
        controller(
            new LoopListener() {
              @Override
              public void waiting(String why) {
                assertThat(again().requestStop(false).controllers()).hasSize(2);
                lock.close();
                folder.unregister();
              }
            });

    assertThat(standby.run(true, 0, false, true)).isEmpty();

    assertThat(standby.endedOnRequest()).isTrue();
    assertThat(again().recorded()).isEmpty();
    assertThat(again().runningControllers()).isEmpty();
  }

  @Test
  void oneThatIsRefusedTakesNobodysRegistrationAway() throws Exception {
    folder.register();
    try (ControlLock lock = cluster.engine().takeControl("somebody")) {
      assertThatThrownBy(() -> controller(LoopListener.SILENT).run(true, 1, false))
          .isInstanceOf(ControlTakenException.class);
      assertThat(lock.held()).isTrue();
    }
    assertThat(again().runningControllers()).hasSize(1);
    folder.unregister();
  }

  @Test
  void ctrlCEndsAnOrderedPlanAndRestoresTheBalancer() throws Exception {
    AtomicBoolean interrupted = new AtomicBoolean();
    FaultPoints ctrlC =
        point -> {
          if (point.equals("balancer-paused")) {
            interrupted.set(true);
          }
        };
    LoopContext context = context(ports(again()), ctrlC);
    BalancerState before = cluster.engine().snapshot().balancer();

    Executor.Outcome outcome =
        OperatorPlan.carryOut(
            context,
            "split apply",
            new Decision.Act(plan(), PolicyState.INITIAL),
            UnaryOperator.identity(),
            interrupted::get);

    assertThat(outcome.how()).isEqualTo(PlanOutcome.STOPPED);
    assertThat(moves()).isZero();
    assertThat(cluster.engine().snapshot().balancer())
        .isEqualTo(before)
        .isNotEqualTo(BalancerState.PAUSED);
    assertThat(again().recorded()).last().isInstanceOf(Entry.PlanEnded.class);
    assertThat(again().runningControllers()).isEmpty();
  }

  /** What the balancer was is what it is when nobody else is in charge any more. */
  @Test
  void theBalancerThatAnotherControllerGivesBackMeanwhileStaysOn() throws Exception {
    cluster.engine().setBalancer(BalancerState.PAUSED);
    BalancerState given = new BalancerState(true, true);
    Ports released =
        SimulatedTime.ports(
            cluster.clock(),
            Workers.IN_TURN,
            id -> {
              try {
                cluster.engine().setBalancer(given);
              } catch (EngineException e) {
                throw new AssertionError(e);
              }
              return again();
            });
    LoopContext context = context(released, FaultPoints.NONE);

    Executor.Outcome outcome =
        OperatorPlan.carryOut(
            context,
            "split apply",
            new Decision.Act(plan(), PolicyState.INITIAL),
            UnaryOperator.identity(),
            () -> false);

    assertThat(outcome.how()).isEqualTo(PlanOutcome.DONE);
    assertThat(cluster.engine().snapshot().balancer()).isEqualTo(given);
  }

  /** Neither does a saved plan choose a policy, nor does an older one's. */
  @ParameterizedTest
  @ValueSource(strings = {"autopilot", "met-1"})
  void anOrderedPlanIsNoPolicys(String policy) throws Exception {
    Plan made = plan();
    Plan saved =
        new Plan(made.id(), made.clusterId(), made.snapshotAt(), policy, "s", 1, made.actions());
    LoopContext context = context(ports(again()), FaultPoints.NONE);

    Executor.Outcome outcome =
        OperatorPlan.carryOut(
            context,
            "run --plan",
            new Decision.Act(saved, PolicyState.INITIAL),
            UnaryOperator.identity(),
            () -> false);

    assertThat(outcome.how()).isEqualTo(PlanOutcome.DONE);
    Memory memory = ControlDocuments.read(cluster.engine().shared()).memory().orElseThrow();
    assertThat(memory.lastPlan()).isEqualTo(saved.id());
    assertThat(memory.lastPolicy()).isEmpty();
  }

  /** As a region's new server counts no requests of it for some seconds. */
  @ParameterizedTest
  @ValueSource(ints = {3, 30})
  void anOrderWaitsForAWholeSnapshotOf30Seconds(int partial) throws Throwable {
    AtomicInteger looks = new AtomicInteger();
    Engine engine =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, method, arguments) -> {
                  Object answer = method.invoke(cluster.engine(), arguments);
                  return answer instanceof ClusterSnapshot seen
                          && looks.incrementAndGet() <= partial
                      ? seen.with(seen.nodes(), seen.partitions(), List.of("r/1 is not counted"))
                      : answer;
                });
    LoopContext whole = context(ports(again()), FaultPoints.NONE);
    LoopContext context =
        new LoopContext(
            engine,
            whole.provider(),
            whole.settings(),
            whole.listener(),
            whole.ports(),
            whole.faults());
    ThrowableAssert.ThrowingCallable order =
        () ->
            assertThat(
                    OperatorPlan.carryOut(
                            context,
                            "split apply",
                            new Decision.Act(plan(), PolicyState.INITIAL),
                            UnaryOperator.identity(),
                            () -> false)
                        .how())
                .isEqualTo(PlanOutcome.DONE);

    if (partial < 15) {
      order.call();
      assertThat(moves()).isPositive();
    } else {
      assertThatThrownBy(order).hasMessage("the snapshot is partial: r/1 is not counted");
      assertThat(moves()).isZero();
    }
  }
}
