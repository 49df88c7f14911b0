package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A plan that an earlier controller has begun, and one that goes on with it. */
public final class LeftPlan {
  private LeftPlan() {}

  /**
   * Writes a plan down as begun, as a controller does before anything else.
   *
   * @param balancer as the controller has found it
   */
  public static Plan begin(
      Engine engine, ClusterSnapshot before, BalancerState balancer, List<Action> actions)
      throws EngineException {
    List<PlannedAction> planned = new ArrayList<>();
    for (Action action : actions) {
      planned.add(new PlannedAction(planned.size() + 1, action, "test", "", "", ""));
    }
    Plan plan =
        new Plan(
            "test-" + before.takenAt().toEpochMilli(),
            before.clusterId(),
            before.takenAt(),
            "test",
            "test",
            1,
            planned);
    try (Tenure tenure = tenure(engine, before.clusterId())) {
      assertThat(tenure.journal().unfinished()).isEmpty();
      tenure.record(
          new Entry.PlanStarted(
              Clock.systemUTC().instant(),
              plan,
              balancer,
              new PolicyState(1, false, List.of(), List.of())));
    }
    return plan;
  }

  /** Control of the cluster, taken by the test. */
  public static Tenure tenure(Engine engine, String clusterId) throws EngineException {
    ControlLock lock = engine.takeControl("test");
    return Tenure.begin(lock, engine.shared(), StateDir.of(clusterId), took(lock));
  }

  private static Entry.Took took(ControlLock lock) {
    return new Entry.Took(
        Clock.systemUTC().instant(), lock.epoch(), lock.holder(), "test", "test", "", "test");
  }

  /** Discards what earlier controllers remember, here and with the cluster. */
  public static void forget(Engine engine, String clusterId) throws EngineException {
    StateDir state = StateDir.of(clusterId);
    Tenure.forget(engine, state, Clock.systemUTC().instant());
    state.forget();
  }

  /** Runs the loop in this process; it finds the plan in the journal and carries it out. */
  static Executor.Outcome resume(Lab lab, Engine engine, Duration actionLimit, FaultPoints faults)
      throws EngineException {
    AtomicReference<Executor.Outcome> outcome = new AtomicReference<>();
    ControlLoop[] loop = new ControlLoop[1];
    loop[0] =
        new ControlLoop(
            engine,
            Optional.of(lab.provider()),
            Settings.defaults().with(GuardSettings.builder().actionLimit(actionLimit).build()),
            new LoopListener() {
              @Override
              public void planEnded(Plan plan, PlanOutcome how, String why) {
                outcome.set(new Executor.Outcome(how, why));
                loop[0].stop();
              }
            },
            SystemPorts.ports(),
            faults);
    loop[0].run(true, 0, false);
    return outcome.get();
  }
}
