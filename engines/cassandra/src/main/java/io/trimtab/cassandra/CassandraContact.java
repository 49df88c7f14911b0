package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.trimtab.cassandra.cql.DriverOptions;
import io.trimtab.cassandra.cql.ReadCredentials;
import io.trimtab.cassandra.cql.TlsEngines;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.NoClusterException;
import io.trimtab.host.connect.Reach;
import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import javax.management.remote.JMXConnector;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * How to reach a cluster.
 *
 * @param points some of its nodes' CQL addresses; the others are learnt from them
 * @param jmxPort every node's, at the address that it has for CQL
 * @param cql empty without authentication
 * @param jmx credentials for JMX; empty if it needs none
 * @param protection what protects the connections
 */
public record CassandraContact(
    List<InetSocketAddress> points,
    int jmxPort,
    Optional<Credentials> cql,
    Optional<Credentials> jmx,
    Protection protection) {

  /**
   * A user and what proves it.
   *
   * @param password asked for with each new connection
   */
  public record Credentials(String user, Supplier<String> password) {
    @Override
    public String toString() {
      return user;
    }
  }

  /**
   * What protects connections with a cluster.
   *
   * @param cql TLS for queries; empty: none, unless the driver's own file has it
   * @param jmx TLS for JMX, its registry included; empty: none
   * @param driver an operator's file of the driver's options, {@code application.conf}
   */
  public record Protection(Optional<Tls> cql, Optional<Tls> jmx, Optional<Path> driver) {
    public static final Protection NONE =
        new Protection(Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static final int CQL_PORT = 9042;
  private static final int JMX_PORT = 7199;

  public CassandraContact {
    points = List.copyOf(points);
    if (points.isEmpty()) {
      throw new IllegalArgumentException("no Cassandra contact point is given");
    }
  }

  /** Of a cluster whose connections are not protected. */
  public CassandraContact(
      List<InetSocketAddress> points,
      int jmxPort,
      Optional<Credentials> cql,
      Optional<Credentials> jmx) {
    this(points, jmxPort, cql, jmx, Protection.NONE);
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
    return new CassandraContact(points, jmxPort, forCql, forJmx, protection);
  }

  public CassandraContact with(Protection another) {
    return new CassandraContact(points, jmxPort, cql, jmx, another);
  }

  /** As its user would write it. */
  public String text() {
    return String.join(
        ",", points.stream().map(p -> p.getHostString() + ":" + p.getPort()).toList());
  }

  /**
   * A session; it follows nodes that join and leave.
   *
   * @throws NoClusterException when it is known that no node listens
   * @throws EngineException when no node answers within some seconds, or refuses the user
   */
  public CqlSession session() throws EngineException {
    return session(UUID.randomUUID());
  }

  /**
   * As {@link #session()}.
   *
   * @param id by which nodes know its connections
   */
  public CqlSession session(UUID id) throws EngineException {
    CqlSessionBuilder builder = CqlSession.builder().addContactPoints(resolved()).withClientId(id);
    try {
      builder.withConfigLoader(options());
      if (protection.cql().isPresent()) {
        // A store that can't be read is told as that, and not as nodes that do not answer.
        protection.cql().get().context();
        builder.withSslEngineFactory(new TlsEngines(protection.cql().get()));
      }
    } catch (IOException e) {
      throw new EngineException("Cassandra at " + text() + ": " + CassandraErrors.line(e), e);
    }
    if (cql.isPresent()) {
      // As above.
      String unused = cql.get().password().get();
      builder.withAuthProvider(new ReadCredentials(cql.get().user(), cql.get().password()));
    }
    try {
      return builder.build();
    } catch (RuntimeException e) {
      throw notReached(e);
    }
  }

  private EngineException notReached(RuntimeException e) {
    String at = "Cassandra at " + text() + ": ";
    Optional<InetSocketAddress> somebody =
        points.stream().filter(p -> !Reach.nobody(p.getHostString(), p.getPort())).findFirst();
    return somebody.isEmpty()
        ? new NoClusterException(at + CassandraErrors.line(e), e)
        : new EngineException(
            at + untrusted(somebody.get()).orElseGet(() -> CassandraErrors.line(e)), e);
  }

  /** The driver tells of a node's certificate as of a request that was not sent. */
  private Optional<String> untrusted(InetSocketAddress node) {
    if (protection.cql().isPresent()) {
      try {
        Reach.verify(node.getHostString(), node.getPort(), protection.cql().get(), "cql.tls");
      } catch (SSLPeerUnverifiedException e) {
        return Optional.of(e.getMessage());
      } catch (IOException e) {
        // It is not the certificate.
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** As their names are known now: that of a cluster which is being made may not have been. */
  List<InetSocketAddress> resolved() {
    return points.stream()
        .map(point -> new InetSocketAddress(point.getHostString(), point.getPort()))
        .toList();
  }

  private DriverConfigLoader options() throws IOException {
    return protection.driver().isPresent()
        ? DriverOptions.of(protection.driver().get())
        : DriverOptions.own();
  }

  /**
   * Reads the password for JMX: one that can't be read is then told as that, and not as nodes none
   * of which can be read.
   *
   * @throws RuntimeException as {@link Credentials#password} does
   */
  void requireJmxPassword() {
    if (jmx.isPresent()) {
      String unused = jmx.get().password().get();
    }
  }

  /**
   * Looks at the certificate of a node's JMX server; there must be TLS for JMX.
   *
   * @throws SSLPeerUnverifiedException in one line why it is not taken, and what mends it
   * @throws IOException if the node shows none
   */
  void verifyJmx(String host) throws IOException {
    Reach.verify(host, jmxPort, protection.jmx().orElseThrow(), "jmx.tls");
  }

  /**
   * Connects with a node's JMX server.
   *
   * @throws IOException naming the address, also when the password can't be read
   */
  NodeJmx jmx(String host) throws IOException {
    Map<String, Object> user;
    try {
      user =
          jmx.<Map<String, Object>>map(
                  c ->
                      Map.of(JMXConnector.CREDENTIALS, new String[] {c.user(), c.password().get()}))
              .orElse(Map.of());
    } catch (RuntimeException e) {
      throw new IOException("JMX at " + host + ":" + jmxPort + ": " + CassandraErrors.line(e), e);
    }
    return NodeJmx.connect(host, jmxPort, user, protection.jmx());
  }

  /**
   * What a node says of itself by JMX: {@code NORMAL}, {@code JOINING}, ….
   *
   * @throws IOException naming the address, also when the user is refused
   */
  public String mode(String host) throws IOException {
    try (NodeJmx node = jmx(host)) {
      return new StorageService(node).mode();
    }
  }

  /**
   * Calls an operation of a node that changes nothing, but needs the right to call operations.
   *
   * @throws IOException also if the user has not got it
   */
  public void tryJmxOperation(String host) throws IOException {
    try (NodeJmx node = jmx(host)) {
      // One of Cassandra's own beans, since rights may be on these alone.
      int unused = new StorageService(node).threads(NodeProfile.Threads.READERS);
    }
  }
}
