package io.trimtab.lab.command;

import io.trimtab.clikit.BytesConverter;
import io.trimtab.clikit.Table;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.cluster.Isolate;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.LabStatus;
import io.trimtab.lab.cluster.Owner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Local clusters of real processes. */
@Command(
    name = "lab",
    description = "Starts and stops local clusters of real database processes.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LabCommand.Up.class,
      LabCommand.Status.class,
      LabCommand.Down.class,
      DiskCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  trimtab lab up hbase --nodes 3",
      "  trimtab lab up cassandra --nodes 3",
      "  trimtab lab status",
      "  trimtab lab down --all"
    })
public final class LabCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  /**
   * A lab's settings.
   *
   * @param config null: all defaults
   * @throws UserError also where the file is of another database
   */
  public static LabConfig settings(Path config, Database database) {
    if (config == null) {
      LabConfig defaults = LabConfig.defaults();
      return database == Database.HBASE
          ? defaults
          : defaults.withCassandra(CassandraSettings.DEFAULTS);
    }
    LabConfig read = LabConfig.read(config);
    if (read.database() != database) {
      throw new UserError(
          config
              + (database == Database.HBASE
                  ? ": cassandra: not allowed in an HBase lab"
                  : ": cassandra: missing; {} means all defaults"));
    }
    return read;
  }

  @Command(
      name = "up",
      description = "Starts a cluster and returns when it serves; it runs until `lab down`.",
      footer = {
        "",
        "Examples:",
        "  trimtab lab up hbase",
        "  trimtab lab up hbase --nodes 5 --heap 400m --isolate --name five",
        "  trimtab lab up cassandra --nodes 3 --isolate",
        "  trimtab lab up cassandra --secure",
        "  trimtab lab up hbase --config lab.yaml"
      })
  static final class Up implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DATABASE", description = "The database: hbase or cassandra.")
    private Database database;

    @Option(names = "--name", description = "Name of the lab; default: lab.")
    private String name;

    @Option(
        names = "--nodes",
        paramLabel = "N",
        description =
            "Number of database nodes; default: 3. The nodes' CPU quota follows it, also if the"
                + " file has one for another number.")
    private Integer nodes;

    @Option(
        names = "--heap",
        paramLabel = "SIZE",
        converter = BytesConverter.class,
        description =
            "Heap of each node's database process; default: 300m for HBase, 384m for Cassandra."
                + " The memory limit follows it, also if the file has one.")
    private Bytes heap;

    @Option(
        names = "--isolate",
        negatable = true,
        description =
            "Limit each node's CPU, memory and disk by a control group, or fail; default: if"
                + " the machine supports it.")
    private Boolean isolate;

    @Option(
        names = "--secure",
        description =
            "With TLS, users and permissions (Cassandra), or Kerberos and permissions (HBase).")
    private boolean secure;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "Lab settings as YAML; options take precedence.")
    private Path config;

    Up(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      LabConfig labConfig = labConfig();
      long start = System.nanoTime();
      Lab lab =
          Lab.up(
              labConfig,
              Owner.NONE,
              (done, total, what) ->
                  terminal.status(
                      String.format(
                          "lab %s: step %d of %d, %s", labConfig.name(), done + 1, total, what)));
      terminal.statusDone();
      LabStatus status = lab.status();
      terminal.line("lab %s is up after %.0f s", status.name(), (System.nanoTime() - start) / 1e9);
      Status.print(terminal, status);
      String how = "--lab " + status.name();
      if (labConfig.secure()) {
        Path connections = lab.dir().secure().resolve("connections.yaml");
        terminal.line("  connections: %s", connections);
        how = "--cluster " + status.name() + " --connections " + connections;
      }
      terminal.line("next: trimtab plan %s; trimtab lab down %s", how, status.name());
      return 0;
    }

    private LabConfig labConfig() {
      LabConfig labConfig = settings(config, database);
      try {
        labConfig = name == null ? labConfig : labConfig.withName(name);
        labConfig = nodes == null ? labConfig : labConfig.withNodes(nodes);
        labConfig = heap == null ? labConfig : labConfig.withHeap(heap);
        labConfig = secure ? labConfig.withSecure(true) : labConfig;
        return isolate == null
            ? labConfig
            : labConfig.withIsolate(isolate ? Isolate.ON : Isolate.OFF);
      } catch (IllegalArgumentException e) {
        throw new UserError("--" + e.getMessage(), e);
      }
    }
  }

  @Command(
      name = "status",
      description = "Shows the labs of this user and whether all their processes run.",
      footer = {
        "",
        "Examples:",
        "  trimtab lab status",
        "  trimtab lab status five",
        "",
        "Exit code 1 if a process of a lab has died."
      })
  static final class Status implements Callable<Integer> {
    private static final String OUT_OF_MEMORY = ", killed: its node's memory limit was too small";

    private final Terminal terminal;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Only this lab.")
    private String name;

    Status(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      List<String> names = name == null ? Lab.names() : List.of(name);
      if (names.isEmpty()) {
        terminal.line("no lab is up");
        return 0;
      }
      boolean healthy = true;
      for (String each : names) {
        LabStatus status = Lab.attach(each).status();
        print(terminal, status);
        healthy &= status.healthy();
      }
      return healthy ? 0 : 1;
    }

    static void print(Terminal terminal, LabStatus status) {
      terminal.line(
          "lab %s: %s, %s, %d of %d nodes serve",
          status.name(),
          status.healthy() ? "healthy" : status.ready() ? "NOT WHOLE" : "starting",
          status.contact(),
          Math.max(0, status.serving()),
          status.nodes().size());
      terminal.line("  isolation: %s", status.isolation());
      terminal.line("  folder: %s", status.folder());
      Table table = new Table("  process", "node", "profile", ">pid");
      status.services().forEach((process, pid) -> table.row("  " + process, "", "", pid(pid)));
      for (LabNode node : status.nodes()) {
        node.pids()
            .forEach(
                (kind, pid) ->
                    table.row(
                        "  " + kind + " " + node.name(),
                        node.id(),
                        kind.equals("regionserver") ? node.profile().name() : "",
                        pid(pid) + (pid.isEmpty() && node.oomKills() > 0 ? OUT_OF_MEMORY : "")));
      }
      terminal.line(table.toString().stripTrailing());
      if (status.gone()) {
        terminal.line(
            "  none of its processes runs; remove it with: trimtab lab down %s", status.name());
      }
    }

    private static String pid(OptionalLong pid) {
      return pid.isPresent() ? Long.toString(pid.getAsLong()) : "gone";
    }
  }

  @Command(
      name = "down",
      description = "Stops a lab and removes its files from this machine.",
      footer = {
        "",
        "Examples:",
        "  trimtab lab down",
        "  trimtab lab down five",
        "  trimtab lab down --all"
      })
  static final class Down implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
        arity = "0..1",
        paramLabel = "NAME",
        description = "Name of the lab; optional if there is only one.")
    private String name;

    @Option(names = "--all", description = "All labs of this user.")
    private boolean all;

    Down(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      List<String> names = new ArrayList<>(Lab.names());
      if (names.isEmpty() && name == null) {
        terminal.line("no lab is up");
        return 0;
      }
      if (!all) {
        names = List.of(name == null ? only(names) : existing(names));
      }
      for (String each : names) {
        String lost = Lab.down(each);
        terminal.line("lab %s is down%s", each, lost.isEmpty() ? "" : "; " + lost);
      }
      return 0;
    }

    private String existing(List<String> names) {
      if (!names.contains(name)) {
        throw new UserError("no lab named " + name + "; there are: " + String.join(", ", names));
      }
      return name;
    }

    private static String only(List<String> names) {
      if (names.size() > 1) {
        throw new UserError(
            "several labs exist: " + String.join(", ", names) + "; name one, or use --all");
      }
      return names.get(0);
    }
  }
}
