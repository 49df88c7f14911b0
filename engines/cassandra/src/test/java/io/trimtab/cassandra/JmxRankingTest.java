package io.trimtab.cassandra;

import static io.trimtab.cassandra.CassandraEngineTest.fake;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.ranking.NodePlugin;
import io.trimtab.engineapi.EngineException;
import io.trimtab.host.Clocks;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import javax.management.MBeanServerFactory;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;

/** Nodes whose plug-in can't be asked, and why. */
class JmxRankingTest {
  private static Optional<TableMetadata> control() {
    return Optional.of(
        fake(
            TableMetadata.class,
            called -> {
              throw new AssertionError(called);
            }));
  }

  /** Of a ring that controllers have been in charge of, and most of which is down. */
  private static CqlSession session() {
    Metadata metadata =
        fake(
            Metadata.class,
            called ->
                switch (called) {
                  case "getNodes" -> Map.of(new UUID(0, 1), RingOfThree.node(1));
                  case "getKeyspace" -> Optional.of(fake(KeyspaceMetadata.class, its -> control()));
                  default -> throw new AssertionError(called);
                });
    return fake(
        CqlSession.class,
        called ->
            switch (called) {
              case "getMetadata" -> metadata;
              case "execute" ->
                  throw new UnavailableException(
                      RingOfThree.node(1), ConsistencyLevel.QUORUM, 2, 1);
              case "close" -> null;
              default -> throw new AssertionError(called);
            });
  }

  private static CassandraEngine engine(int jmxPort, Optional<Credentials> user) {
    CassandraContact contact = CassandraContact.of("127.0.0.1", jmxPort);
    return new CassandraEngine(contact.with(Optional.empty(), user), session(), Clocks.SYSTEM);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  /** What is read at QUORUM first must not keep a node from being set. */
  @Test
  void withMostNodesDownTheOthersAreAsked() throws Exception {
    int port = freePort();
    try (CassandraEngine engine = engine(port, Optional.empty())) {
      assertThat(engine.ranking().nodes())
          .singleElement()
          .extracting(NodePlugin::problem)
          .isEqualTo(
              "JMX at 127.0.0.1:"
                  + port
                  + " does not answer: Connection refused; it serves by CQL: is --jmx-port right,"
                  + " and its JMX open to this machine?");
      assertThatThrownBy(engine::snapshot)
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("Not enough replicas");
    }
  }

  @Test
  void aWrongPasswordIsToldOnTheNodesLine() throws Exception {
    JMXAuthenticator nobody =
        credentials -> {
          throw new SecurityException("Authentication failed! Invalid username or password");
        };
    int port = freePort();
    Registry registry = LocateRegistry.createRegistry(port);
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
            Map.of(JMXConnectorServer.AUTHENTICATOR, nobody),
            MBeanServerFactory.newMBeanServer());
    server.start();
    Credentials me = new Credentials("me", () -> "secret");
    try (CassandraEngine engine = engine(port, Optional.of(me))) {
      assertThat(engine.ranking().nodes())
          .singleElement()
          .extracting(NodePlugin::problem)
          .isEqualTo(
              "JMX at 127.0.0.1:"
                  + port
                  + " refuses the user: Authentication failed! Invalid username or password; see"
                  + " --jmx-user");
    } finally {
      server.stop();
      UnicastRemoteObject.unexportObject(registry, true);
    }
  }

  @Test
  void onlyOfANodeThatServesItIsAskedWhetherJmxIsOpen() {
    IOException closed = new IOException("does not answer", new ConnectException("refused"));
    IOException filtered = new IOException("does not answer", new SocketTimeoutException());
    assertThat(JmxRanking.hint(closed, true)).contains("is --jmx-port right");
    assertThat(JmxRanking.hint(filtered, true)).contains("is --jmx-port right");
    assertThat(JmxRanking.hint(closed, false)).isEmpty();
  }

  @Test
  void aNodeThatIsFrozenNeedsNoHint() {
    assertThat(JmxRanking.hint(new IOException("within 15 s", new TimeoutException()), true))
        .isEmpty();
  }
}
