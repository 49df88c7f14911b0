package io.trimtab.cli.connect;

import io.trimtab.cli.Main;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.formats.connections.Connections;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Connections with clusters. */
@Command(
    name = "connect",
    description = "Checks connections with clusters.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = ConnectCommand.Check.class,
    footer = {"", "Examples:", "  trimtab connect check shop"})
public final class ConnectCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  @Command(
      name = "check",
      description = {
        "Tries a connection step by step.",
        "Names, ports, TLS, login, the database's version, and each permission that acting needs;",
        "then the cluster's node provider and metric sources. Says what works and, of what does",
        "not, the one thing that would mend it.",
        "Changes nothing on the cluster."
      },
      footer = {
        "",
        "Examples:",
        "  trimtab connect check shop",
        "  trimtab connect check shop --connections fleet/connections.yaml",
        "",
        "Exit code 2 if a step fails."
      })
  static final class Check implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "A cluster of the file of connections.")
    private String name;

    @Option(
        names = "--connections",
        paramLabel = "FILE",
        description = "File of connections; default: connections.yaml in $TRIMTAB_HOME.")
    private Path file;

    Check(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      AtomicInteger failed = new AtomicInteger();
      Consumer<ConnectionStep> steps =
          step -> {
            terminal.line(step.text());
            if (!step.works()) {
              failed.incrementAndGet();
            }
          };
      ClusterHandle cluster =
          new NamedClusters(new ConnectionFile(file == null ? Connections.defaultFile() : file))
              .named(name);
      cluster.check(steps);
      if (failed.get() == 0) {
        new SectionsCheck(cluster, steps).run();
      }
      return failed.get() == 0 ? 0 : Main.REFUSED;
    }
  }
}
