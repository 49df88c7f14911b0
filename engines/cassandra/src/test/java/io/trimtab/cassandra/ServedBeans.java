package io.trimtab.cassandra;

import java.io.IOException;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Beans that are reached by JMX, as those of a node are.
 *
 * @param port at 127.0.0.1
 */
record ServedBeans(int port, Registry registry, JMXConnectorServer server)
    implements AutoCloseable {

  static ServedBeans of(MBeanServer beans) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Registry registry = LocateRegistry.createRegistry(port);
    String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi";
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(new JMXServiceURL(url), Map.of(), beans);
    server.start();
    return new ServedBeans(port, registry, server);
  }

  NodeJmx connect() throws IOException {
    return NodeJmx.connect("127.0.0.1", port, Map.of());
  }

  @Override
  public void close() throws IOException {
    server.stop();
    UnicastRemoteObject.unexportObject(registry, true);
  }
}
