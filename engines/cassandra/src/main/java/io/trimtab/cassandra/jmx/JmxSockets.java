package io.trimtab.cassandra.jmx;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.rmi.server.RMISocketFactory;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets for RMI with an end to each read. RMI itself waits for a host that accepts connections
 * and never answers until that closes them, and a thread in such a read can't be interrupted: it
 * would be left behind. RMI reuses connections, so the end is that of the call which the reading
 * thread makes. One factory serves all RMI of this process; the stubs that nodes send ask for it.
 */
public final class JmxSockets extends RMISocketFactory {
  private static final Logger LOG = LoggerFactory.getLogger(JmxSockets.class);
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  /** For RMI's own threads, which renew leases and check connections. */
  private static final Duration READ_LIMIT = Duration.ofSeconds(15);

  /** The call that this thread makes. */
  private static final ThreadLocal<Call> CALL = new ThreadLocal<>();

  /**
   * A call of a node.
   *
   * @param endNs when it ends, by {@link System#nanoTime}
   * @param registryPort of the node
   */
  private record Call(long endNs, int registryPort) {}

  /** How the JDK names the threads that renew leases at nodes that were called. */
  private static final String RENEWING = "RenewClean";

  private JmxSockets() {}

  /** No-op if this process has a factory already; logged if that is another one. */
  public static synchronized void install() {
    if (RMISocketFactory.getSocketFactory() instanceof JmxSockets) {
      return;
    }
    try {
      RMISocketFactory.setSocketFactory(new JmxSockets());
    } catch (IOException e) {
      LOG.warn(
          "JMX: RMI has a socket factory of its own ({}); calls of a node that never answers keep"
              + " their threads",
          RMISocketFactory.getSocketFactory().getClass().getName());
    }
  }

  /** Whether this thread makes a call: what it reads is a node's answer. */
  static boolean calling() {
    return CALL.get() != null;
  }

  /** The port of the registry of the node that this thread calls; empty if it calls none. */
  static OptionalInt registryPort() {
    Call call = CALL.get();
    return call == null ? OptionalInt.empty() : OptionalInt.of(call.registryPort());
  }

  /**
   * Makes a call whose reads end with it.
   *
   * @param registryPort of the node that is called
   */
  public static <T> T within(Duration limit, int registryPort, Callable<T> call) throws Exception {
    CALL.set(new Call(System.nanoTime() + limit.toNanos(), registryPort));
    try {
      return call.call();
    } finally {
      CALL.remove();
    }
  }

  /**
   * Milliseconds left for a read, at least 1.
   *
   * @throws SocketTimeoutException when there are none
   */
  private static int leftMs() throws SocketTimeoutException {
    Call call = CALL.get();
    if (call == null) {
      return (int) READ_LIMIT.toMillis();
    }
    long leftNs = call.endNs() - System.nanoTime();
    if (leftNs <= 0) {
      throw new SocketTimeoutException("the time for the call is over");
    }
    return (int) Math.min(Integer.MAX_VALUE, leftNs / 1_000_000 + 1);
  }

  /**
   * Connects.
   *
   * @throws IOException also if a call would go to an address that no node of a cluster has: an
   *     answer names where the next call goes, and one that was forged could name any host
   */
  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connect(host, port);
  }

  static Socket connect(String host, int port) throws IOException {
    if (calling() || Thread.currentThread().getName().startsWith(RENEWING)) {
      JmxNodes.require(host);
    }
    Socket socket = new BoundedSocket();
    try {
      socket.connect(
          new InetSocketAddress(host, port), Math.min(leftMs(), (int) CONNECT_LIMIT.toMillis()));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return RMISocketFactory.getDefaultSocketFactory().createServerSocket(port);
  }

  private static final class BoundedSocket extends Socket {
    @Override
    public InputStream getInputStream() throws IOException {
      return new Bounded(this, super.getInputStream());
    }
  }

  private static final class Bounded extends FilterInputStream {
    private final Socket socket;

    Bounded(Socket socket, InputStream in) {
      super(in);
      this.socket = socket;
    }

    @Override
    public int read() throws IOException {
      socket.setSoTimeout(leftMs());
      return super.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      socket.setSoTimeout(leftMs());
      return super.read(to, offset, length);
    }
  }
}
