package io.trimtab.cli.connect;

import io.trimtab.cli.Main;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.connect.ConnectionStep;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
        "  trimtab connect check --hbase-conf /etc/hbase/conf --kerberos-ticket-cache krb5cc",
        "  trimtab connect check --cassandra n1 --cql-user ann --cql-password file:ann.password",
        "",
        "Exit code 2 if a step fails."
      })
  static final class Check implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin private ClusterChoice choice;

    @Parameters(
        paramLabel = "NAME",
        arity = "0..1",
        description = "A cluster of the file of connections; or give an option that names one.")
    private String name;

    Check(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() {
      if (name != null) {
        choice.take(name);
      } else if (!choice.named()) {
        throw new UserError(
            "no cluster given; NAME is one of the file of connections, and --hbase-conf,"
                + " --zookeeper and --cassandra name one without it");
      }
      AtomicInteger failed = new AtomicInteger();
      Consumer<ConnectionStep> steps =
          step -> {
            terminal.line(step.text());
            if (!step.works()) {
              failed.incrementAndGet();
            }
          };
      choice.check(steps);
      if (failed.get() == 0) {
        new SectionsCheck(choice.cluster(), choice::sources, steps).run();
      }
      return failed.get() == 0 ? 0 : Main.REFUSED;
    }
  }
}
