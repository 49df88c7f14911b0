package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.security.auth.Subject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A JVM that asks for a password, as operators' nodes do. */
class NodeJmxTest {
  private static Registry registry;
  private static JMXConnectorServer server;
  private static int port;

  @BeforeAll
  static void listen() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    registry = LocateRegistry.createRegistry(port);
    JMXAuthenticator authenticator =
        credentials -> {
          if (credentials instanceof String[] pair
              && pair.length == 2
              && pair[0].equals("monitor")
              && pair[1].equals("right")) {
            return new Subject();
          }
          throw new SecurityException("Authentication failed! Invalid username or password");
        };
    server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
            Map.of(JMXConnectorServer.AUTHENTICATOR, authenticator),
            ManagementFactory.getPlatformMBeanServer());
    server.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.stop();
    try {
      UnicastRemoteObject.unexportObject(registry, true);
    } catch (NoSuchObjectException e) {
      throw new IOException(e);
    }
  }

  private static Map<String, Object> as(String user, String password) {
    return Map.of(JMXConnector.CREDENTIALS, new String[] {user, password});
  }

  @Test
  void theRightPasswordIsTakenAndNumbersAreRead() throws IOException {
    try (NodeJmx node = NodeJmx.connect("127.0.0.1", port, as("monitor", "right"))) {
      assertThat(node.number("java.lang:type=Runtime", "Pid"))
          .isEqualTo(ProcessHandle.current().pid());
      assertThat(node.decimal("java.lang:type=OperatingSystem", "SystemLoadAverage"))
          .isGreaterThanOrEqualTo(0);
      assertThat(node.number("no.such:type=Bean", "Value")).isEqualTo(-1);
      assertThat(node.decimal("no.such:type=Bean", "Value")).isNaN();
      assertThat(node.number("java.lang:type=Runtime", "NoSuchAttribute")).isEqualTo(-1);
    }
  }

  @Test
  void aWrongOrMissingPasswordIsToldInOneLineWithTheAddress() {
    for (Map<String, Object> wrong :
        java.util.List.of(as("monitor", "wrong"), Map.<String, Object>of())) {
      assertThatThrownBy(() -> NodeJmx.connect("127.0.0.1", port, wrong))
          .isInstanceOf(IOException.class)
          .message()
          .contains("JMX at 127.0.0.1:" + port + " refuses the user")
          .doesNotContain("\n")
          .doesNotContain("wrong");
    }
  }

  @Test
  void aPortThatNobodyListensOnIsTold() throws IOException {
    int closed;
    try (ServerSocket free = new ServerSocket(0)) {
      closed = free.getLocalPort();
    }
    assertThatThrownBy(() -> NodeJmx.connect("127.0.0.1", closed, Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("JMX at 127.0.0.1:" + closed + " does not answer");
  }
}
