package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.StandardMBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the beans of other releases lack, or do otherwise. */
class OlderNodeTest {
  private final MBeanServer beans = MBeanServerFactory.newMBeanServer();
  private ServedBeans served;
  private NodeJmx jmx;

  /** As in Cassandra 4.0. */
  public interface OlderMBean {
    int getCompactionThroughputMbPerSec();
  }

  /** See {@link OlderMBean}. */
  public static final class Older implements OlderMBean {
    @Override
    public int getCompactionThroughputMbPerSec() {
      return 32;
    }
  }

  /** As in Cassandra 4.1. */
  public interface NewerMBean {
    double getCompactionThroughtputMibPerSecAsDouble();

    int getCompactionThroughputMbPerSec();

    String getToken(String keyspace, String table, String key);
  }

  /** See {@link NewerMBean}. */
  public static final class Newer implements NewerMBean {
    @Override
    public double getCompactionThroughtputMibPerSecAsDouble() {
      return 24.0;
    }

    @Override
    public int getCompactionThroughputMbPerSec() {
      throw new IllegalStateException("it would have to be rounded");
    }

    @Override
    public String getToken(String keyspace, String table, String key) {
      throw new IllegalArgumentException("Unknown table '" + table + "'");
    }
  }

  @BeforeEach
  void listen() throws IOException {
    served = ServedBeans.of(beans);
    jmx = served.connect();
  }

  @AfterEach
  void stop() throws IOException {
    jmx.close();
    served.close();
  }

  private void ring(Object bean) throws JMException {
    beans.registerMBean(bean, NodeJmx.name(StorageService.BEAN));
  }

  @Test
  void anOlderNodeTellsWholeNumbersAndNoTokensOfKeys() throws Exception {
    ring(new Older());

    assertThat(NodeSettings.read(jmx)).isEqualTo(Map.of(NodeSetting.COMPACTION_THROUGHPUT, 32));
    assertThat(new StorageService(jmx).tellsTokens()).isFalse();
  }

  /** A key that it does not know is no reason to take it for an older one. */
  @Test
  void aNewerNodeTellsItsOwnNumberAndTokensOfKeys() throws Exception {
    ring(new Newer());

    assertThat(NodeSettings.read(jmx)).isEqualTo(Map.of(NodeSetting.COMPACTION_THROUGHPUT, 24));
    assertThat(new StorageService(jmx).tellsTokens()).isTrue();
  }

  /** As in Cassandra 4. */
  public interface LeavingOf4 {
    String getOperationMode();

    void decommission(boolean force);
  }

  /** As in Cassandra 5.0. */
  public interface LeavingOf5 extends LeavingOf4 {
    boolean isDecommissionFailed();
  }

  /** As in Cassandra 6.0. */
  public interface LeavingOf6 extends LeavingOf5 {
    void abortDecommission(String nodeId);

    List<String> getLiveNodesWithPort();

    List<String> getJoiningNodesWithPort();
  }

  /** How a node leaves the ring, or stays in it after all. */
  @Nested
  class Leaves {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final NodeId node = new NodeId("127.0.0.1:9042");
    private final RingOfThree ring = new RingOfThree();
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile String mode = "LEAVING";
    private JmxPool pool;

    /** What it does when it is asked to leave. */
    private volatile Runnable leaves = this::gone;

    private final class Node implements LeavingOf6 {
      @Override
      public String getOperationMode() {
        return mode;
      }

      @Override
      public void decommission(boolean force) {
        asked.add("decommission");
        leaves.run();
      }

      @Override
      public boolean isDecommissionFailed() {
        gone();
        return false;
      }

      @Override
      public void abortDecommission(String nodeId) {
        asked.add("abort of " + nodeId);
        mode = "NORMAL";
      }

      @Override
      public List<String> getLiveNodesWithPort() {
        return List.of("127.0.0.1:7000", "127.0.0.2:7000", "127.0.0.3:7000");
      }

      @Override
      public List<String> getJoiningNodesWithPort() {
        return List.of();
      }
    }

    private void gone() {
      ring.nodes.remove(new UUID(0, 1));
    }

