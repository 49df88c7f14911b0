package io.trimtab.cli;

import io.trimtab.clikit.CommandModules;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command without a subcommand, and the options that all have. */
@Command(
    name = "trimtab",
    description = "An autopilot for NoSQL clusters: observes, decides, acts.",
    versionProvider = Trimtab.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      Trimtab.FIRST_STEPS,
      "  trimtab plan --zookeeper zk1    shows what would be done, and why",
      "  trimtab COMMAND --help          shows the options and examples of a command",
      "",
      "Exit codes: 0 success; 1 a check, a plan or a verification failed, or an unexpected error",
      "(see the log); 2 invalid input, or an unusable cluster or provider: nothing was changed, or",
      "the line says what was; 130 interrupted, 143 ended by SIGTERM.",
      "Logs, labs and journals are in $TRIMTAB_HOME, by default ~/.trimtab."
    })
final class Trimtab implements Runnable {
  static final String FIRST_STEPS = "First steps:";

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli looks at the option only
  private boolean help;

  @Option(names = "--version", versionHelp = true, description = "Show the versions.")
  @SuppressWarnings("UnusedVariable") // picocli looks at the option only
  private boolean version;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Log more, and the stack trace of an error.")
  boolean debug;

  @Option(
      names = "--no-color",
      scope = ScopeType.INHERIT,
      description = "No colours; the default if NO_COLOR is set or the output is not a terminal.")
  boolean noColor;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** What was built, and what for. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      Properties versions = new Properties();
      try (InputStream in = Trimtab.class.getResourceAsStream("version.properties")) {
        versions.load(in);
      }
      List<String> lines = new ArrayList<>();
      lines.add("trimtab " + versions.getProperty("version"));
      lines.addAll(CommandModules.versions());
      lines.add("Java " + System.getProperty("java.version"));
      return lines.toArray(String[]::new);
    }
  }
}
