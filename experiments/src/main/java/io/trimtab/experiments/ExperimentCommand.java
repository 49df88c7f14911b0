package io.trimtab.experiments;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.lab.testbed.Console;
import java.nio.file.Path;
import java.util.EnumSet;
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
      "  trimtab lab run E8 --model model.json",
      "  trimtab lab run E12 --runs 3 --continue"
    })
public final class ExperimentCommand implements Callable<Integer> {
  private static final Set<Experiments.Name> WITH_MODEL =
      EnumSet.of(Experiments.Name.E8, Experiments.Name.E8RING, Experiments.Name.E11);

  private static final Set<Experiments.Name> CONTINUED =
      EnumSet.of(
          Experiments.Name.E12,
          Experiments.Name.OWN,
          Experiments.Name.LATENCY,
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
        "For E12, OWN, LATENCY and RIVALS: keep the runs in the folder, and make the",
        "missing ones."
      })
  private boolean continued;

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
    if (continued && !CONTINUED.contains(name)) {
      throw new UserError("--continue is for E12, OWN, LATENCY and RIVALS, not for " + name);
    }
    Path folder = out == null ? Path.of("docs", "experiments", name.toString()) : out;
    String lab = "run-" + ProcessHandle.current().pid();
    Console console = new Console(System.out, terminal.isTty());
    Path report =
        Experiments.run(
            name,
            runs,
            seed,
            folder.toAbsolutePath(),
            Optional.ofNullable(model),
            lab,
            continued,
            console);
    console.print("report " + report);
    return 0;
  }
}
