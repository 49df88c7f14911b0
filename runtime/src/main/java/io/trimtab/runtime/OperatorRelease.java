package io.trimtab.runtime;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.SystemPorts;
import java.util.Optional;

/** Gives back what an autopilot that was killed still holds. */
public final class OperatorRelease {
  private OperatorRelease() {}

  /**
   * Restores the engine's own balancing.
   *
   * @return the state that it was restored to; empty if it was not held
   * @throws EngineException if a controller is in charge, or has left a plan unfinished
   */
  public static Optional<BalancerState> release(Engine engine) throws EngineException {
    LoopContext context =
        new LoopContext(
            engine,
            Optional.empty(),
            Settings.defaults(),
            LoopListener.SILENT,
            SystemPorts.ports(),
            FaultPoints.NONE);
    ClusterState state = context.ports().states().apply(engine.snapshot().clusterId());
    Succession succession =
        new Succession(
            context, Succession.RELEASE, state, engine.shared().stopRequests(), () -> false);
    try (Tenure tenure = succession.begin(false, false).orElseThrow()) {
      if (tenure.journal().unfinished().isPresent()) {
        throw new EngineException(
            "a plan was left unfinished, and restores the balancer at its end: "
                + "trimtab run --act [--abandon] --plans 1");
      }
      Optional<BalancerState> before = ControlDocuments.hold(engine.shared());
      new BalancerHold(context.heldBy(tenure).engine(), tenure, false, context.ports()).release();
      return before;
    }
  }
}
