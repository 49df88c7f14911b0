package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.BalancerPause;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.Faults.Kind;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A request to switch the engine's balancing off may take effect after it was given up, or find the
 * engine balancing, for minutes; it ends as it was.
 */
@Timeout(60)
class LateBalancerTest extends SafetyFixture {
  private static final BalancerState ON = new BalancerState(true, true);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Test
  void aSwitchOffBetweenPlansThatTakesEffectLateIsUndone() throws Exception {
    leave(here);
    run(here, FaultPoints.NONE);
    assertThat(ended).singleElement().asString().startsWith("done");
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
    cluster.faults().on(Verb.SET_BALANCER, 1, Kind.LATE);

    run(here, FaultPoints.NONE);

    assertThat(held).isNotEmpty();
    cluster.clock().advance(Duration.ofMinutes(1));
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
  }

  @Test
  void aSwitchOffAfterAPlanThatTakesEffectLateIsUndone() throws Exception {
    leave(here);
    // Off before the plan, and again after it, where it stays off between plans.
    cluster.faults().on(Verb.SET_BALANCER, 1, Kind.LATE);

    run(here, FaultPoints.NONE);

    cluster.clock().advance(Duration.ofMinutes(1));
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
  }

  /** The plan that was left is done within seconds, before the request of whoever left it comes. */
  @Test
  void aLateSwitchOffOfTheControllerBeforeIsUndoneAfterItsPlanIsDone() throws Exception {
    settings = settings.with(BalancerMode.RESTORE);
    leave(here);
    cluster.faults().on(Verb.SET_BALANCER, 1, Kind.LATE, Duration.ofSeconds(8));
    assertThatThrownBy(() -> cluster.engine().setBalancer(BalancerState.PAUSED))
        .isInstanceOf(EngineException.class);

    run(here, FaultPoints.NONE);

    assertThat(ended).singleElement().asString().startsWith("done");
    cluster.clock().advance(Duration.ofMinutes(1));
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
  }

  private final List<String> told = new ArrayList<>();

  /** What the database does between the request and its answer. */
  @FunctionalInterface
  private interface Balances {
    void run() throws EngineException, InterruptedException;
  }

  private Engine during(Balances balances) {
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(),
            new Class<?>[] {Engine.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("pauseBalancer")) {
                cluster.engine().setBalancer(BalancerState.PAUSED);
                try {
                  balances.run();
                } catch (InterruptedException e) {
                  throw new EngineException("interrupted", e);
                }
                return null;
              }
              try {
                return method.invoke(cluster.engine(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Executor.Outcome carryOut(
      Engine engine, Workers workers, Decision.Act act, BooleanSupplier stop) throws Exception {
    Ports ports = SimulatedTime.ports(cluster.clock(), workers, id -> here);
    LoopContext context =
        new LoopContext(
            engine, Optional.empty(), settings, LoopListener.SILENT, ports, FaultPoints.NONE);
    return OperatorPlan.carryOut(context, "split apply", act, UnaryOperator.identity(), stop);
  }

  private Decision.Act act() throws EngineException {
    return new Decision.Act(plan(), PolicyState.INITIAL);
  }

  /** Moves the plan's last partition to the third node, which the plan knows nothing of. */
  private void balance(Plan plan) throws EngineException {
    Action.Move last = plan.actions(Action.Move.class).get(MOVES - 1);
    NodeId third =
        cluster.engine().snapshot().nodes().stream()
            .map(node -> node.id())
            .filter(node -> !node.equals(last.from()) && !node.equals(last.to()))
            .findFirst()
            .orElseThrow();
    cluster.engine().move(last.partition(), third, LIMIT);
    cluster.clock().advance(Duration.ofMinutes(1));
  }

  @Test
  void aPlanIsLookedAtAgainAfterwards() throws Exception {
    Decision.Act act = act();

    Executor.Outcome outcome =
        carryOut(during(() -> balance(act.plan())), Workers.IN_TURN, act, () -> false);

    assertThat(outcome.how()).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(moves()).as("of the database itself").isEqualTo(1);
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
  }

  @Test
  void aPlanThatItDoesNotTouchGoesOn() throws Exception {
    Decision.Act act = act();
    Engine engine = during(() -> cluster.clock().advance(Duration.ofMinutes(1)));

    assertThat(carryOut(engine, Workers.IN_TURN, act, () -> false).how())
        .isEqualTo(PlanOutcome.DONE);
    assertMoved(act.plan());
  }

  /** And the balancer is given back at once: it may be minutes until the balancing ends. */
  @Test
  void aStopEndsTheWait() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Engine engine =
        during(
            () -> {
              waits.countDown();
              try {
                TimeUnit.HOURS.sleep(1);
              } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
              }
            });

    Executor.Outcome outcome =
        carryOut(engine, SystemPorts.ports().workers(), act(), () -> waits.getCount() == 0);

    assertThat(outcome.how()).isEqualTo(PlanOutcome.STOPPED);
    assertThat(interrupted).isTrue();
    assertThat(moves()).isZero();
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
  }

  private BalancerHold hold(Engine engine, Tenure tenure, Ports ports, BooleanSupplier ending)
      throws EngineException {
    return new BalancerHold(
        engine, tenure, true, new BalancerPause(engine, LIMIT, ending, told::add, ports), ports);
  }

  @Test
  void whatWasDecidedBeforeIsDecidedAnew() throws Exception {
    ClusterSnapshot seen = cluster.engine().snapshot();
    Engine engine = during(() -> cluster.clock().advance(Duration.ofMinutes(1)));
    try (Tenure tenure = TestTenure.of(cluster.engine(), here)) {
      BalancerHold hold = hold(engine, tenure, ports(here), () -> false);

      assertThatThrownBy(() -> hold.engageFor(seen))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("deciding again");

      assertThat(cluster.truth().balancer()).isEqualTo(BalancerState.PAUSED);
      hold.engageFor(cluster.engine().snapshot());
      hold.release();
    }
    assertThat(cluster.truth().balancer()).isEqualTo(seen.balancer());
  }

  /** It is written down before it is switched off, so that it is given back in any case. */
  @Test
  void aStopDuringTheWaitOfAHoldLeavesItToBeGivenBack() throws Exception {
    ClusterSnapshot seen = cluster.engine().snapshot();
    Engine engine =
        during(
            () -> {
              cluster.clock().advance(Duration.ofSeconds(4));
              TimeUnit.HOURS.sleep(1);
            });
    Ports ports = SimulatedTime.ports(cluster.clock(), SystemPorts.ports().workers(), id -> here);
    try (Tenure tenure = TestTenure.of(cluster.engine(), here)) {
      BalancerHold hold = hold(engine, tenure, ports, () -> !told.isEmpty());

      assertThatThrownBy(() -> hold.engage(seen))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("a stop was requested");
      assertThat(told).containsExactly("the database may still be moving partitions by itself");

      assertThat(ControlDocuments.keptOff(cluster.control())).contains(seen.balancer());
      hold.release();
    }
    assertThat(cluster.truth().balancer()).isEqualTo(seen.balancer());
    assertThat(ControlDocuments.keptOff(cluster.control())).isEmpty();
  }
}
