package io.trimtab.cli;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Cassandra clusters, by some of their nodes. */
@Command
final class CassandraNaming implements ClusterNaming {
  /** Replication factor of a keyspace that a load creates, unless the cluster is a lab. */
  private static final int COPIES = 3;

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
    CassandraContact contact = contact();
    return new ClusterHandle() {
      @Override
      public String label() {
        return cassandra;
      }

      @Override
      public Engine connect() throws EngineException {
        return CassandraEngine.connect(contact);
      }

      @Override
      public ControlAccess control() throws EngineException {
        return CassandraEngine.control(contact);
      }

      @Override
      public String nodeWord() {
        return "Cassandra node";
      }

      @Override
      public ClusterAddress address() {
        return new ClusterAddress.Cassandra(contact.points(), COPIES);
      }
    };
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
