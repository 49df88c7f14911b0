package io.trimtab.runtime;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.SystemPorts;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Executes a plan ordered by an operator in the same way as the control loop: as the only
 * controller, journaled, only on a healthy cluster, and stoppable by the kill switch.
 */
public final class OperatorPlan {
  private OperatorPlan() {}

  /**
   * Executes the plan.
   *
   * @param order the plan; its own policy state is ignored
   * @param remember the policy state to store
   * @throws EngineException if there is another controller, or the cluster must not be changed now
   */
  public static Executor.Outcome carryOut(
      Engine engine,
      Decision.Act order,
      UnaryOperator<PolicyState> remember,
      Settings settings,
      LoopListener listener)
      throws EngineException {
    Ports ports = SystemPorts.ports();
    ClusterSnapshot now = engine.snapshot();
    ClusterState state = ports.states().apply(now.clusterId());
    try (ControlLock lock = engine.takeControl(ports.owner());
        Journal journal = state.journal()) {
      if (journal.unfinished().isPresent()) {
        throw new EngineException(
            "a plan was left unfinished; resume or abandon it first: "
                + "trimtab run --act [--abandon]");
      }
      Optional<Guard.Verdict> unsafe = Guard.unsafe(now, settings, ports.clock().instant());
      if (unsafe.isPresent() && unsafe.get() instanceof Guard.Verdict.Refuse refuse) {
        throw new EngineException("the cluster must not be touched now: " + refuse.reason());
      }
      state.register();
      try {
        return new Executor(
                new LoopContext(
                    engine, Optional.empty(), settings, listener, ports, FaultPoints.NONE),
                journal,
                () -> state.stopAsked() || ports.waiter().interrupted() || !lock.held())
            .begin(order.plan(), now.balancer(), remember.apply(journal.policyState()));
      } finally {
        state.unregister();
      }
    }
  }
}
