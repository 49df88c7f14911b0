package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.guard.UncheckedSpace;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.AlternativesText;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.journal.SavedPlan;
import io.trimtab.runtime.ports.SystemPorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One decision, and nothing done about it. */
@Command(
    name = "plan",
    subcommands = PlanShowCommand.class,
    description = {
      "Observes a cluster, decides once and prints the plan, which is not carried out.",
      "Each action comes with its reason, effect, cost and undo. Where nothing should be done, the",
      "reason is printed, with the setting behind it."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab plan --lab lab",
      "  trimtab plan --zookeeper zk1,zk2,zk3:2181 --config trimtab.yaml",
      "  trimtab plan --lab lab --samples 3 --period 10s --json",
      "  trimtab plan --lab lab --save plan.json   # then:",
      "  trimtab run --lab lab --plan plan.json --act",
      "",
      "The gain of a plan is a share of what its policy counts: 0.05 is 5 %% better. Of the",
      "alternatives, price and what they save are minutes of one node over choice.horizon.",
      "Exit code 0 with a plan and without one.",
      "",
      "With --json the output is {\"plan\": …} or {\"hold\": {\"by\", \"reason\", \"setting\"}},",
      "\"remarks\": [what else there is to know, if anything],",
      "and \"alternatives\": [{\"title\", \"before\", \"most\", \"over\", \"nodes\",",
      "\"moves\", \"splits\", \"bytes\", \"rewritten\", \"seconds\", \"price\", \"gain\",",
      "\"tables\", \"verdict\"}] if the policy weighs some; before and most are usages of the",
      "most used node, seconds how long the plan takes, about; price and gain in seconds of",
      "one node."
    })
public final class PlanCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;
  @Mixin private LoopOptions options;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = {
        "Write the plan to a file, to be carried out by: trimtab run --plan FILE --act. Without a",
        "plan no file is written."
      })
  private Path save;

  PlanCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    Settings settings = options.settings();
    if (save != null && Files.exists(save)) {
      throw new UserError(save + " exists: an older plan must not be taken for this one");
    }
    try (Engine engine = choice.connect()) {
      OneDecision decision = new OneDecision(settings);
      Optional<NodeProvider> provider = choice.provider(terminal::line);
      provider
          .flatMap(starts -> RunCommand.warning(starts.offer(), settings))
          .ifPresent(decision.remarks::add);
      decision.loop =
          new ControlLoop(
              engine, provider, settings, decision, SystemPorts.ports(), FaultPoints.NONE);
      decision.loop.run(false, 1, false);
      terminal.statusDone();
      return decision.print(engine, settings);
    }
  }

  /** Ends the loop after its first decision, whatever that is. */
  private final class OneDecision implements LoopListener {
    /** Number of consecutive failed snapshots after which the command fails. */
    private static final int FAILURES_MAX = 3;

    private final Duration period;
    private final int needed;
    private ControlLoop loop;
    private int samples;
    private int failures;
    private Optional<Plan> plan = Optional.empty();
    private Optional<HoldReason> hold = Optional.empty();
    private List<Alternative> weighed = List.of();
    private String usage = "";

    /** What else the loop has told, each once: of nodes, of agreements, of the model. */
    private final Set<String> remarks = new LinkedHashSet<>();

    OneDecision(Settings settings) {
      remarks.addAll(RunCommand.warnings(false, settings));
      period = settings.observe().period();
      needed = settings.observe().samples();
    }

    @Override
    public void sampled(int taken, int of) {
      if (taken > samples) {
        failures = 0;
      }
      samples = taken;
      if (taken < of) {
        terminal.status(
            "observing %s: sample %d of %d, %d s left"
                .formatted(choice.label(), taken, of, period.multipliedBy(of - taken).toSeconds()));
      }
    }

    @Override
    public void weighed(List<Alternative> alternatives) {
      weighed = alternatives;
    }

    @Override
    public void usageFrom(String what) {
      usage = "\n\n" + what;
    }

    @Override
    public void remark(String what) {
      remarks.add(what);
    }

    @Override
    public void held(String by, String reason, String setting) {
      hold = Optional.of(new HoldReason(by, reason, setting));
      failures++;
      if (samples >= needed || failures >= FAILURES_MAX) {
        loop.stop();
      }
    }

    @Override
    public void planned(Plan made, boolean act) {
      plan = Optional.of(made);
    }

    /** What an autopilot in charge has told of before is not told again by this loop. */
    private void look(Engine engine, Settings settings) {
      try {
        ClusterSnapshot seen = engine.snapshot();
        seen.unreadNodes().stream()
            .filter(node -> remarks.stream().noneMatch(told -> told.contains(node.id().name())))
            .forEach(node -> remarks.add(node.read().failure().orElse("")));
        UncheckedSpace.of(seen, settings.guard()).ifPresent(remarks::add);
      } catch (EngineException e) {
        // What took minutes is told all the same.
        remarks.add(e.getMessage());
      }
    }

    int print(Engine engine, Settings settings) throws EngineException {
      HoldReason held = hold.orElse(null);
      if (plan.isEmpty() && held == null) {
        throw new EngineException("observing was interrupted");
      }
      if (plan.isEmpty() && samples < needed) {
        throw new EngineException(choice.label() + ": " + held.reason());
      }
      look(engine, settings);
      if (plan.isPresent()) {
        // First of all: if it can't be written, what took minutes is not lost.
        terminal.line(json ? json("plan", PlanText.json(plan.get())) : text(plan.get()));
        if (save != null) {
          SavedPlan.of(SystemPorts.ports().version(), engine.snapshot(), plan.get()).write(save);
        }
        return 0;
      }
      if (save != null) {
        remarks.add(save + " was not written: there is no plan");
      }
      terminal.line(json ? json("hold", JsonOutput.text(held)) : held.text() + rest());
      return 0;
    }

    private String json(String what, String value) {
      String also = remarks.isEmpty() ? "" : ", \"remarks\": " + JsonOutput.text(remarks);
      String all = weighed.isEmpty() ? "" : ", \"alternatives\": " + JsonOutput.text(weighed);
      return "{\"%s\": %s%s%s}".formatted(what, value, also, all);
    }

    /** What follows the decision: what it has weighed, by what, and what else there is to know. */
    private String rest() {
      return (weighed.isEmpty() ? "" : "\n\n" + AlternativesText.table(weighed))
          + usage
          + (remarks.isEmpty() ? "" : "\n\n" + String.join("\n", remarks));
    }

    private String text(Plan made) {
      return PlanText.table(made)
          + rest()
          + "\n\nnothing was changed; "
          + (save == null
              ? "trimtab run --act decides anew, and carries out what it decides"
              : "to carry it out: trimtab run --plan %s --act, with the same cluster and --config"
                  .formatted(save));
    }
  }
}
