package io.trimtab.cli;

import io.trimtab.cli.connect.ConnectionFlags;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterNaming;
import picocli.CommandLine.Model.CommandSpec;

/** Cassandra clusters, by some of their nodes. */
final class CassandraNaming implements ClusterNaming {
  private final ConnectionFlags flags =
      new ConnectionFlags("cassandra")
          .address(
              "--cassandra",
              "hosts",
              "HOSTS",
              "Contact points of a Cassandra cluster: host[:port][,host[:port]…].")
          .text("cql.user", "NAME", "Cassandra user for CQL.")
          .secret("cql.password", "Its password, or else env:TRIMTAB_CQL_PASSWORD")
          .tls("cql", "CQL")
          .number("jmx.port", "PORT", "JMX port of every Cassandra node; default: 7199.")
          .text("jmx.user", "NAME", "Cassandra user for JMX.")
          .secret("jmx.password", "Its password, or else env:TRIMTAB_JMX_PASSWORD")
          .tls("jmx", "JMX")
          .text("driver", "FILE", "The DataStax driver's own options, application.conf.");

  @Override
  public String option() {
    return "--cassandra";
  }

  @Override
  public CommandSpec options() {
    return flags.options();
  }

  @Override
  public boolean given() {
    return flags.has("hosts");
  }

  @Override
  public void check() {
    if (!given()) {
      flags.refuseAny("--cassandra");
    }
  }

  @Override
  public ClusterHandle cluster() {
    if (flags.has("cql.user")) {
      flags.orElse("cql.password", "env:TRIMTAB_CQL_PASSWORD");
    }
    if (flags.has("jmx.user")) {
      flags.orElse("jmx.password", "env:TRIMTAB_JMX_PASSWORD");
    }
    return flags.cluster("hosts");
  }
}
