package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.trimtab.cassandra.jmx.JmxSockets;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;

/**
 * What a ring of many Cassandra nodes answers: each has a JMX server of its own, with a registry on
 * a loopback address and the beans that a snapshot reads; what is asked by CQL is answered from
 * memory. No plug-in is loaded.
 */
final class ManyNodes implements AutoCloseable {
  private static final int CQL_PORT = 9042;
  private static final int STORAGE_PORT = 7000;
  private static final String KEYSPACE = "shop";

  private final int port;
  private final List<Registry> registries = new ArrayList<>();
  private final List<JMXConnectorServer> servers = new ArrayList<>();
  private final Map<UUID, Node> nodes = new HashMap<>();
  private final CqlSession session;

  /**
   * @param size nodes, in [1, 250]
   * @param tables of users
   */
  ManyNodes(int size, int tables) throws IOException, JMException {
    // Connections from before would be used again, and have no end.
    JmxSockets.install();
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    List<String> storage = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      storage.add(host(i) + ":" + STORAGE_PORT);
    }
    NodeBeans beans = new NodeBeans(storage, KEYSPACE, tables);
    for (int i = 0; i < size; i++) {
      UUID id = new UUID(0, i);
      nodes.put(id, node(id, host(i)));
      serve(host(i), beans);
    }
    session = session();
  }

  private static String host(int index) {
    return "127.0.2." + (index + 1);
  }

  private void serve(String host, NodeBeans beans) throws IOException, JMException {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    for (Map.Entry<String, NodeBeans.Bean> bean : beans.all().entrySet()) {
      server.registerMBean(bean.getValue(), new ObjectName(bean.getKey()));
    }
    registries.add(
        LocateRegistry.createRegistry(port, null, new Sockets(InetAddress.getByName(host))));
    JMXConnectorServer connector =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://%s:%d/jmxrmi".formatted(host, port)),
            // A port of its own, as each node has: otherwise all would share connections.
            Map.of(
                RMIConnectorServer.RMI_SERVER_SOCKET_FACTORY_ATTRIBUTE,
                new Sockets(InetAddress.getByName("0.0.0.0"))),
            server);
    connector.start();
    servers.add(connector);
  }

  /** Only one object is equal to it, so that RMI keeps a port for each. */
  private static final class Sockets implements RMIServerSocketFactory {
    private final InetAddress address;

    Sockets(InetAddress address) {
      this.address = address;
    }

    @Override
    public ServerSocket createServerSocket(int at) throws IOException {
      return new ServerSocket(at, 0, address);
    }
  }

  private static Node node(UUID id, String host) {
    EndPoint cql = of(EndPoint.class, asked -> new InetSocketAddress(host, CQL_PORT));
    InetSocketAddress storage = new InetSocketAddress(host, STORAGE_PORT);
    return of(
        Node.class,
        asked ->
            switch (asked) {
              case "getEndPoint" -> cql;
              case "getHostId" -> id;
              case "getBroadcastAddress" -> Optional.of(storage);
              case "getDatacenter" -> "dc1";
              case "getRack" -> "rack1";
              case "getState" -> NodeState.UP;
              case "getCassandraVersion" -> Version.parse("5.0.9");
              default -> throw new UnsupportedOperationException(asked);
            });
  }

  /** Two lists are asked for: of the keyspaces, and of one setting of a node. */
  private CqlSession session() {
    Metadata metadata = of(Metadata.class, asked -> nodes);
    Map<String, String> copies =
        Map.of("class", "org.apache.cassandra.locator.NetworkTopologyStrategy", "dc1", "3");
    Row row =
        of(
            Row.class,
            asked ->
                switch (asked) {
                  case "getMap" -> copies;
                  // Also the value of the setting, which is then no size.
                  case "getString" -> KEYSPACE;
                  default -> throw new UnsupportedOperationException(asked);
                });
    return of(
        CqlSession.class,
        asked ->
            switch (asked) {
              case "getMetadata" -> metadata;
              case "execute" ->
                  of(
                      ResultSet.class,
                      read -> read.equals("iterator") ? List.of(row).iterator() : row);
              default -> throw new UnsupportedOperationException(asked);
            });
  }

  /** Whatever it is asked, it answers by the method's name. */
  private static <T> T of(Class<T> type, Function<String, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, asked, arguments) -> answer.apply(asked.getName())));
  }

  /** As the driver would know them. */
  CqlSession cql() {
    return session;
  }

  /** Where their JMX is. */
  CassandraContact contact() {
    return CassandraContact.of(host(0), port);
  }

  @Override
  public void close() throws IOException {
    for (JMXConnectorServer server : servers) {
      server.stop();
    }
    for (Registry registry : registries) {
      UnicastRemoteObject.unexportObject(registry, true);
    }
  }
}
