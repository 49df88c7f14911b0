package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.engineapi.NodeId;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS of a node's JMX, and what may be read by it. */
class JmxTlsTest {
  private static final String PASSWORD = "changeit-not";

  @TempDir static Path folder;
  private static Keytool keytool;
  private static TlsJmxServer server;
  private static int port;

  @BeforeAll
  static void listen() throws Exception {
    keytool = new Keytool(folder, PASSWORD);
    keytool.key("node");
    keytool.key("other");
    server = new TlsJmxServer(showing("node"));
    port = server.port();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static Store store(String name) {
    return new Store(folder.resolve(name + ".p12"), () -> PASSWORD);
  }

  /** The TLS of a server. */
  private static Tls showing(String name) {
    return new Tls(Optional.empty(), Optional.of(store(name)), HostNames.NONE);
  }

  /** The TLS of a client that trusts one certificate only. */
  private static Optional<Tls> trusting(String name) throws Exception {
    return Optional.of(trusting(keytool.trust(name)));
  }

  private static Tls trusting(Path trust) {
    return new Tls(Optional.of(new Store(trust, () -> PASSWORD)), Optional.empty(), HostNames.NONE);
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
    try (TlsJmxServer untrusted = new TlsJmxServer(showing("node"))) {
      int own = untrusted.port();
      assertThatThrownBy(() -> NodeJmx.connect("127.0.0.1", own, Map.of(), other))
          .isInstanceOf(IOException.class)
          .message()
          .contains("JMX at 127.0.0.1:" + own)
          .contains("PKIX path")
          .doesNotContain("\n");
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
    try (TlsJmxServer other = new TlsJmxServer(showing("elsewhere"))) {
      int own = other.port();
      assertThatThrownBy(() -> NodeJmx.connect("127.0.0.1", own, Map.of(), Optional.of(trusted)))
          .isInstanceOf(IOException.class)
          .message()
          .contains("JMX at 127.0.0.1:" + own)
          .contains("subject alternative names matching IP address 127.0.0.1")
          .doesNotContain("\n");
    }
  }

  private static void exchange(Path by, Path store) throws IOException {
    Files.copy(by, store, StandardCopyOption.REPLACE_EXISTING);
  }

  private static long pid(JmxPool pool) throws IOException {
    return pool.ask(
        new NodeId("127.0.0.1:9042"), node -> node.number("java.lang:type=Runtime", "Pid"));
  }

  /** What is open stays, and what takes its place uses the stores that are there by then. */
  @Test
  void storesAreExchangedOnBothSidesWhileAConnectionIsOpen() throws Exception {
    long own = ProcessHandle.current().pid();
    Path shown = folder.resolve("shown.p12");
    Path trusted = folder.resolve("trusted.p12");
    exchange(folder.resolve("node.p12"), shown);
    exchange(keytool.trust("node"), trusted);
    Protection protection =
        new Protection(Optional.empty(), Optional.of(trusting(trusted)), Optional.empty());
    try (TlsJmxServer exchanged = new TlsJmxServer(showing("shown"));
        JmxPool pool =
            new JmxPool(CassandraContact.of("127.0.0.1", exchanged.port()).with(protection))) {
      assertThat(pid(pool)).isEqualTo(own);

      exchange(keytool.trust("other"), trusted);
      assertThat(pid(pool)).isEqualTo(own);

      exchanged.hangUp();
      // RMI takes a connection for alive that was used a few milliseconds ago.
      Thread.sleep(500);
      assertThatThrownBy(() -> pid(pool))
          .isInstanceOf(IOException.class)
          .message()
          .contains("JMX at 127.0.0.1:" + exchanged.port(), "PKIX path");

      exchange(folder.resolve("other.p12"), shown);
      assertThat(pid(pool)).isEqualTo(own);
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
