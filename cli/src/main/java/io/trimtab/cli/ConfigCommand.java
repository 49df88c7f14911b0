package io.trimtab.cli;

import io.trimtab.clikit.CommandModule;
import io.trimtab.clikit.CommandModules;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.formats.SettingsText;
import java.nio.file.Path;
import java.util.Iterator;
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
    description = "Checks configuration files.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = ConfigCommand.CheckConfig.class,
    footer = {"", "Examples:", "  trimtab config check trimtab.yaml"})
public final class ConfigCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  /** What a file may be for. */
  static final class Kinds implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return CommandModules.fileKinds().keySet().iterator();
    }
  }

  @Command(
      name = "check",
      description = "Checks a configuration file as the commands do and reports the first error.",
      footer = {
        "",
        "Examples:",
        "  trimtab config check trimtab.yaml",
        "  trimtab config check agreement.yaml --as agreement"
      })
  static final class CheckConfig implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "File to check.")
    private Path file;

    @Option(
        names = "--as",
        paramLabel = "KIND",
        defaultValue = "autopilot",
        completionCandidates = Kinds.class,
        description = "Kind of file: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private String kind;

    CheckConfig(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      CommandModule.FileReader reader = CommandModules.fileKinds().get(kind);
      if (reader == null) {
        throw new UserError(
            "--as must be one of "
                + String.join(", ", CommandModules.fileKinds().keySet())
                + ", not "
                + kind);
      }
      Object read = reader.read(file, terminal::problem);
      terminal.line("%s: valid; with the defaults:", file);
      terminal.line(SettingsText.of(read));
      return 0;
    }
  }
}
