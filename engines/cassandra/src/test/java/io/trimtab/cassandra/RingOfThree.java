package io.trimtab.cassandra;

import static io.trimtab.cassandra.CassandraEngineTest.fake;

import com.datastax.oss.driver.api.core.CqlIdentifier;
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
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a session tells of a ring of three nodes, with two keyspaces of users. */
final class RingOfThree {
  /** By host id; the nodes are 127.0.0.1 to 127.0.0.3. */
  final Map<UUID, Node> nodes =
      new ConcurrentHashMap<>(
          IntStream.rangeClosed(1, 3)
              .mapToObj(RingOfThree::node)
              .collect(Collectors.toMap(Node::getHostId, n -> n)));

  /** Of the data of each of the two keyspaces, as its rows tell. */
  volatile int copies = 1;

  private final Metadata metadata =
      fake(
          Metadata.class,
          called ->
              switch (called) {
                case "getNodes" -> nodes;
                case "getKeyspace" -> Optional.of(keyspace(Keyspaces.CONTROL));
                case "getKeyspaces" ->
                    List.of("a", "b").stream()
                        .map(RingOfThree::keyspace)
                        .collect(Collectors.toMap(KeyspaceMetadata::getName, k -> k));
                default -> throw new AssertionError(called);
              });

  private final ExecutionInfo agreed = fake(ExecutionInfo.class, called -> true);
  private final ResultSet rows =
      fake(ResultSet.class, called -> called.equals("getExecutionInfo") ? agreed : null);

  /**
   * A session with it.
   *
   * @param executed hears the first word of each statement, but not of what reads the keyspaces
   */
  CqlSession session(Consumer<String> executed) {
    InvocationHandler answers =
        (proxy, called, a) -> {
          if (called.getName().equals("checkSchemaAgreement")) {
            return true;
          }
          if (!called.getName().equals("execute")) {
            return metadata;
          }
          String query = a[0] instanceof SimpleStatement simple ? simple.getQuery() : (String) a[0];
          if (query.contains("system_schema.keyspaces")) {
            return keyspaces();
          }
          executed.accept(query.split(" ", 2)[0]);
          return rows;
        };
    return (CqlSession)
        Proxy.newProxyInstance(
            CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, answers);
  }

  private ResultSet keyspaces() {
    List<Row> all =
        Stream.of("a", "b")
            .map(
                name ->
                    fake(
                        Row.class,
                        called ->
                            called.equals("getString")
                                ? name
                                : Map.of(
                                    "class",
                                    "NetworkTopologyStrategy",
                                    "dc1",
                                    String.valueOf(copies))))
            .toList();
    return fake(ResultSet.class, called -> called.equals("iterator") ? all.iterator() : null);
  }

  /** A node of which all is known, 127.0.0.1 for the first. */
  static Node node(int number) {
    return node(number, "dc1");
  }

  /** The same in another data centre. */
  static Node node(int number, String dataCentre) {
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
              case "getDatacenter" -> dataCentre;
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
                ? CqlIdentifier.fromInternal(name)
                : Map.of("class", "NetworkTopologyStrategy", "dc1", "1"));
  }
}
