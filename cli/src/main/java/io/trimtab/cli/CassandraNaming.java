package io.trimtab.cli;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cli.connect.CassandraHandle;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.config.UserError;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Cassandra clusters, by some of their nodes. */
@Command
final class CassandraNaming implements ClusterNaming {
  @Option(
      names = "--cassandra",
      paramLabel = "HOSTS",
      description = "Contact points of a Cassandra cluster: host[:port][,host[:port]…].")
  private String cassandra;

  @Option(
      names = "--jmx-port",
      paramLabel = "PORT",
      description = "JMX port of every Cassandra node; default: 7199.")
  private int jmxPort;

  @Option(
      names = "--cql-user",
      paramLabel = "NAME",
      description =
          "Cassandra user for CQL; its password is read from the environment:"
              + " TRIMTAB_CQL_PASSWORD.")
  private String cqlUser;

  @Option(
      names = "--jmx-user",
      paramLabel = "NAME",
      description =
          "Cassandra user for JMX; its password is read from the environment:"
              + " TRIMTAB_JMX_PASSWORD.")
  private String jmxUser;

  @Override
  public String option() {
    return "--cassandra";
  }

  @Override
  public boolean given() {
    return cassandra != null;
  }

  @Override
  public void check() {
    if (cassandra == null && (jmxPort != 0 || cqlUser != null || jmxUser != null)) {
      throw new UserError("--jmx-port, --cql-user and --jmx-user go with --cassandra only");
    }
  }

  @Override
  public ClusterHandle cluster() {
    return new CassandraHandle(cassandra, contact());
  }

  private CassandraContact contact() {
    try {
      return CassandraContact.of(cassandra, jmxPort)
          .with(
              credentials("--cql-user", cqlUser, "TRIMTAB_CQL_PASSWORD"),
              credentials("--jmx-user", jmxUser, "TRIMTAB_JMX_PASSWORD"));
    } catch (IllegalArgumentException e) {
      throw new UserError("--cassandra: " + e.getMessage(), e);
    }
  }

  private static Optional<Credentials> credentials(String option, String user, String variable) {
    if (user == null) {
      return Optional.empty();
    }
    String password = System.getenv(variable);
    if (password == null) {
      throw new UserError(
          option + ": the password is missing; set the environment variable " + variable);
    }
    return Optional.of(new Credentials(user, password));
  }
}
