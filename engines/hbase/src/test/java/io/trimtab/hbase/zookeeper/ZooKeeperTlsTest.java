package io.trimtab.hbase.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.connect.NoClusterException;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With servers of the test's own that do the handshake, after which nothing comes. */
@Timeout(60)
class ZooKeeperTlsTest {
  private static final String PASSWORD = "hunter2hunter2";
  private static final String HOST = "127.0.0.1";
  private static final String NETTY = "org.apache.zookeeper.ClientCnxnSocketNetty";
  private static final String TO_MEND = "; to mend it: ";

  @TempDir private static Path stores;

  /** Of this host, of another one, and of nobody whom a server has. */
  private static Path own;

  private static Path elsewhere;
  private static Path trustOwn;
  private static Path trustElsewhere;
  private static Path trustStranger;

  @BeforeAll
  static void keys() throws Exception {
    Keytool keytool = new Keytool(stores, PASSWORD);
    own = keytool.key("own", HOST);
    elsewhere = keytool.key("elsewhere", "127.0.0.9");
    keytool.key("stranger", HOST);
    trustOwn = keytool.trust("own");
    trustElsewhere = keytool.trust("elsewhere");
    trustStranger = keytool.trust("stranger");
  }

  /** Until it is closed. */
  private record Server(SSLServerSocket socket) implements AutoCloseable {
    static Server showing(Path key, boolean asks) throws IOException {
      Tls tls =
          new Tls(Optional.empty(), Optional.of(new Store(key, () -> PASSWORD)), HostNames.NONE);
      SSLServerSocket socket =
          (SSLServerSocket)
              tls.context()
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getByName(HOST));
      socket.setNeedClientAuth(asks);
      Server server = new Server(socket);
      Thread answers = new Thread(server::shakeHands, "zookeeper-tls");
      answers.setDaemon(true);
      answers.start();
      return server;
    }

    private void shakeHands() {
      while (!socket.isClosed()) {
        try (SSLSocket accepted = (SSLSocket) socket.accept()) {
          accepted.startHandshake();
        } catch (IOException e) {
          // The client has refused it or only looked whether somebody listens, or this is the end.
        }
      }
    }

