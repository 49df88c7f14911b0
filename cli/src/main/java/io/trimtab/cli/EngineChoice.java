package io.trimtab.cli;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.Target;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * Which cluster a command is about. The one place where an engine's adapter is chosen; commands
 * know the ports only.
 */
final class EngineChoice {
  /** Of a tenant's keyspace that a workload must make on a cluster which is no lab. */
  private static final int COPIES = 3;

  @Option(
      names = "--lab",
      paramLabel = "NAME",
      description = "A lab of this machine; may be left out while there is only one.")
  private String lab;

  @Option(
      names = "--zookeeper",
      paramLabel = "QUORUM",
      description = "An HBase cluster's ZooKeeper: host[,host…][:port].")
  private String zookeeper;

  @Option(
      names = "--cassandra",
      paramLabel = "HOSTS",
      description = "Some nodes of a Cassandra cluster: host[:port][,host[:port]…].")
  private String cassandra;

  @Option(
      names = "--jmx-port",
      paramLabel = "PORT",
      description = "Of every Cassandra node; default: 7199.")
  private int jmxPort;

  @Option(
      names = "--cql-user",
      paramLabel = "NAME",
      description = "For Cassandra; the password is TRIMTAB_CQL_PASSWORD in the environment.")
  private String cqlUser;

  @Option(
      names = "--jmx-user",
      paramLabel = "NAME",
      description = "For Cassandra; the password is TRIMTAB_JMX_PASSWORD in the environment.")
  private String jmxUser;

  /** As on the command line; null or 0 for what is not given. */
  static EngineChoice of(
      String lab, String zookeeper, String cassandra, int jmxPort, String cqlUser, String jmxUser) {
    EngineChoice choice = new EngineChoice();
    choice.lab = lab;
    choice.zookeeper = zookeeper;
    choice.cassandra = cassandra;
    choice.jmxPort = jmxPort;
    choice.cqlUser = cqlUser;
    choice.jmxUser = jmxUser;
    choice.refuseContradictions();
    return choice;
  }

  /** Whether the user named a cluster at all. */
  boolean named() {
    return lab != null || zookeeper != null || cassandra != null;
  }

  private void refuseContradictions() {
    List<String> given =
        Stream.of(
                lab == null ? "" : "--lab",
                zookeeper == null ? "" : "--zookeeper",
                cassandra == null ? "" : "--cassandra")
            .filter(option -> !option.isEmpty())
            .toList();
    if (given.size() > 1) {
      throw new UserError(
          String.join(" and ", given)
              + (given.size() == 2 ? " both" : " all")
              + " name a cluster; give one of them");
    }
    if (cassandra == null && (jmxPort != 0 || cqlUser != null || jmxUser != null)) {
      throw new UserError("--jmx-port, --cql-user and --jmx-user go with --cassandra only");
    }
  }

  /** The lab, unless the cluster is named by its own addresses. */
  private Optional<Lab> lab() {
    refuseContradictions();
    if (zookeeper != null || cassandra != null) {
      return Optional.empty();
    }
    return Optional.of(Lab.attach(lab == null ? onlyLab() : lab));
  }

  private static String onlyLab() {
    List<String> names = Lab.names();
    if (names.isEmpty()) {
      throw new UserError(
          "which cluster? no lab is up; name one with --zookeeper or --cassandra, or start:"
              + " trimtab lab up hbase");
    }
    if (names.size() > 1) {
      throw new UserError("which lab? there are " + String.join(", ", names) + "; give --lab");
    }
    return names.get(0);
  }

  /** How the user named it. */
  String label() {
    return lab()
        .map(l -> "lab " + l.config().name())
        .orElse(cassandra != null ? cassandra : zookeeper);
  }

  /** What can start and stop the cluster's nodes; nothing can, for clusters that are not labs. */
  Optional<NodeProvider> provider() {
    return lab().map(Lab::provider);
  }

  Engine connect() throws EngineException {
    Optional<Lab> mine = lab();
    if (cassandra != null) {
      return CassandraEngine.connect(contact());
    }
    return mine.isPresent() ? mine.get().engine() : connectHBase();
  }

  /** For what only HBase has. */
  HBaseEngine connectHBase() throws EngineException {
    Optional<Lab> mine = lab();
    if (mine.isPresent() && mine.get() instanceof HBaseLab own) {
      return own.engine();
    }
    if (mine.isPresent() || cassandra != null) {
      throw new UserError(label() + " is not an HBase cluster");
    }
    return HBaseEngine.connect(HBaseContact.of(zookeeper).client());
  }

  /** The cluster as a workload's target. */
  Target target() throws IOException {
    Optional<Lab> mine = lab();
    if (cassandra != null) {
      return CassandraTarget.connect(contact().points(), COPIES);
    }
    return mine.isPresent()
        ? mine.get().target()
        : io.trimtab.workload.HBaseTarget.connect(HBaseContact.of(zookeeper).client());
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
      throw new UserError(option + ": the password is missing in the environment: " + variable);
    }
    return Optional.of(new Credentials(user, password));
  }
}
