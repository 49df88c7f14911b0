package io.trimtab.cli.plugin;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Table;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.PluginInstall;
import io.trimtab.hbase.PluginInstall.ServerPlugin;
import java.util.Map;
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
    description = "Shows and explains the plug-in that lets nodes change configuration online.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PluginCommand.PluginStatus.class, PluginCommand.Install.class},
    footer = {
      "",
      "Examples:",
      "  trimtab plugin status hbase --lab lab",
      "  trimtab plugin install hbase --zookeeper zk1,zk2,zk3:2181"
    })
public final class PluginCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  /** Databases with a plug-in. */
  enum PluginTarget {
    HBASE
  }

  private static Map<NodeId, ServerPlugin> ask(Terminal terminal, HBaseEngine engine)
      throws EngineException {
    Map<NodeId, ServerPlugin> servers = engine.plugin().servers();
    Table table = new Table("node", "plug-in", "regions followed", "problem");
    servers
        .values()
        .forEach(
            s ->
                table.row(
                    s.node(),
                    s.version().orElse("not loaded"),
                    s.followed() < 0 ? "" : s.followed(),
                    s.problem()));
    terminal.line(table.toString().stripTrailing());
    return servers;
  }

  private static HBaseEngine connect(ClusterChoice choice) throws EngineException {
    return choice
        .address()
        .accept(
            new ClusterAddress.Visitor<HBaseEngine, EngineException>() {
              @Override
              public HBaseEngine hbase(ClusterAddress.HBase address) throws EngineException {
                return HBaseEngine.connect(address.client());
              }

              @Override
              public HBaseEngine cassandra(ClusterAddress.Cassandra address) {
                throw new UserError(choice.label() + " is not an HBase cluster");
              }
            });
  }

  private static boolean allWork(Map<NodeId, ServerPlugin> servers) {
    return servers.values().stream().allMatch(ServerPlugin::works);
  }

  @Command(
      name = "status",
      description = "Checks on every node whether the plug-in is loaded and works.",
      footer = {
        "",
        "Examples:",
        "  trimtab plugin status hbase --lab lab",
        "",
        "Exit code 1 if a node does not have it."
      })
  static final class PluginStatus implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DATABASE", description = "The database: hbase.")
    @SuppressWarnings("UnusedVariable") // there is one so far; picocli refuses others
    private PluginTarget database;

    @Mixin private ClusterChoice choice;

    PluginStatus(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws EngineException {
      try (HBaseEngine engine = connect(choice)) {
        return allWork(ask(terminal, engine)) ? 0 : 1;
      }
    }
  }

  @Command(
      name = "install",
      description = {
        "Explains how to load the plug-in on the nodes that don't have it.",
        "Changes nothing on the cluster: HBase loads plug-ins from its own configuration, at start."
      },
      footer = {
        "",
        "Examples:",
        "  trimtab plugin install hbase --zookeeper zk1,zk2,zk3:2181",
        "",
        "Labs load the plug-in automatically. Exit code 1 if a node does not have it."
      })
  static final class Install implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DATABASE", description = "The database: hbase.")
    @SuppressWarnings("UnusedVariable") // there is one so far; picocli refuses others
    private PluginTarget database;

    @Mixin private ClusterChoice choice;

    Install(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws EngineException {
      try (HBaseEngine engine = connect(choice)) {
        if (allWork(ask(terminal, engine))) {
          terminal.line("the plug-in works on every node; nothing to do");
          return 0;
        }
        terminal.line(PluginInstall.steps(PluginJar.write().toString()).stripTrailing());
        return 1;
      }
    }
  }
}
