package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Signals;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.controller.settings.BalancerMode;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The autopilot. */
@Command(
    name = "run",
    description = {
      "Runs the autopilot until stopped; carries its plans out only with --act.",
      "It observes, decides and acts until Ctrl-C or `trimtab stop`. Without --act it changes no",
      "placement and no setting, and prints what it would do; clients' reports are answered all",
      "the same. The unfinished plan of a killed autopilot is resumed first, or abandoned with",
      "--abandon; it counts for --plans.",
      "Exit code 0 if it has ended as asked; 1 if the plan of --plan, or the last one of --plans,",
      "was not carried out to its end, if control was lost, or the database's balancer could not",
      "be put back; 2 if a limit refuses the plan of --plan, or the cluster can't be used."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab run --lab lab",
      "  trimtab run --lab lab --act",
      "  trimtab run --zookeeper zk1,zk2,zk3:2181 --config trimtab.yaml --act --policy tiramola",
      "  trimtab run --lab lab --act --abandon",
      "  trimtab run --zookeeper zk1:2181 --act --standby      # on a second host",
      "  trimtab run --fleet fleet.yaml --act",
      "  trimtab run --lab lab --plan plan.json --act"
    })
public final class RunCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;
  @Mixin private LoopOptions options;

  @Option(
      names = "--fleet",
      paramLabel = "FILE",
      description = "Fleet file (YAML): several clusters, each with its own settings.")
  private Path fleet;

  @Option(names = "--act", description = "Carry out the plans; without it, a dry run.")
  private boolean act;

  @Option(
      names = "--plans",
      paramLabel = "N",
      description = "Stop after N plans; default: run until stopped.")
  private Integer plans;

  @Option(
      names = "--abandon",
      description = "Abandon the unfinished plan of a killed autopilot instead of resuming it.")
  private boolean abandon;

  @Option(
      names = "--standby",
      description = {
        "With --act: wait while another autopilot is in charge, and take over when it ends,",
        "dies or stands still."
      })
  private boolean standby;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = {
        "Carry out this plan, which trimtab plan --save wrote, and end; nothing is done where the",
        "cluster has changed in a way that matters to it."
      })
  private Path saved;

  RunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    if (standby && !act) {
      throw new UserError("--standby needs --act: a dry run has nothing to wait for");
    }
    if (plans != null && plans < 1) {
      throw new UserError("--plans must be at least 1, not " + plans);
    }
    if (saved != null && (standby || abandon || plans != null || fleet != null)) {
      throw new UserError("--plan goes with none of --standby, --abandon, --plans and --fleet");
    }
    if (fleet != null) {
      return fleet();
    }
    Settings settings = options.settings();
    if (saved != null) {
      return new SavedPlanRun(terminal, choice, settings, saved).call(act);
    }
    return new Autopilot(terminal, choice, settings).run(act, most(), abandon, standby);
  }

  /** As for the control loop: 0 is without end. */
  private int most() {
    return plans == null ? 0 : plans;
  }

  /** What an operator should know of these settings before anything is done. */
  static List<String> warnings(boolean act, Settings settings) {
    List<String> warnings = new ArrayList<>();
    if (act && settings.balancer() == BalancerMode.RESTORE) {
      warnings.add(
          "warning: balancer: restore: between plans the database's own balancer may undo the"
              + " placement within minutes; balancer: hold keeps it off");
    }
    settings.agreementNotKept().map(what -> "warning: " + what).ifPresent(warnings::add);
    return warnings;
  }

  /** What a provider tells may be longer than the load is expected to last. */
  static Optional<String> warning(NodeCapacity offer, Settings settings) {
    Duration horizon = settings.choice().horizon();
    return offer
        .boot()
        .filter(boot -> boot.multipliedBy(2).compareTo(horizon) > 0)
        .map(
            boot ->
                ("warning: a new node boots in about %d min, more than half of choice.horizon (%d"
                        + " min), and counts as doing so in half of it; raise that if loads last"
                        + " longer")
                    .formatted(boot.toMinutes(), horizon.toMinutes()));
  }

  private int fleet() throws InterruptedException {
    if (choice.named() || choice.extended() || options.given()) {
      throw new UserError(
          "--fleet names the clusters and their settings; leave out the other options for these"
              + "; set metrics and providers in connections.yaml");
    }
    Fleet clusters = new Fleet(FleetFile.read(fleet), terminal);
    try (Signals signals = Signals.stop(clusters::stop)) {
      clusters.run(act, most(), abandon, standby);
    } finally {
      terminal.line("the autopilot has ended");
    }
    return clusters.wentWrong() ? 1 : 0;
  }
}
