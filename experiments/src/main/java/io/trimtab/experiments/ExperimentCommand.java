package io.trimtab.experiments;

import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Experiments of the papers, on a lab of their own. */
@Command(
    name = "run",
    description = "Runs an experiment on a new lab and writes a report.",
    footer = {
      "",
      "Examples:",
      "  trimtab lab run E1",
      "  trimtab lab run E2 --runs 5 --seed 1",
      "  trimtab lab run E6PARTS --continue",
      "  trimtab lab run E8 --model model.json",
      "  trimtab lab run E8 --runs 3 --continue",
      "  trimtab lab run E12 --runs 3 --continue",
      "  trimtab lab run RIVALS --for 150m --continue",
      "  trimtab lab run RIVALS --rival autopilot --again",
      "  trimtab lab run RIVALSIM --seeds 8 --seed 1"
    })
public final class ExperimentCommand implements Callable<Integer> {
  private static final Set<Experiments.Name> WITH_MODEL =
      EnumSet.of(Experiments.Name.E8, Experiments.Name.E8RING, Experiments.Name.E11);

  private static final Set<Experiments.Name> WITH_RIVALS =
      EnumSet.of(Experiments.Name.RIVALS, Experiments.Name.RIVALSIM);

  private static final Set<Experiments.Name> LEARNING =
      EnumSet.of(Experiments.Name.E8, Experiments.Name.E8RING);

  /** Of ordinary load, where nothing else is said. */
  private static final Duration LEARN = Duration.ofMinutes(60);

  private static final Duration LEARN_LEAST = Duration.ofMinutes(3);

  private static final Set<Experiments.Name> CONTINUED =
      EnumSet.of(
          Experiments.Name.E6PARTS,
          Experiments.Name.E8,
          Experiments.Name.E8RING,
          Experiments.Name.E12,
          Experiments.Name.OWN,
          Experiments.Name.LATENCY,
          Experiments.Name.POLICIES,
          Experiments.Name.RIVALS);

  private final Terminal terminal;

  @Parameters(paramLabel = "EXPERIMENT", description = "The experiment: ${COMPLETION-CANDIDATES}.")
  private Experiments.Name name;

  @Option(
      names = {"--runs", "--seeds"},
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of runs of each strategy, or of clusters; default: ${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "7",
      description = "Seed of the first run's random placement; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Folder for the report; default: docs/experiments/EXPERIMENT.")
  private Path out;

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description = {
        "For E8, E8RING and E11: an existing model of such nodes; without it, E8 and",
        "E8RING build one, and E11 uses the one in E8's report."
      })
  private Path model;

  @Option(
      names = "--continue",
      description = {
        "For E6PARTS, E8, E8RING, E12, OWN, LATENCY, POLICIES and RIVALS: keep the",
        "runs in the folder, and make the missing ones."
      })
  private boolean continued;

  @Option(
      names = "--again",
      description = {
        "For the same: replace the runs in the folder; with --rival those of these rivals",
        "only. Without either option a folder that holds runs is refused."
      })
  private boolean again;

  @Option(
      names = "--rival",
      paramLabel = "NAME",
      description = {
        "For RIVALS and RIVALSIM: make only the runs of this rival, for example autopilot;",
        "may be given several times."
      })
  private List<String> rivals = new ArrayList<>();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = {
        "For RIVALS: begin only runs that end within this time, for example 150m; the",
        "others are left to --continue."
      })
  private Duration within;

  @Option(
      names = "--learn",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = {
        "For E8 and E8RING: ordinary load from which costs are learned before the loads of",
        "each run, at least 3m; default: 60m."
      })
  private Duration learn;

  ExperimentCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (runs < 1) {
      throw new UserError("--runs must be at least 1, not " + runs);
    }
    if (model != null && !WITH_MODEL.contains(name)) {
      throw new UserError("--model is for E8, E8RING and E11, not for " + name);
    }
    if ((continued || again) && !CONTINUED.contains(name)) {
      throw new UserError(
          (continued ? "--continue" : "--again")
              + " is for E6PARTS, E8, E8RING, E12, OWN, LATENCY, POLICIES and RIVALS, not for "
              + name);
    }
    if (continued && again) {
      throw new UserError("--continue keeps the runs in the folder, --again replaces them: choose");
    }
    if (within != null && name != Experiments.Name.RIVALS) {
      throw new UserError("--for is for RIVALS, not for " + name);
    }
    if (!rivals.isEmpty() && !WITH_RIVALS.contains(name)) {
      throw new UserError("--rival is for RIVALS and RIVALSIM, not for " + name);
    }
    if (learn != null && !LEARNING.contains(name)) {
      throw new UserError("--learn is for E8 and E8RING, not for " + name);
    }
    if (learn != null && learn.compareTo(LEARN_LEAST) < 0) {
      throw new UserError("--learn must be at least 3m, not " + learn.toSeconds() + "s");
    }
    Path folder = out == null ? Path.of("docs", "experiments", name.toString()) : out;
    String lab = "run-" + ProcessHandle.current().pid();
    Console console = new Console(System.out, terminal.isTty());
    Order order =
        new Order(
            runs,
            seed,
            folder.toAbsolutePath(),
            Optional.ofNullable(model),
            lab,
            start(),
            rivals,
            Optional.ofNullable(within),
            learn == null ? LEARN : learn);
    Path report = Experiments.run(name, order, console);
    console.print("report " + report);
    return 0;
  }

  private KeptRuns.Start start() {
    if (again) {
      return KeptRuns.Start.AGAIN;
    }
    return continued ? KeptRuns.Start.CONTINUE : KeptRuns.Start.NEW;
  }
}
