package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Signals;
import io.trimtab.clikit.Terminal;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import java.util.Optional;

/** An autopilot of one cluster, until it is stopped or has had its plans; says what it does. */
public final class Autopilot {
  private final Terminal terminal;
  private final ClusterChoice choice;
  private final Settings settings;

  public Autopilot(Terminal terminal, ClusterChoice choice, Settings settings) {
    this.terminal = terminal;
    this.choice = choice;
    this.settings = settings;
  }

  /**
   * Runs it; the parameters are those of {@link ControlLoop#run}.
   *
   * @return the command's exit code: 1 if the last plan {@link PlanOutcome#wentWrong went wrong},
   *     or control was lost
   * @throws EngineException also if there was to be one plan, and it was refused, since the node
   *     provider's first answer made no sense
   */
  public int run(boolean act, int plans, boolean abandon, boolean standby) throws EngineException {
    try (Engine engine = choice.connect()) {
      Optional<NodeProvider> provider = choice.provider(terminal::line);
      ControlLoop loop =
          new ControlLoop(
              engine,
              provider,
              settings,
              new Narrator(terminal, ""),
              SystemPorts.ports(),
              FaultPoints.NONE);
      terminal.line(
          "%s: autopilot for %s, policy %s, a sample every %d s, a decision after %d",
          act ? "acting" : "dry run",
          choice.label(),
          settings.policy().name(),
          settings.observe().period().toSeconds(),
          settings.observe().samples());
      RunCommand.warnings(act, settings).forEach(terminal::line);
      provider
          .flatMap(starts -> RunCommand.warning(starts.offer(), settings))
          .ifPresent(terminal::line);
      try (Signals signals = Signals.stop(loop::stop)) {
        Optional<Executor.Outcome> last = loop.run(act, plans, abandon, standby);
        if (plans == 1) {
          refuse(last);
        }
        return exitCode(last, plans);
      } catch (LostControlException e) {
        terminal.statusDone();
        terminal.problem(e.getMessage() + "; the cluster was left as it is, see: trimtab status");
        return 1;
      } finally {
        terminal.statusDone();
        terminal.line("the autopilot has ended");
      }
    }
  }

  /** Of several plans the others may have changed something. */
  private static void refuse(Optional<Executor.Outcome> only) throws EngineException {
    if (only.filter(outcome -> outcome.how() == PlanOutcome.REFUSED).isPresent()) {
      throw new EngineException(only.get().why());
    }
  }

  /** What could not be put back is told, since nobody would look for it in the log. */
  private int exitCode(Optional<Executor.Outcome> last, int plans) {
    last.filter(outcome -> outcome.how() == PlanOutcome.UNFINISHED)
        .ifPresent(
            outcome -> {
              terminal.statusDone();
              terminal.problem(outcome.why() + "; see: trimtab status");
            });
    return last.filter(outcome -> outcome.how().wentWrong(plans)).isPresent() ? 1 : 0;
  }
}
