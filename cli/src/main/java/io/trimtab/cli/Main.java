package io.trimtab.cli;

import io.trimtab.clikit.CommandFactory;
import io.trimtab.clikit.CommandModules;
import io.trimtab.clikit.LibraryTraces;
import io.trimtab.clikit.Log;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point: parses, runs, and turns every failure into one line and an exit code. */
public final class Main {
  /** Something unexpected failed; the log has the details. */
  static final int UNEXPECTED = 1;

  /** The user, a file or a cluster is at fault. */
  public static final int REFUSED = 2;

  /** As a shell reports a command that an interrupt ended. */
  static final int INTERRUPTED = 130;

  private static final int LOG_TAIL_LINES = 20;

  private final Terminal terminal;

  public Main(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Runs the command and ends the JVM with its exit code.
   *
   * @param args as typed
   */
  public static void main(String[] args) {
    LibraryTraces.toLog();
    int code = UNEXPECTED;
    try {
      code = new Main(Terminal.system()).run(args);
    } finally {
      // Not a return: client libraries leave threads behind that would keep the JVM alive.
      System.exit(code);
    }
  }

  /**
   * Runs a command.
   *
   * @param args as typed
   * @return its exit code
   */
  public int run(String... args) {
    // Files are found by their names, and reports are read by programs: numbers are written alike
    // wherever the user's language has other digits, or a comma where others have a point.
    Locale.setDefault(Locale.ROOT);
    return run(commandLine(), args);
  }

  int run(CommandLine line, String... args) {
    int code;
    try {
      code = line.execute(args);
    } catch (LinkageError | VirtualMachineError | AssertionError e) {
      // picocli lets them through, and whoever waits for this process's end must see one.
      code = unexpected(e);
    }
    terminal.flush();
    return code;
  }

  CommandLine commandLine() {
    CommandFactory factory = new CommandFactory(terminal);
    CommandLine line = new CommandLine(new Trimtab(), factory);
    CommandModules.addTo(line, factory);
    addFirstSteps(line.getCommandSpec().usageMessage());
    return line.setOut(terminal.out())
        .setErr(terminal.err())
        .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.ansi()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(100)
        .setUsageHelpLongOptionsMaxWidth(32)
        .setExecutionStrategy(this::start)
        .setParameterExceptionHandler((e, all) -> refuse(parameterProblem(e), e))
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e));
  }

  /** Modules' examples come before production's. */
  private static void addFirstSteps(UsageMessageSpec usage) {
    List<String> footer = new ArrayList<>(List.of(usage.footer()));
    footer.addAll(footer.indexOf(Trimtab.FIRST_STEPS) + 1, CommandModules.firstSteps());
    usage.footer(footer.toArray(String[]::new));
  }

  /** Runs the parsed command, with the log ready unless only help or the version is requested. */
  private int start(ParseResult parsed) {
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    Trimtab options = (Trimtab) parsed.commandSpec().userObject();
    terminal.noColor(options.noColor);
    try {
      Log.start(options.debug);
    } catch (UserError e) {
      return refuse(e.getMessage(), e);
    }
    List<CommandLine> commands = parsed.asCommandLineList();
    // Not its options: they may tell what is nobody's business.
    LoggerFactory.getLogger(Main.class)
        .debug("{}; {}", commands.get(commands.size() - 1).getCommandName(), version());
    return new CommandLine.RunLast().execute(parsed);
  }

  private static String version() {
    try {
      return String.join(", ", new Trimtab.Version().getVersion());
    } catch (IOException e) {
      return "of an unknown version";
    }
  }

  private static String parameterProblem(ParameterException e) {
    String path = e.getCommandLine().getCommandSpec().qualifiedName();
    String message = e.getMessage();
    if (e instanceof UnmatchedArgumentException unmatched) {
      message =
          Optional.of(unmatched.getSuggestions())
              .filter(all -> !all.isEmpty())
              .map(all -> message(unmatched) + "; did you mean " + String.join(" or ", all) + "?")
              .orElse(message(unmatched));
    }
    return message + " (see: " + path + " --help)";
  }

  private static String message(UnmatchedArgumentException e) {
    return "unknown argument " + String.join(" ", e.getUnmatched());
  }

  private int failed(Exception e) {
    if (e instanceof UserError user) {
      user.details().stream()
          .skip(Math.max(0, user.details().size() - LOG_TAIL_LINES))
          .forEach(line -> terminal.err().println("  | " + line));
    }
    if (e instanceof UserError || e instanceof EngineException) {
      return refuse(e.getMessage(), e);
    }
    if (e instanceof InterruptedException) {
      terminal.problem("interrupted");
      return INTERRUPTED;
    }
    return unexpected(e);
  }

  private int unexpected(Throwable e) {
    LoggerFactory.getLogger(Main.class).error("the command failed", e);
    String said = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    // Of an error the message is often a name only.
    String what = e instanceof Exception ? said : e.toString();
    terminal.problem(Log.oneLine(what) + "; details in " + Log.file());
    return UNEXPECTED;
  }

  private int refuse(String message, Exception e) {
    terminal.problem(Log.oneLine(message));
    if (Log.debug()) {
      LoggerFactory.getLogger(Main.class).debug("refused", e);
      terminal.problem("the stack trace is in " + Log.file());
    }
    return REFUSED;
  }
}