    private Membership of(Class<? super LeavingOf6> release) throws JMException {
      beans.registerMBean(
          new StandardMBean(new Node(), release), NodeJmx.name(StorageService.BEAN));
      beans.registerMBean(
          new StandardMBean(ManagementFactory.getRuntimeMXBean(), RuntimeMXBean.class, true),
          NodeJmx.name(CassandraNodeReader.RUNTIME));
      pool = new JmxPool(CassandraContact.of(node.name(), served.port()));
      Clocks clocks = new Clocks(Clocks.SYSTEM.wall(), nanos::get, Clocks.SYSTEM.sleeper());
      return new Membership(ring.session(word -> {}), pool, clocks);
    }

    @AfterEach
    void close() {
      pool.close();
    }

    /** Its mode is the same for as long as nobody asks it again. */
    @Test
    void ofCassandra4IsAskedAgainAsItMayHaveFailed() throws Exception {
      of(LeavingOf4.class).leave(node, LIMIT, InCharge.ANYBODY);
      assertThat(asked).containsExactly("decommission");
    }

    @Test
    void ofCassandra4ThatStillLeavesIsWaitedFor() throws Exception {
      leaves =
          () -> {
            gone();
            throw new IllegalStateException(
                "Node is still decommissioning. Check nodetool netstats.");
          };
      of(LeavingOf4.class).leave(node, LIMIT, InCharge.ANYBODY);
      assertThat(asked).containsExactly("decommission");
      assertThat(ring.nodes).hasSize(2);
    }

    @Test
    void ofCassandra4ThatFailsAgainIsToldAtOnce() throws Exception {
      leaves =
          () -> {
            throw new IllegalStateException("Error while decommissioning node");
          };
      Membership membership = of(LeavingOf4.class);
      assertThatThrownBy(() -> membership.leave(node, LIMIT, InCharge.ANYBODY))
          .isInstanceOf(EngineException.class)
          .hasMessageStartingWith("node 127.0.0.1:9042 can't leave the ring: ")
          .hasMessageContaining("Error while decommissioning node");
    }

    @Test
    void ofALaterReleaseIsOnlyWaitedFor() throws Exception {
      of(LeavingOf5.class).leave(node, LIMIT, InCharge.ANYBODY);
      assertThat(asked).isEmpty();
      assertThat(ring.nodes).hasSize(2);
    }

    /** A leave, and the wait until others know of it, have one limit. */
    @Test
    void onlyUntilTheLimit() throws Exception {
      Duration hour = Duration.ofHours(1);
      mode = "NORMAL";
      leaves = () -> nanos.addAndGet(hour.toNanos());
      Membership membership = of(LeavingOf5.class);
      assertTimeoutPreemptively(
          Duration.ofSeconds(60),
          () ->
              assertThatThrownBy(() -> membership.leave(node, hour, InCharge.ANYBODY))
                  .isInstanceOf(EngineException.class)
                  .hasMessage("node 127.0.0.1:9042 is still in the ring after 3600 s"));
    }

    /** It remembers that it was leaving, and waits for somebody to say what now. */
    @Test
    void ofCassandra6ThatWasRestartedAreTakenBack() throws Exception {
      mode = "DECOMMISSION_FAILED";
      of(LeavingOf6.class).awaitNormal(node, 1, LIMIT, InCharge.ANYBODY);
      assertThat(asked).containsExactly("abort of null");
    }

    @Test
    void areNotTakenBackBeforeTheRestart() throws Exception {
      mode = "DECOMMISSION_FAILED";
      long started = ManagementFactory.getRuntimeMXBean().getStartTime();
      Membership membership = of(LeavingOf6.class);
      assertThatThrownBy(
              () -> membership.awaitNormal(node, started, Duration.ofSeconds(1), InCharge.ANYBODY))
          .isInstanceOf(EngineException.class)
          .hasMessageEndingWith("it is DECOMMISSION_FAILED");
      assertThat(asked).isEmpty();
    }

    @Test
    void areNotTakenBackByWhoHasLostControl() throws Exception {
      mode = "DECOMMISSION_FAILED";
      Membership membership = of(LeavingOf6.class);
      assertThatThrownBy(
              () ->
                  membership.awaitNormal(
                      node,
                      1,
                      LIMIT,
                      () -> {
                        throw new LostControlException("control was lost");
                      }))
          .isInstanceOf(LostControlException.class);
      assertThat(asked).isEmpty();
    }
  }
}
