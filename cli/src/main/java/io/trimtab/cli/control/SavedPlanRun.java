package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Signals;
import io.trimtab.clikit.Terminal;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState.Holder;
import io.trimtab.engineapi.SharedState.Life;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.journal.SavedPlan;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.SystemPorts;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Carries out a plan that was saved and approved, if the cluster is still one that it is for. */
record SavedPlanRun(Terminal terminal, ClusterChoice choice, Settings settings, Path file) {
  /**
   * @param act false to check it only
   * @return the exit code
   */
  int call(boolean act) throws EngineException {
    SavedPlan saved = SavedPlan.read(file);
    Ports ports = SystemPorts.ports();
    try (Engine engine = choice.connect()) {
      ClusterSnapshot seen = engine.snapshot();
      saved.check(file, seen, ports.version());
      terminal.line(PlanText.table(saved.plan()));
      terminal.line("");
      LoopContext context =
          new LoopContext(
              engine,
              choice.provider(terminal::line),
              settings,
              new Narrator(terminal, ""),
              ports,
              FaultPoints.NONE);
      if (!act) {
        return told(saved, context);
      }
      AtomicBoolean stop = new AtomicBoolean();
      try (Signals signals = Signals.stop(() -> stop.set(true))) {
        Executor.Outcome outcome =
            OperatorPlan.carryOut(
                context,
                "run --plan",
                new Decision.Act(saved.plan(), PolicyState.INITIAL),
                state -> state.after(saved.plan().actions(), saved.plan().snapshotAt()),
                stop::get,
                now -> saved.check(file, now, ports.version()));
        terminal.line("%s: %s", outcome.how(), outcome.why());
        return outcome.done() ? 0 : 1;
      }
    }
  }

  /** As far as it is known without being in charge; an autopilot that is would have to end. */
  private int told(SavedPlan saved, LoopContext context) throws EngineException {
    try {
      OperatorPlan.check(context, saved.plan());
    } catch (EngineException e) {
      throw new EngineException("it would be refused: " + e.getMessage(), e);
    }
    Optional<Holder> holder = context.engine().shared().holder().filter(h -> h.life() != Life.GONE);
    terminal.line(
        "nothing was changed; the plan can be carried out: add --act%s",
        holder.map(h -> " when " + h.name() + ", which is in charge, has ended").orElse(""));
    return 0;
  }
}
