package io.trimtab.cli;

import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.runtime.SettingsFile;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Configuration files. */
@Command(
    name = "config",
    description = "Looks at configuration files.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = ConfigCommand.Check.class,
    footer = {"", "Examples:", "  trimtab config check trimtab.yaml"})
final class ConfigCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "what to do with the file is missing");
  }

  /** What a file may be for. */
  enum Kind {
    AUTOPILOT,
    WORKLOAD,
    LAB
  }

  @Command(
      name = "check",
      description = "Reads a file as the commands would, and names the first thing that is wrong.",
      footer = {
        "",
        "Examples:",
        "  trimtab config check trimtab.yaml",
        "  trimtab config check tenants.yaml --as workload",
        "  trimtab config check lab.yaml --as lab"
      })
  static final class Check implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "The file.")
    private Path file;

    @Option(
        names = "--as",
        paramLabel = "KIND",
        defaultValue = "autopilot",
        description = "autopilot, workload or lab; default: ${DEFAULT-VALUE}.")
    private Kind kind;

    Check(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      Object read =
          switch (kind) {
            case AUTOPILOT -> SettingsFile.read(file);
            case WORKLOAD -> WorkloadSpec.read(file);
            case LAB -> LabConfig.read(file);
          };
      terminal.line("%s: fine; with defaults it means:", file);
      terminal.line(Described.of(read));
      return 0;
    }
  }
}
