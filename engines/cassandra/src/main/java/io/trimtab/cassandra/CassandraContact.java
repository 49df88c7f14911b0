package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import io.trimtab.engineapi.EngineException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to reach a cluster.
 *
 * @param points some of its nodes' CQL addresses; the others are learnt from them
 * @param jmxPort every node's, at the address that it has for CQL
 * @param cql empty without authentication
 * @param jmx credentials for JMX; empty if it needs none
 */
public record CassandraContact(
    List<InetSocketAddress> points,
    int jmxPort,
    Optional<Credentials> cql,
    Optional<Credentials> jmx) {

  /** A user and what proves it. */
  public record Credentials(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  private static final int CQL_PORT = 9042;
  private static final int JMX_PORT = 7199;
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(15);

  public CassandraContact {
    points = List.copyOf(points);
    if (points.isEmpty()) {
      throw new IllegalArgumentException("no Cassandra contact point is given");
    }
  }

  /**
   * @param hosts {@code host[:port][,host[:port]…]}
   * @param jmxPort 0 = Cassandra's default, 7199
   */
  public static CassandraContact of(String hosts, int jmxPort) {
    List<InetSocketAddress> points = new ArrayList<>();
    for (String host : hosts.split(",", -1)) {
      String[] parts = host.strip().split(":", 2);
      if (parts[0].isEmpty()) {
        throw new IllegalArgumentException("not host[:port][,host[:port]…]: " + hosts);
      }
      try {
        int port = parts.length == 1 ? CQL_PORT : Integer.parseInt(parts[1]);
        points.add(new InetSocketAddress(parts[0], port));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("not a port: " + parts[1], e);
      }
    }
    return new CassandraContact(
        points, jmxPort == 0 ? JMX_PORT : jmxPort, Optional.empty(), Optional.empty());
  }

  public CassandraContact with(Optional<Credentials> forCql, Optional<Credentials> forJmx) {
    return new CassandraContact(points, jmxPort, forCql, forJmx);
  }

  /** As its user would write it. */
  public String text() {
    return String.join(
        ",", points.stream().map(p -> p.getHostString() + ":" + p.getPort()).toList());
  }

  /**
   * A session; it follows nodes that join and leave.
   *
   * @throws EngineException when no node answers within some seconds, or refuses the user
   */
  CqlSession session() throws EngineException {
    ProgrammaticDriverConfigLoaderBuilder config =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, CONNECT_LIMIT)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECT_LIMIT)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, CONNECT_LIMIT)
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_LIMIT)
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
            .withString(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy")
            .withString(DefaultDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy")
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofSeconds(1))
            .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1);
    CqlSessionBuilder builder =
        CqlSession.builder().addContactPoints(points).withConfigLoader(config.build());
    cql.ifPresent(c -> builder.withAuthCredentials(c.user(), c.password()));
    try {
      return builder.build();
    } catch (RuntimeException e) {
      throw new EngineException("Cassandra at " + text() + ": " + CassandraErrors.line(e), e);
    }
  }

  /** What JMX wants to know of the user. */
  Map<String, Object> jmxEnvironment() {
    return jmx.<Map<String, Object>>map(
            c ->
                Map.of(
                    "jmx.remote.credentials",
                    Arrays.asList(c.user(), c.password()).toArray(new String[0])))
        .orElse(Map.of());
  }
}
