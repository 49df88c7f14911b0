package io.trimtab.calibrate;

import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.command.LabCommand;
import io.trimtab.lab.testbed.Console;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Measured tables. */
@Command(
    synopsisSubcommandLabel = "COMMAND",
    name = "table",
    description = "Measures provisioning tables: response times by clients and nodes.",
    subcommands = TableCommand.Build.class,
    footer = {
      "",
      "Example:",
      "  trimtab slo table build cassandra --workload zipf.yaml --clients 8,16,32 --nodes 3-5"
          + " --node-type small --out zipf.csv"
    })
public final class TableCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  /** {@code 3} or {@code 3-6}. */
  record NodeRange(int from, int to) {}

  static final class RangeText implements ITypeConverter<NodeRange> {
    @Override
    public NodeRange convert(String value) {
      String[] ends = value.split("-", 2);
      try {
        int from = Integer.parseInt(ends[0].strip());
        return new NodeRange(from, ends.length == 1 ? from : Integer.parseInt(ends[1].strip()));
      } catch (NumberFormatException e) {
        throw new TypeConversionException("must be N or N-M, not '" + value + "'");
      }
    }
  }

  /** Measures one. */
  @Command(
      name = "build",
      description = {
        "Measures a provisioning table on local clusters.",
        "Starts the smallest cluster, loads a tenant's table, measures each number of clients,",
        "adds a node and repeats, until another node no longer helps or the largest size is",
        "reached. Rows are written as they are measured: --resume continues after an interruption.",
        "Nothing else should run on the machine meanwhile."
      },
      footer = {
        "",
        "Examples:",
        "  trimtab slo table build cassandra --workload zipf.yaml --clients 8,16,32 --nodes 3-5"
            + " --node-type small --out zipf.csv",
        "  trimtab slo table build hbase --workload zipf.yaml --clients 8,16 --nodes 2-4"
            + " --node-type small --config small.yaml --out zipf.csv --resume"
      })
  static final class Build implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
        paramLabel = "DATABASE",
        description = "The database to measure: hbase or cassandra.")
    private Database database;

    @Option(
        names = "--workload",
        required = true,
        paramLabel = "FILE",
        description =
            "Workload file with one tenant; the tenant's name becomes the workload's name"
                + " in the table.")
    private Path workload;

    @Option(
        names = "--clients",
        required = true,
        split = ",",
        paramLabel = "N",
        description = "Numbers of concurrent clients to measure, for example 8,16,32.")
    private List<Integer> clients = new ArrayList<>();

    @Option(
        names = "--nodes",
        required = true,
        converter = RangeText.class,
        paramLabel = "N-M",
        description = "Number of nodes of the smallest and of the largest cluster.")
    private NodeRange nodes;

    @Option(
        names = "--node-type",
        required = true,
        paramLabel = "NAME",
        description = "Name of this type of node in the table.")
    private String nodeType;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "Lab settings as YAML: they define the type of node.")
    private Path config;

    @Option(
        names = "--out",
        required = true,
        paramLabel = "FILE",
        description = "File to write the table to, as CSV.")
    private Path out;

    @Option(
        names = "--fill",
        converter = DurationConverter.class,
        paramLabel = "TIME",
        description = "Warm-up before a cluster is measured; default: 60s.")
    private Duration fill = Duration.ofSeconds(60);

    @Option(
        names = "--measure",
        converter = DurationConverter.class,
        paramLabel = "TIME",
        description = "Duration of each measurement; default: 60s.")
    private Duration measure = Duration.ofSeconds(60);

    @Option(
        names = "--repeats",
        paramLabel = "N",
        description = "Number of measurements averaged in each row; default: 1.")
    private int repeats = 1;

    @Option(names = "--resume", description = "Continue an interrupted table.")
    private boolean resume;

    Build(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
      TablePlan plan = plan();
      if (Files.exists(out) && !resume) {
        throw new UserError(out + " exists; continue it with --resume, or name another file");
      }
      Path folder = out.toAbsolutePath().getParent();
      if (!Files.isDirectory(folder)) {
        throw new UserError(folder + ": no such folder");
      }
      Console console = new Console(System.out, terminal.isTty());
      List<Cell> rows =
          new TableBuilder(plan, out, console).build("table-" + ProcessHandle.current().pid());
      console.print(
          "table %s: %d rows of %s on nodes of type %s"
              .formatted(out, rows.size(), plan.tenant().name(), nodeType));
      return 0;
    }

    private TablePlan plan() {
      WorkloadSpec spec = WorkloadSpec.read(workload, terminal::problem);
      if (spec.tenants().size() != 1) {
        throw new UserError(
            workload + ": a table needs exactly one tenant, not " + spec.tenants().size());
      }
      LabConfig lab = LabCommand.settings(config, database);
      // The nodes' limits do not follow the number of nodes.
      lab = config == null ? lab.withNodes(nodes.to()) : lab;
      try {
        return new TablePlan(
            lab,
            nodeType,
            spec.tenants().get(0),
            clients,
            nodes.from(),
            nodes.to(),
            fill,
            measure,
            repeats,
            TablePlan.HELPS,
            0);
      } catch (IllegalArgumentException e) {
        throw new UserError("--" + e.getMessage(), e);
      }
    }
  }
}
