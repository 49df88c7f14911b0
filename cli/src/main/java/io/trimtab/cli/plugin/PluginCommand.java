package io.trimtab.cli.plugin;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.EngineException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What is loaded into the database. */
@Command(
    name = "plugin",
    description = {
      "Shows, explains and sets the plug-ins that are loaded into databases.",
      "HBase's lets nodes change configuration online and follows requests; Cassandra's ranks the",
      "replicas of reads."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PluginCommand.PluginStatus.class, PluginCommand.Install.class, PluginSet.class},
    footer = {
      "",
      "Examples:",
      "  trimtab plugin status hbase --lab lab",
      "  trimtab plugin install hbase --zookeeper zk1,zk2,zk3:2181",
      "  trimtab plugin install cassandra --cassandra host1"
    })
public final class PluginCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  private static LoadedPlugin.Answers ask(Terminal terminal, LoadedPlugin plugin)
      throws EngineException {
    LoadedPlugin.Answers answers = plugin.ask();
    terminal.line(answers.table().toString().stripTrailing());
    if (!answers.remark().isEmpty()) {
      terminal.line(answers.remark());
    }
    return answers;
  }

  /** Returns the exit code. */
  static int status(Terminal terminal, LoadedPlugin plugin, String database)
      throws EngineException {
    LoadedPlugin.Answers answers = ask(terminal, plugin);
    String lacking =
        answers.lacking() == 0
            ? ""
            : "; without it: %d (trimtab plugin install %s)".formatted(answers.lacking(), database);
    terminal.line(
        "the plug-in works on %d of %d nodes%s"
            .formatted(answers.works(), answers.nodes(), lacking));
    return answers.everywhere() ? 0 : 1;
  }

  /** Returns the exit code. */
  static int install(Terminal terminal, LoadedPlugin plugin) throws EngineException {
    LoadedPlugin.Answers answers = ask(terminal, plugin);
    if (answers.everywhere()) {
      terminal.line("the plug-in works on every node; nothing to do");
      return 0;
    }
    terminal.line(
        answers.lacking() > 0
            ? plugin.steps().stripTrailing()
            : "there is no node to load the plug-in on; see the column problem");
    return 1;
  }

  @Command(
      name = "status",
      description = "Checks on every node whether the plug-in is loaded and works.",
      footer = {
        "",
        "Examples:",
        "  trimtab plugin status hbase --lab lab",
        "  trimtab plugin status cassandra --cassandra host1",
        "",
        "Exit code 1 if a node does not have it, or something went wrong in it."
      })
  static final class PluginStatus implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DATABASE", description = "The database: hbase or cassandra.")
    private PluginTarget database;

    @Mixin private ClusterChoice choice;

    PluginStatus(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws EngineException {
      try (LoadedPlugin plugin = database.connect(choice)) {
        return status(terminal, plugin, database.toString());
      }
    }
  }

  @Command(
      name = "install",
      description = {
        "Explains how to load the plug-in on the nodes that don't have it.",
        "Changes nothing on the cluster: databases load plug-ins by their own configuration, at",
        "start."
      },
      footer = {
        "",
        "Examples:",
        "  trimtab plugin install hbase --zookeeper zk1,zk2,zk3:2181",
        "  trimtab plugin install cassandra --cassandra host1",
        "",
        "Labs load HBase's automatically, and Cassandra's with cassandra.ranking. Exit code 1 if",
        "a node does not have it."
      })
  static final class Install implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DATABASE", description = "The database: hbase or cassandra.")
    private PluginTarget database;

    @Mixin private ClusterChoice choice;

    Install(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws EngineException {
      try (LoadedPlugin plugin = database.connect(choice)) {
        return install(terminal, plugin);
      }
    }
  }
}
