package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.jmx.JmxSockets;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is read of nodes with the plug-in, without it, and with another version, over JMX. */
class RankingViewTest {
  private static final NodeId NODE = new NodeId("127.0.0.1:9042");
  private static Registry registry;
  private static JMXConnectorServer server;
  private static int port;

  @BeforeAll
  static void listen() throws IOException {
    // Connections from before would be used again, also by other tests, and have no end.
    JmxSockets.install();
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    registry = LocateRegistry.createRegistry(port);
    server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
            Map.of(),
            ManagementFactory.getPlatformMBeanServer());
    server.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.stop();
    UnicastRemoteObject.unexportObject(registry, true);
  }

  /** A row of a bean. */
  public record Row(String address, double score, long candidate, long first) {
    public String getAddress() {
      return address;
    }

    public double getScore() {
      return score;
    }

    public long getCandidate() {
      return candidate;
    }

    public long getFirst() {
      return first;
    }
  }

  /** As the plug-in's, as far as it matters here. */
  public interface RankingMXBean {
    List<Row> getReplicas();

    String getRanking();

    boolean isLocalFirst();
  }

  /** See {@link RankingMXBean}. */
  public static class Ranking implements RankingMXBean {
    @Override
    public List<Row> getReplicas() {
      return List.of(new Row("127.0.0.1:7000", 1.5, 10, 4));
    }

    @Override
    public String getRanking() {
      return "c3";
    }

    @Override
    public boolean isLocalFirst() {
      return false;
    }
  }

  /** One that fails. */
  public static final class Failing extends Ranking {
    @Override
    public List<Row> getReplicas() {
      throw new IllegalStateException("no numbers");
    }
  }

  /** As of a version that told something else. */
  public interface OtherMXBean {
    String getRanking();
  }

  /** See {@link OtherMXBean}. */
  public static final class Other implements OtherMXBean {
    @Override
    public String getRanking() {
      return "c3";
    }
  }

  private static Optional<CoordinatorView> view(Object bean, List<String> gaps) throws Exception {
    ObjectName name = new ObjectName(RankingPlugin.BEAN);
    if (bean != null) {
      ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
    }
    try (NodeJmx node = NodeJmx.connect("127.0.0.1", port, Map.of())) {
      return JmxRanking.view(NODE, node, Map.of("127.0.0.1:7000", NODE), gaps);
    } finally {
      if (bean != null) {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
      }
    }
  }

  @Test
  void thePluginsBeanIsReadByItsAddresses() throws Exception {
    List<String> gaps = new ArrayList<>();
    CoordinatorView view = view(new Ranking(), gaps).orElseThrow();
    assertThat(view.ranking()).isEqualTo("c3");
    assertThat(view.ownFirst()).isFalse();
    assertThat(view.of(NODE).orElseThrow().candidate()).hasValue(10);
    assertThat(view.of(NODE).orElseThrow().serviceMs()).isEmpty();
    assertThat(gaps).isEmpty();
  }

  @Test
  void aNodeWithoutItOrWithAnotherVersionHasNoViewAndNoGap() throws Exception {
    List<String> gaps = new ArrayList<>();
    assertThat(view(null, gaps)).isEmpty();
    assertThat(view(new Other(), gaps)).isEmpty();
    assertThat(gaps).isEmpty();
  }

  @Test
  void oneThatFailsIsAGapAndTheNodeIsReadAllTheSame() throws Exception {
    List<String> gaps = new ArrayList<>();
    assertThat(view(new Failing(), gaps)).isEmpty();
    assertThat(gaps)
        .singleElement()
        .asString()
        .startsWith("node 127.0.0.1:9042 does not tell how it ranks replicas: ")
        .contains("no numbers")
        .doesNotContain("\n");
  }
}
