package io.trimtab.cassandra.jmx;

import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.security.NoSuchAlgorithmException;
import java.security.Security;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;

/**
 * TLS for JMX. The stubs that a node sends bring the JDK's own {@link SslRMIClientSocketFactory},
 * which knows only the process's default for TLS: one trust store for all clusters, read once. This
 * class is made that default: it gives a node's address its own cluster's TLS, with limits on time
 * as {@link JmxSockets}, and every other host what it would have got without.
 */
public final class JmxTlsSockets extends SSLSocketFactory {
  private static final String DEFAULT = "ssl.SocketFactory.provider";

  private final SSLSocketFactory others;

  /** For the JDK, which makes the one that there is. */
  public JmxTlsSockets() {
    try {
      others = SSLContext.getDefault().getSocketFactory();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  /** Makes it the default, unless the process has one of its own. */
  public static void install() {
    if (Security.getProperty(DEFAULT) == null) {
      Security.setProperty(DEFAULT, JmxTlsSockets.class.getName());
    }
  }

  /**
   * What stubs of nodes with TLS use.
   *
   * @throws IOException if the process has another default for TLS
   */
  public static RMIClientSocketFactory ofStubs() throws IOException {
    if (!(SSLSocketFactory.getDefault() instanceof JmxTlsSockets)) {
      throw new IOException(
          "TLS for JMX needs to be this process's default for TLS, which is "
              + SSLSocketFactory.getDefault().getClass().getName());
    }
    return new SslRMIClientSocketFactory();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Optional<Tls> tls = JmxNodes.tls(host, port);
    if (tls.isPresent()) {
      Socket plain = JmxSockets.connect(host, port);
      try {
        return tls.get().over(plain, host, port);
      } catch (IOException e) {
        plain.close();
        throw e;
      }
    }
    if (JmxSockets.calling()) {
      // Also of a node that offers TLS where none was asked for: it is bounded in time.
      Socket plain = JmxSockets.connect(host, port);
      return others.createSocket(plain, host, port, true);
    }
    return others.createSocket(host, port);
  }

  @Override
  public Socket createSocket() throws IOException {
    return others.createSocket();
  }

  @Override
  public Socket createSocket(Socket socket, String host, int port, boolean autoClose)
      throws IOException {
    return others.createSocket(socket, host, port, autoClose);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return others.createSocket(host, port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return others.createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return others.createSocket(host, port, local, localPort);
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return others.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return others.getSupportedCipherSuites();
  }
}