    String address() {
      return HOST + ":" + socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** A client with TLS that trusts a store, and what else is set below ZooKeeper's own prefix. */
  private static HBaseContact client(String server, Path trust, String... more) {
    Map<String, String> properties = new HashMap<>();
    properties.put("hbase.zookeeper.quorum", server);
    properties.put(ZooKeeperTls.PROPERTY + "client.secure", "true");
    properties.put(ZooKeeperTls.PROPERTY + "clientCnxnSocket", NETTY);
    properties.put(ZooKeeperTls.PROPERTY + "ssl.trustStore.location", trust.toString());
    properties.put(ZooKeeperTls.PROPERTY + "ssl.trustStore.password", PASSWORD);
    for (int i = 0; i < more.length; i += 2) {
      properties.put(ZooKeeperTls.PROPERTY + more[i], more[i + 1]);
    }
    return new HBaseContact(properties, Optional.empty(), Duration.ofSeconds(1));
  }

  private static ConnectionStep step(HBaseContact client) {
    List<ConnectionStep> steps = new ArrayList<>();
    boolean works =
        new ZooKeeperCheck(client, steps::add).tls(List.of(client.zookeeper().split(",")));
    assertThat(steps).singleElement().extracting(ConnectionStep::works).isEqualTo(works);
    return steps.get(0);
  }

  /** That which the check says, and the same where a command connects. */
  private static String refused(HBaseContact client) {
    String step = step(client).text();
    String expected = step.substring("FAILED  ".length());
    assertThat(step).isEqualTo("FAILED  " + expected).contains(TO_MEND).doesNotContain("\n");
    assertThatThrownBy(() -> ClusterZooKeeper.open(client))
        .isInstanceOf(EngineException.class)
        .isNotInstanceOf(NoClusterException.class)
        .hasMessage("ZooKeeper at " + client.zookeeper() + ": " + expected);
    return expected;
  }

  @Test
  void aCertificateThatIsNotTrustedIsTold() throws IOException {
    try (Server server = Server.showing(own, false)) {
      assertThat(refused(client(server.address(), trustStranger)))
          .startsWith("TLS with " + server.address() + ": PKIX path building failed: ")
          .endsWith(" to hbase.zookeeper.property.ssl.trustStore");
      assertThat(step(client(server.address(), trustOwn)).text())
          .isEqualTo("ok      TLS with " + server.address() + ": TLSv1.2, CN=own");
    }
  }

  /** What mends it does. */
  @Test
  void aCertificateOfAnotherHostIsTold() throws IOException {
    try (Server server = Server.showing(elsewhere, false)) {
      assertThat(refused(client(server.address(), trustElsewhere)))
          .isEqualTo(
              "TLS with "
                  + server.address()
                  + ": Failed to verify both host address and host name"
                  + TO_MEND
                  + "give the server a certificate that names 127.0.0.1, or set"
                  + " hbase.zookeeper.property.ssl.hostnameVerification to false");
      String[] mended = {"ssl.hostnameVerification", "false"};
      assertThat(step(client(server.address(), trustElsewhere, mended)).works()).isTrue();
    }
  }

  /** Whether its alert arrives or only the end of the connection is chance. */
  @Test
  void aServerThatDoesNotTrustThisSideIsTold() throws IOException {
    try (Server server = Server.showing(own, true)) {
      for (int look = 0; look < 20; look++) {
        assertThat(step(client(server.address(), trustOwn)).text())
            .startsWith("FAILED  TLS with " + server.address() + ": ")
            .endsWith(
                "set hbase.zookeeper.property.ssl.keyStore.* to a key whose certificate the server"
                    + " trusts");
      }
      assertThatThrownBy(() -> ClusterZooKeeper.open(client(server.address(), trustOwn)))
          .hasMessageContaining("set hbase.zookeeper.property.ssl.keyStore.* to a key");
    }
  }

  /** A real ZooKeeper's. */
  @Test
  void aPortWithoutTlsIsTold(@TempDir Path folder) throws Exception {
    ZooKeeperServer server = new ZooKeeperServer(folder.toFile(), folder.toFile(), 1_000);
    NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
    try {
      factory.configure(new InetSocketAddress(HOST, 0), 20);
      factory.startup(server);
      assertThat(refused(client(HOST + ":" + factory.getLocalPort(), trustOwn)))
          .contains(TO_MEND + "name the servers' port for TLS (secureClientPort)");
    } finally {
      factory.shutdown();
      server.shutdown();
    }
  }

  @Test
  void whatIsSetInVainIsTold() throws IOException {
    try (Server server = Server.showing(own, false)) {
      assertThat(refused(client(server.address(), stores.resolve("none.jks"))))
          .startsWith("TLS with ZooKeeper: ")
          .endsWith("correct hbase.zookeeper.property.ssl.* in hbase-site.xml");
      String[] plain = {"clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNIO"};
      assertThat(refused(client(server.address(), trustOwn, plain)))
          .startsWith("TLS with ZooKeeper: it is switched on, and its client would not")
          .endsWith("set hbase.zookeeper.property.clientCnxnSocket to " + NETTY);
    }
  }

  /** Where TLS works it is not the reason, nor is it that of one server among several. */
  @Test
  void whatElseKeepsAServerFromAnsweringIsNotTakenForTls() throws IOException {
    String gone;
    try (Server server = Server.showing(own, false)) {
      gone = server.address();
    }
    try (Server server = Server.showing(own, false);
        Server other = Server.showing(elsewhere, false)) {
      for (String servers : List.of(server.address(), other.address() + "," + server.address())) {
        assertThatThrownBy(() -> ClusterZooKeeper.open(client(servers, trustOwn)))
            .hasMessage(servers + ": no ZooKeeper answers within 1 s");
      }
      String servers = gone + "," + other.address();
      assertThatThrownBy(() -> ClusterZooKeeper.open(client(servers, trustOwn)))
          .hasMessageStartingWith(
              "ZooKeeper at " + servers + ": TLS with " + other.address() + ": PKIX path");
    }
    assertThatThrownBy(() -> ClusterZooKeeper.open(client(gone, trustOwn)))
        .isInstanceOf(NoClusterException.class);
  }

  @Test
  void withoutTlsNothingIsTried() {
    List<ConnectionStep> steps = new ArrayList<>();
    HBaseContact plain = HBaseContact.of("127.0.0.1:1");
    assertThat(new ZooKeeperCheck(plain, steps::add).tls(List.of("127.0.0.1:1"))).isTrue();
    assertThat(steps).isEmpty();
  }

  /** Those that no server of these tests gives, or not in a moment. */
  @Test
  void whatFailsInTlsHasItsMend() {
    assertThat(ZooKeeperTls.mend("Read timed out", "zk1")).startsWith("restart that server");
    assertThat(ZooKeeperTls.mend("Connection reset", "zk1"))
        .startsWith("name the servers' port for TLS (secureClientPort)");
    assertThat(ZooKeeperTls.mend("Received fatal alert: certificate_required", "zk1"))
        .startsWith("set hbase.zookeeper.property.ssl.keyStore.*");
  }
}
