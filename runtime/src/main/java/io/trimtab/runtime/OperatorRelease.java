package io.trimtab.runtime;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.emptied.PutBack;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import java.util.Optional;

/** Gives back what an autopilot that was killed still holds. */
public final class OperatorRelease {
  private OperatorRelease() {}

  /**
   * Restores the engine's own balancing, and what a command that was killed had taken out of
   * service.
   *
   * @param provider releases and restarts nodes of a plan that is abandoned
   * @param abandon whether a plan that was left unfinished is abandoned, and the cluster tidied up
   * @param listener told if it has to be seen first whether a controller is still alive
   * @return the state that it was restored to; empty if it was not kept off
   * @throws EngineException if a controller is in charge, has left a plan unfinished without {@code
   *     abandon}, or the cluster could not be tidied up
   */
  public static Optional<BalancerState> release(
      Engine engine,
      Optional<NodeProvider> provider,
      boolean abandon,
      LoopListener listener,
      Ports ports)
      throws EngineException {
    LoopContext context =
        new LoopContext(engine, provider, Settings.defaults(), listener, ports, FaultPoints.NONE);
    ClusterState state = ports.states().apply(engine.snapshot().clusterId());
    Succession succession =
        new Succession(
            context, Succession.RELEASE, state, engine.shared().stopRequests(), () -> false);
    try (Tenure tenure = succession.begin(abandon, false).orElseThrow()) {
      Optional<BalancerState> before = ControlDocuments.keptOff(engine.shared());
      LoopContext held = context.heldBy(tenure);
      BalancerHold hold =
          new BalancerHold(held.engine(), tenure, false, held.pause(() -> false), context.ports());
      PutBack putBack = new PutBack(context, tenure, () -> false, hold::between);
      Optional<Executor.Outcome> back = putBack.moves();
      if (back.filter(outcome -> !outcome.done()).isPresent()) {
        throw new EngineException(back.get().why());
      }
      putBack.tellTables();
      Optional<Journal.Unfinished> open = tenure.journal().unfinished();
      if (open.isPresent() && !abandon) {
        throw new EngineException(
            "a plan was left unfinished: `trimtab release --abandon` tidies up after it, `trimtab"
                + " run --act` continues it");
      }
      if (open.isPresent()) {
        Executor executor = new Executor(context, tenure, () -> false, () -> true, hold::between);
        Executor.Outcome ended = executor.abandon(open.get(), "release --abandon was given");
        if (ended.how() != PlanOutcome.ABANDONED) {
          throw new EngineException(ended.why());
        }
      }
      hold.release();
      return before;
    }
  }
}
