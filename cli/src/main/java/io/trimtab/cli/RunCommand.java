package io.trimtab.cli;

import io.trimtab.controller.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Plan;
import io.trimtab.engineapi.PlannedAction;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.PlanText;
import java.time.Clock;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The autopilot. */
@Command(
    name = "run",
    description = {
      "Runs the autopilot: observes, decides, and with --act carries its plans out, until stopped",
      "by Ctrl-C or `trimtab stop`. Without --act it changes nothing and tells what it would do.",
      "A plan that a killed autopilot left is resumed when it acts, or abandoned."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab run --lab lab",
      "  trimtab run --lab lab --act",
      "  trimtab run --zookeeper zk1,zk2,zk3:2181 --config trimtab.yaml --act --policy tiramola",
      "  trimtab run --lab lab --act --abandon"
    })
final class RunCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private EngineChoice choice;
  @Mixin private LoopOptions options;

  @Option(names = "--act", description = "Carry plans out.")
  private boolean act;

  @Option(
      names = "--plans",
      paramLabel = "N",
      description = "End after N plans; default: go on.",
      defaultValue = "0")
  private int plans;

  @Option(
      names = "--abandon",
      description = "Give up a plan that a killed autopilot left, instead of resuming it.")
  private boolean abandon;

  RunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    Settings settings = options.settings();
    try (Engine engine = choice.connect()) {
      ControlLoop loop =
          new ControlLoop(
              engine,
              choice.provider(),
              settings,
              new Narrator(),
              Clock.systemUTC(),
              FaultPoints.NONE);
      terminal.line(
          "%s: autopilot for %s, policy %s, a sample every %d s, a decision after %d",
          act ? "acting" : "dry run",
          choice.label(),
          settings.policy().name().toLowerCase(java.util.Locale.ROOT),
          settings.observe().period().toSeconds(),
          settings.observe().samples());
      try (Signals signals = Signals.stop(loop::stop)) {
        return loop.run(act, plans, abandon).filter(o -> !o.done()).isPresent() ? 1 : 0;
      } finally {
        terminal.statusDone();
        terminal.line("the autopilot has ended");
      }
    }
  }

  /** Says what the loop does; the same reason for doing nothing is said once. */
  private final class Narrator implements LoopListener {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private String lastHold = "";

    private void say(String format, Object... arguments) {
      terminal.statusDone();
      terminal.line(LocalTime.now().format(TIME) + " " + String.format(format, arguments));
    }

    @Override
    public void sampled(int samples, int needed) {
      if (terminal.isTty() && samples < needed) {
        terminal.status("observing: sample " + samples + " of " + needed);
      }
    }

    @Override
    public void held(String by, String reason, String setting) {
      String key = by + setting;
      if (!key.equals(lastHold)) {
        say("%s", new Held(by, reason, setting).text());
        lastHold = key;
      }
    }

    @Override
    public void planned(Plan plan, boolean acts) {
      lastHold = "";
      say("%s", acts ? "carrying out:" : "would carry out, with --act:");
      terminal.line(PlanText.table(plan));
    }

    @Override
    public void started(PlannedAction action, int of) {
      if (terminal.isTty()) {
        terminal.status(describe(action, of));
      }
    }

    @Override
    public void ended(PlannedAction action, int of, String outcome, String detail) {
      String rest =
          detail.isEmpty()
              ? outcome
              : detail.startsWith(outcome) ? detail : outcome + ": " + detail;
      say("%s: %s", describe(action, of), rest);
    }

    @Override
    public void planEnded(Plan plan, String outcome, String why) {
      say("plan %s: %s, %s", plan.id(), outcome, why);
    }

    private static String describe(PlannedAction action, int of) {
      return "step %d of %d, %s %s"
          .formatted(action.step(), of, action.action().kind(), PlanText.subject(action.action()));
    }
  }
}
