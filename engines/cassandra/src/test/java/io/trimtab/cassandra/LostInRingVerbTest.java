package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A verb of several steps ends before the next one once control is lost. */
class LostInRingVerbTest {
  private static final NodeId NODE = new NodeId("127.0.0.1:9042");
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<String> done = new CopyOnWriteArrayList<>();
  private String losesAt = "";
  private boolean held = true;
  private ServedBeans served;
  private JmxPool jmx;

  private final InCharge control =
      () -> {
        if (!held) {
          throw new LostControlException("control was lost");
        }
      };

  /** What a node says and does. */
  public interface RingNodeMXBean {
    String getOperationMode();

    void decommission(boolean force);

    int forceKeyspaceCleanup(String keyspace, String[] tables);
  }

  private final class RingNode implements RingNodeMXBean {
    @Override
    public String getOperationMode() {
      lose("mode");
      return "NORMAL";
    }

    @Override
    public void decommission(boolean force) {
      done("decommission");
    }

    @Override
    public int forceKeyspaceCleanup(String keyspace, String[] tables) {
      done("cleanup " + keyspace);
      return 0;
    }
  }

  private void lose(String at) {
    if (losesAt.equals(at)) {
      held = false;
    }
  }

  private void done(String what) {
    done.add(what);
    lose(what);
  }

  private static <T> T fake(Class<T> type, Function<String, Object> answers) {
    return fake(type, (proxy, called, a) -> answers.apply(called.getName()));
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Node node(int number) {
    InetSocketAddress at = new InetSocketAddress("127.0.0." + number, 9042);
    EndPoint cql = fake(EndPoint.class, called -> at);
    return fake(
        Node.class,
        called ->
            switch (called) {
              case "getEndPoint" -> cql;
              case "getHostId" -> new UUID(0, number);
              case "getBroadcastAddress" ->
                  Optional.of(new InetSocketAddress(at.getAddress(), 7000));
              case "getDatacenter" -> "dc1";
              case "getRack" -> "r1";
              case "getState" -> NodeState.UP;
              case "getCassandraVersion" -> Version.parse("5.0.9");
              default -> throw new AssertionError(called);
            });
  }

  private static KeyspaceMetadata keyspace(String name) {
    return fake(
        KeyspaceMetadata.class,
        called ->
            called.equals("getName")
                ? com.datastax.oss.driver.api.core.CqlIdentifier.fromInternal(name)
                : Map.of("class", "NetworkTopologyStrategy", "dc1", "1"));
  }

  private final Map<UUID, Node> ring =
      IntStream.rangeClosed(1, 3)
          .mapToObj(LostInRingVerbTest::node)
          .collect(Collectors.toMap(Node::getHostId, n -> n));

  private final Metadata metadata =
      fake(
          Metadata.class,
          called ->
              switch (called) {
                case "getNodes" -> ring;
                case "getKeyspace" -> Optional.of(keyspace(Keyspaces.CONTROL));
                case "getKeyspaces" ->
                    List.of("a", "b").stream()
                        .map(LostInRingVerbTest::keyspace)
                        .collect(Collectors.toMap(KeyspaceMetadata::getName, k -> k));
                default -> throw new AssertionError(called);
              });

  private final ExecutionInfo agreed = fake(ExecutionInfo.class, called -> true);
  private final ResultSet rows =
      fake(ResultSet.class, called -> called.equals("getExecutionInfo") ? agreed : null);

  private static ResultSet keyspaces() {
    List<Row> all =
        Stream.of("a", "b")
            .map(
                name ->
                    fake(
                        Row.class,
                        called ->
                            called.equals("getString")
                                ? name
                                : Map.of("class", "NetworkTopologyStrategy", "dc1", "1")))
            .toList();
    return fake(ResultSet.class, called -> called.equals("iterator") ? all.iterator() : null);
  }

  private final CqlSession session =
      fake(
          CqlSession.class,
          (proxy, called, a) -> {
            if (called.getName().equals("execute")) {
              String query =
                  a[0] instanceof SimpleStatement simple ? simple.getQuery() : (String) a[0];
              if (query.contains("system_schema.keyspaces")) {
                return keyspaces();
              }
              String statement = query.split(" ", 2)[0];
              if (statement.equals("ALTER")) {
                done(statement);
              }
              lose(statement);
              return rows;
            }
            return metadata;
          });

  @BeforeEach
  void listen() throws Exception {
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    beans.registerMBean(new RingNode(), NodeJmx.name(StorageService.BEAN));
    served = ServedBeans.of(beans);
    jmx = new JmxPool(CassandraContact.of(NODE.name(), served.port()));
  }

  @AfterEach
  void stop() throws IOException {
    jmx.close();
    served.close();
  }

  private Membership membership() {
    return new Membership(session, jmx, Clocks.SYSTEM);
  }

  @Test
  void noNodeLeavesAfterAnAnswerThatCameTooLate() {
    losesAt = "mode";
    assertThatThrownBy(() -> membership().leave(NODE, LIMIT, control))
        .isInstanceOf(LostControlException.class);
    assertThat(done).isEmpty();
  }

  @Test
  void noFurtherKeyspaceIsCleanedUp() {
    losesAt = "cleanup a";
    assertThatThrownBy(() -> membership().cleanup(NODE, LIMIT, control))
        .isInstanceOf(LostControlException.class);
    assertThat(done).containsExactly("cleanup a");
  }

  @Test
  void noFurtherStepOfTheReplicationFollows() {
    losesAt = "ALTER";
    assertThatThrownBy(() -> new ControlKeyspace(session, "the ring").adapt(control))
        .isInstanceOf(LostControlException.class);
    assertThat(done).containsExactly("ALTER");
  }

  @Test
  void noStepFollowsARepairThatTookTooLong() {
    losesAt = "SELECT";
    assertThatThrownBy(
            () -> new ControlKeyspace(session, "the ring").adaptTo(control, ring.values()))
        .isInstanceOf(LostControlException.class);
    assertThat(done).isEmpty();
  }
}
