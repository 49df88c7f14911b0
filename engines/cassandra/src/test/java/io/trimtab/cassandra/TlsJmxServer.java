package io.trimtab.cassandra;

import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.AlreadyBoundException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;

/** A JVM with TLS for its registry and its beans, as Cassandra's own options make it. */
final class TlsJmxServer implements AutoCloseable {
  private static final SslRMIClientSocketFactory STUBS = new SslRMIClientSocketFactory();

  private final Accepting accepting;
  private final int port;
  private final Registry registry;
  private final RMIConnectorServer server;

  /**
   * @param shown with the key whose certificate it shows; read again when its store has changed
   */
  TlsJmxServer(Tls shown) throws IOException, AlreadyBoundException {
    accepting = new Accepting(shown);
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    registry = LocateRegistry.createRegistry(port, STUBS, accepting);
    Map<String, Object> environment = new HashMap<>();
    RMIJRMPServerImpl beans = new RMIJRMPServerImpl(0, STUBS, accepting, environment);
    server =
        new RMIConnectorServer(
            new JMXServiceURL("service:jmx:rmi://"),
            environment,
            beans,
            ManagementFactory.getPlatformMBeanServer());
    server.start();
    registry.bind("jmxrmi", beans.toStub());
  }

  /** Of its registry; on every address of this machine. */
  int port() {
    return port;
  }

  /** Ends all connections, as a node does that ends. */
  void hangUp() throws IOException {
    accepting.hangUp();
  }

  @Override
  public void close() throws IOException {
    server.stop();
    UnicastRemoteObject.unexportObject(registry, true);
  }

  /** Only one object is equal to it, so that a server's beans have a port of their own. */
  private static final class Accepting implements RMIServerSocketFactory {
    private final Tls shown;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();

    Accepting(Tls shown) {
      this.shown = shown;
    }

    @Override
    public ServerSocket createServerSocket(int at) throws IOException {
      return new ServerSocket(at) {
        @Override
        public Socket accept() throws IOException {
          Socket plain = super.accept();
          connections.add(plain);
          return secured(plain);
        }
      };
    }

    private SSLSocket secured(Socket plain) throws IOException {
      SSLSocketFactory sockets = shown.context().getSocketFactory();
      String from = plain.getInetAddress().getHostAddress();
      SSLSocket secured = (SSLSocket) sockets.createSocket(plain, from, plain.getPort(), true);
      secured.setUseClientMode(false);
      return secured;
    }

    void hangUp() throws IOException {
      for (Socket connection : connections) {
        connection.close();
      }
      connections.clear();
    }
  }
}
