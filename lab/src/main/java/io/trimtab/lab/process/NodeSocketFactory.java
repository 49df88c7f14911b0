package io.trimtab.lab.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import javax.net.SocketFactory;

/**
 * Lets every lab node speak to the NameNode from its own loopback address.
 *
 * <p>HDFS knows DataNodes and readers by the address that their connection comes from, and Linux
 * gives every loopback connection the source 127.0.0.1. All DataNodes would then be one, and no
 * read would be local. Hadoop instantiates this class where {@code
 * hadoop.rpc.socket.factory.class.default} names it; the address is the system property {@value
 * #ADDRESS}.
 */
public final class NodeSocketFactory extends SocketFactory {
  /** System property of a node's process: the loopback address that stands for its machine. */
  public static final String ADDRESS = "trimtab.node.address";

  @Override
  public Socket createSocket() throws IOException {
    // Hadoop's client wants a socket that has a channel.
    Socket socket = SocketChannel.open().socket();
    socket.bind(new InetSocketAddress(System.getProperty(ADDRESS, "127.0.0.1"), 0));
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  private Socket connected(InetSocketAddress to) throws IOException {
    Socket socket = createSocket();
    try {
      socket.connect(to);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }

  /** Hadoop caches one factory per class and compares them. */
  @Override
  public boolean equals(Object other) {
    return other instanceof NodeSocketFactory;
  }

  @Override
  public int hashCode() {
    return NodeSocketFactory.class.hashCode();
  }
}
