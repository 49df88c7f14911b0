package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.jmx.JmxSockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.NoSuchObjectException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.management.ObjectName;
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
    // Connections from before would be used again, and have no end.
    JmxSockets.install();
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

  /** Its kernel still takes connections for a moment, and resets them. */
  @Test
  void aNodeThatDiesWhileItIsConnectedToDoesNotAnswer() throws Exception {
    try (ServerSocket dying = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      Thread death =
          new Thread(
              () -> {
                try (Socket probe = dying.accept();
                    Socket call = dying.accept()) {
                  dying.close();
                  call.setSoLinger(true, 0);
                  probe.setSoLinger(true, 0);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      death.start();
      int at = dying.getLocalPort();
      assertThatThrownBy(() -> NodeJmx.connect("127.0.0.1", at, Map.of()))
          .isInstanceOf(IOException.class)
          .hasMessage("JMX at 127.0.0.1:" + at + " does not answer: Connection refused");
      death.join();
    }
  }

  /** A bean of which older nodes lack an operation. */
  public interface CountingMBean {
    List<String> getAll();

    List<String> getBroken();

    int count();

    int fail();
  }

  /** See {@link CountingMBean}. */
  public static final class Counting implements CountingMBean {
    @Override
    public List<String> getAll() {
      return List.of("a", "b");
    }

    @Override
    public List<String> getBroken() {
      throw new IllegalStateException("not now");
    }

    @Override
    public int count() {
      return 3;
    }

    @Override
    public int fail() {
      throw new IllegalStateException("not now");
    }
  }

  @Test
  void anOperationMayBeMissing() throws Exception {
    ObjectName name = new ObjectName("test:type=Counting");
    ManagementFactory.getPlatformMBeanServer().registerMBean(new Counting(), name);
    String bean = name.getCanonicalName();
    try (NodeJmx node = NodeJmx.connect("127.0.0.1", port, as("monitor", "right"))) {
      assertThat(node.list(bean, "All").orElseThrow()).hasSize(2);
      assertThat(node.list(bean, "Broken")).isEmpty();
      assertThat(node.list(bean, "None")).isEmpty();
      assertThat(node.told(bean, "count")).contains(3);
      assertThat(node.told(bean, "recount")).isEmpty();
      assertThat(node.told("no.such:type=Bean", "count")).isEmpty();
      assertThatThrownBy(() -> node.told(bean, "fail"))
          .isInstanceOf(NodeJmx.BeanFailedException.class)
          .hasMessageContaining("not now");
    } finally {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
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

  /** A bean whose value takes until the test ends. */
  public interface SilentMBean {
    int getValue() throws InterruptedException;

    int ask() throws InterruptedException;
  }

  /** See {@link SilentMBean}. */
  public static final class Silent implements SilentMBean {
    private final CountDownLatch end = new CountDownLatch(1);

    @Override
    public int getValue() throws InterruptedException {
      end.await();
      return 1;
    }

    @Override
    public int ask() throws InterruptedException {
      end.await();
      return 2;
    }
  }

  /** Threads that make a call; those that wait for the next one have nothing to do with a node. */
  private static List<String> calling() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(t -> t.getKey().getName().equals("jmx-call"))
        .filter(
            t ->
                Arrays.stream(t.getValue())
                    .anyMatch(f -> f.getClassName().equals(JmxSockets.class.getName())))
        .map(t -> Arrays.toString(t.getValue()))
        .toList();
  }

  private static void awaitNoneCalling() throws InterruptedException {
    for (int i = 0; i < 200 && !calling().isEmpty(); i++) {
      Thread.sleep(50);
    }
    assertThat(calling()).isEmpty();
  }

  @Test
  void aNodeThatAcceptsAndNeverAnswersLeavesNoThreadBehind() throws Exception {
    awaitNoneCalling();
    try (ServerSocket silent = new ServerSocket(0)) {
      for (int sample = 0; sample < 5; sample++) {
        assertThatThrownBy(
                () ->
                    NodeJmx.connect(
                        "127.0.0.1", silent.getLocalPort(), Map.of(), Duration.ofMillis(200)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("JMX at 127.0.0.1:" + silent.getLocalPort());
      }
      awaitNoneCalling();
    }
  }

  @Test
  void aNodeThatHangsInACallLeavesNoThreadBehindAndMayAnswerLater() throws Exception {
    awaitNoneCalling();
    Silent silent = new Silent();
    ObjectName name = new ObjectName("test:type=Silent");
    ManagementFactory.getPlatformMBeanServer().registerMBean(silent, name);
    try (NodeJmx node =
        NodeJmx.connect("127.0.0.1", port, as("monitor", "right"), Duration.ofSeconds(2))) {
      for (int sample = 0; sample < 3; sample++) {
        assertThatThrownBy(() -> node.number(name.getCanonicalName(), "Value"))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("JMX at 127.0.0.1:" + port);
      }
      awaitNoneCalling();
      silent.end.countDown();
      assertThat(node.number(name.getCanonicalName(), "Value")).isEqualTo(1);
    } finally {
      silent.end.countDown();
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    }
  }

  /** Such as a decommission. */
  @Test
  void aCallWithALongerLimitOfItsOwnIsWaitedFor() throws Exception {
    Silent silent = new Silent();
    ObjectName name = new ObjectName("test:type=Silent");
    ManagementFactory.getPlatformMBeanServer().registerMBean(silent, name);
    Thread later =
        new Thread(
            () -> {
              try {
                Thread.sleep(3_000);
              } catch (InterruptedException e) {
                return;
              }
              silent.end.countDown();
            });
    try (NodeJmx node =
        NodeJmx.connect("127.0.0.1", port, as("monitor", "right"), Duration.ofSeconds(2))) {
      later.start();
      Object value =
          node.invoke(Duration.ofSeconds(60), name.getCanonicalName(), "ask", new Object[0]);
      assertThat(value).isEqualTo(2);
    } finally {
      later.interrupt();
      later.join();
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    }
  }
}
