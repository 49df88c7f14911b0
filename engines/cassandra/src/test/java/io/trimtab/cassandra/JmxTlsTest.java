package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.net.ssl.SSLContext;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM with TLS for its registry and its beans, as Cassandra's own options make it. */
class JmxTlsTest {
  private static final String PASSWORD = "changeit-not";

  private static final SslRMIClientSocketFactory STUBS = new SslRMIClientSocketFactory();

  @TempDir static Path folder;
  private static Keytool keytool;
  private static Registry registry;
  private static RMIConnectorServer server;
  private static SslRMIServerSocketFactory accepting;
  private static int port;

  @BeforeAll
  static void listen() throws Exception {
    keytool = new Keytool(folder, PASSWORD);
    keytool.key("node");
    keytool.key("other");
    port = freePort();
    SSLContext context =
        new Tls(Optional.empty(), Optional.of(store("node")), HostNames.NONE).context();
    accepting = new SslRMIServerSocketFactory(context, null, null, false);
    registry = LocateRegistry.createRegistry(port, STUBS, accepting);
    Map<String, Object> environment = new HashMap<>();
    RMIJRMPServerImpl beans = new RMIJRMPServerImpl(0, STUBS, accepting, environment);
    MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
    server =
        new RMIConnectorServer(
            new JMXServiceURL("service:jmx:rmi://"), environment, beans, platform);
    server.start();
    registry.bind("jmxrmi", beans.toStub());
  }

  @AfterAll
  static void stop() throws IOException {
    server.stop();
    UnicastRemoteObject.unexportObject(registry, true);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private static Store store(String name) {
    return new Store(folder.resolve(name + ".p12"), () -> PASSWORD);
  }

  /** The TLS of a client that trusts one certificate only. */
  private static Optional<Tls> trusting(String name) throws Exception {
    Path trust = keytool.trust(name);
    return Optional.of(
        new Tls(Optional.of(new Store(trust, () -> PASSWORD)), Optional.empty(), HostNames.NONE));
  }

  @Test
  void aTrustedNodeIsRead() throws Exception {
    try (NodeJmx node = NodeJmx.connect("127.0.0.1", port, Map.of(), trusting("node"))) {
      assertThat(node.number("java.lang:type=Runtime", "Pid"))
          .isEqualTo(ProcessHandle.current().pid());
    }
  }

  @Test
  void aNodeThatIsNotTrustedIsNamedInOneLine() throws Exception {
    Optional<Tls> other = trusting("other");
    // RMI would use a connection of another test again; so this is another server.
    int own = freePort();
    Registry untrusted = LocateRegistry.createRegistry(own, STUBS, accepting);
    try {
      assertThatThrownBy(() -> NodeJmx.connect("127.0.0.1", own, Map.of(), other))
          .isInstanceOf(IOException.class)
          .message()
          .contains("JMX at 127.0.0.1:" + own)
          .contains("PKIX path")
          .doesNotContain("\n");
    } finally {
      UnicastRemoteObject.unexportObject(untrusted, true);
    }
  }

  @Test
  void aNodeWithTheCertificateOfAnotherHostIsNamedInOneLine() throws Exception {
    keytool.key("elsewhere", "127.0.0.9");
    Tls trusted =
        new Tls(
            Optional.of(new Store(keytool.trust("elsewhere"), () -> PASSWORD)),
            Optional.empty(),
            HostNames.ADDRESS);
    SSLContext shown =
        new Tls(Optional.empty(), Optional.of(store("elsewhere")), HostNames.NONE).context();
    int own = freePort();
    Registry other =
        LocateRegistry.createRegistry(
            own, STUBS, new SslRMIServerSocketFactory(shown, null, null, false));
    try {
      assertThatThrownBy(() -> NodeJmx.connect("127.0.0.1", own, Map.of(), Optional.of(trusted)))
          .isInstanceOf(IOException.class)
          .message()
          .contains("JMX at 127.0.0.1:" + own)
          .contains("subject alternative names matching IP address 127.0.0.1")
          .doesNotContain("\n");
    } finally {
      UnicastRemoteObject.unexportObject(other, true);
    }
  }

  @Test
  void aClientWithoutTlsIsRefused() {
    assertThatThrownBy(() -> NodeJmx.connect("127.0.0.1", port, Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("JMX at 127.0.0.1:" + port);
  }

  /** A bean whose value is of a class that no node sends. */
  public interface ForgedMBean {
    Object getValue();
  }

  /** What would run in the client if it were read. */
  public static final class Payload implements Serializable {
    private static final long serialVersionUID = 1L;
    static final AtomicBoolean MADE = new AtomicBoolean();

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      MADE.set(true);
    }
  }

  /** See {@link ForgedMBean}. */
  public static final class Forged implements ForgedMBean {
    @Override
    public Object getValue() {
      return new ArrayList<>(List.of(new Payload()));
    }
  }

  @Test
  void anAnswerOfAnotherClassIsRefusedBeforeItIsMade() throws Exception {
    ObjectName name = new ObjectName("test:type=Forged");
    ManagementFactory.getPlatformMBeanServer().registerMBean(new Forged(), name);
    try (NodeJmx node = NodeJmx.connect("127.0.0.1", port, Map.of(), trusting("node"))) {
      assertThatThrownBy(() -> node.attribute(name.getCanonicalName(), "Value"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("JMX at 127.0.0.1:" + port)
          .hasStackTraceContaining("REJECTED");
      assertThat(Payload.MADE).isFalse();
    } finally {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    }
  }
}
