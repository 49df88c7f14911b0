package io.trimtab.cassandra;

import io.trimtab.cassandra.jmx.JmxFilter;
import io.trimtab.cassandra.jmx.JmxNodes;
import io.trimtab.cassandra.jmx.JmxSockets;
import io.trimtab.cassandra.jmx.JmxTlsSockets;
import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMIClientSocketFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.remote.JMXConnector;
import javax.management.remote.rmi.RMIConnector;
import javax.management.remote.rmi.RMIServer;

/**
 * A connection to one node's JMX server. RMI knows no time limits of its own for a host that has
 * gone silent, so calls are made by another thread, which gives up as its caller does: see {@link
 * JmxSockets}. Thread-safe.
 */
final class NodeJmx implements AutoCloseable {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(15);
  private static final ExecutorService CALLS =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "jmx-call");
            thread.setDaemon(true);
            return thread;
          });

  /** Under which a JVM registers its JMX server. */
  private static final String SERVER = "jmxrmi";

  /** Milliseconds between checks of a connection by the JDK; 0: none. */
  private static final String HEARTBEAT = "jmx.remote.x.client.connection.check.period";

  static {
    JmxSockets.install();
    JmxTlsSockets.install();
    JmxFilter.install();
  }

  private final Duration callLimit;
  private final String address;
  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private NodeJmx(
      String address, Duration callLimit, JMXConnector connector, MBeanServerConnection beans) {
    this.address = address;
    this.callLimit = callLimit;
    this.connector = connector;
    this.beans = beans;
  }

  /**
   * Connects without TLS.
   *
   * @param environment with the user, where the node asks for one
   * @throws IOException naming the address, also when the user is refused
   */
  static NodeJmx connect(String host, int port, Map<String, Object> environment)
      throws IOException {
    return connect(host, port, environment, CALL_LIMIT);
  }

  /**
   * As {@link #connect(String, int, Map)}.
   *
   * @param callLimit for connecting, and for each call without a limit of its own
   */
  static NodeJmx connect(String host, int port, Map<String, Object> environment, Duration callLimit)
      throws IOException {
    return connect(host, port, environment, Optional.empty(), callLimit);
  }

  /**
   * As {@link #connect(String, int, Map)}.
   *
   * @param tls for the node's registry as well as for its beans; empty: neither has it
   */
  static NodeJmx connect(String host, int port, Map<String, Object> environment, Optional<Tls> tls)
      throws IOException {
    return connect(host, port, environment, tls, CALL_LIMIT);
  }

  private static NodeJmx connect(
      String host, int port, Map<String, Object> environment, Optional<Tls> tls, Duration callLimit)
      throws IOException {
    String address = host + ":" + port;
    probe(host, port, tls);
    Map<String, Object> settings = new HashMap<>(environment);
    // Its answers would be read by a thread of the JDK's, which the filter does not know.
    settings.put(HEARTBEAT, 0L);
    try {
      return within(
          address,
          callLimit,
          () -> {
            JMXConnector connector = new RMIConnector(server(host, port, tls), settings);
            connector.connect();
            return new NodeJmx(address, callLimit, connector, connector.getMBeanServerConnection());
          });
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // A process that has just died may have taken the first connection, and reset it.
      probe(host, port, tls);
      throw e;
    }
  }

  private static void probe(String host, int port, Optional<Tls> tls) throws IOException {
    try (Socket probe = new Socket()) {
      JmxNodes.add(host, port, tls);
      probe.connect(new InetSocketAddress(host, port), (int) CONNECT_LIMIT.toMillis());
    } catch (IOException e) {
      throw new IOException(
          "JMX at %s:%d does not answer: %s".formatted(host, port, CassandraErrors.line(e)), e);
    }
  }

  /** From the node's registry, without JNDI, which would follow what an answer refers to. */
  private static RMIServer server(String host, int port, Optional<Tls> tls) throws IOException {
    RMIClientSocketFactory sockets = tls.isPresent() ? JmxTlsSockets.ofStubs() : null;
    try {
      Remote found = LocateRegistry.getRegistry(host, port, sockets).lookup(SERVER);
      if (found instanceof RMIServer server) {
        return server;
      }
      throw new IOException("its registry has something else under " + SERVER);
    } catch (NotBoundException e) {
      throw new IOException("its registry has no " + SERVER, e);
    }
  }

  private static <T> T within(String address, Duration limit, Callable<T> call) throws IOException {
    Future<T> result = CALLS.submit(() -> JmxSockets.within(limit, port(address), call));
    try {
      return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      result.cancel(true);
      throw new IOException(
          "JMX at " + address + " does not answer within " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw failure(address, e.getCause());
    }
  }

  private static IOException failure(String address, Throwable e) {
    if (e instanceof BeanFailedException failed) {
      return failed;
    }
    if (e instanceof SecurityException) {
      return new IOException(
          "JMX at " + address + " refuses the user: " + CassandraErrors.line(e), e);
    }
    // What an operation itself threw comes wrapped once or twice.
    Throwable cause = e instanceof MBeanException && e.getCause() != null ? e.getCause() : e;
    while (cause instanceof RemoteException && cause.getCause() != null) {
      // Its own text ends with "nested exception is:".
      cause = cause.getCause();
    }
    return new IOException("JMX at " + address + ": " + CassandraErrors.line(cause), e);
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  String address() {
    return address;
  }

  String host() {
    return address.substring(0, address.lastIndexOf(':'));
  }

  static ObjectName name(String text) {
    try {
      return new ObjectName(text);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  Object attribute(String bean, String attribute) throws IOException {
    return within(address, callLimit, () -> beans.getAttribute(name(bean), attribute));
  }

  /** What a bean itself has thrown; the node answers. */
  static final class BeanFailedException extends IOException {
    private static final long serialVersionUID = 1;

    BeanFailedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * An attribute that a node may not have: empty where there is no such bean or attribute, or this
   * user may not read it.
   *
   * @throws BeanFailedException if it is there and can't be read
   */
  Optional<Object> known(String bean, String attribute) throws IOException {
    return within(
        address,
        callLimit,
        () -> {
          try {
            return Optional.ofNullable(beans.getAttribute(name(bean), attribute));
          } catch (InstanceNotFoundException | AttributeNotFoundException | SecurityException e) {
            return Optional.empty();
          } catch (JMException | JMRuntimeException e) {
            throw failed(bean, e);
          }
        });
  }

  /**
   * A list; empty as for {@link #known}, and where it can't be read now, which is no reason to do
   * without all else that a node tells.
   */
  Optional<Collection<?>> list(String bean, String attribute) throws IOException {
    try {
      return known(bean, attribute).map(value -> value instanceof Collection<?> all ? all : null);
    } catch (BeanFailedException e) {
      return Optional.empty();
    }
  }

  /**
   * What an operation without parameters returns that a node may not have: empty as for {@link
   * #known}.
   *
   * @throws BeanFailedException if it is there and fails
   */
  Optional<Object> told(String bean, String operation) throws IOException {
    return within(
        address,
        callLimit,
        () -> {
          try {
            return Optional.ofNullable(
                beans.invoke(name(bean), operation, new Object[0], new String[0]));
          } catch (InstanceNotFoundException | ReflectionException | SecurityException e) {
            return Optional.empty();
          } catch (JMException | JMRuntimeException e) {
            throw failed(bean, e);
          }
        });
  }

  private BeanFailedException failed(String bean, Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new BeanFailedException(bean + " at " + address + ": " + CassandraErrors.line(cause), e);
  }

  /** −1 where there is no such bean, or no number. */
  long number(String bean, String attribute) throws IOException {
    return within(address, callLimit, () -> number(name(bean), attribute));
  }

  private long number(ObjectName bean, String attribute) throws IOException, JMException {
    try {
      return beans.getAttribute(bean, attribute) instanceof Number n ? n.longValue() : -1;
    } catch (InstanceNotFoundException | AttributeNotFoundException e) {
      return -1;
    }
  }

  /** NaN where there is no such bean, or no number. */
  double decimal(String bean, String attribute) throws IOException {
    return within(
        address,
        callLimit,
        () -> {
          try {
            Object value = beans.getAttribute(name(bean), attribute);
            return value instanceof Number n ? n.doubleValue() : Double.NaN;
          } catch (InstanceNotFoundException | AttributeNotFoundException e) {
            return Double.NaN;
          }
        });
  }

  /**
   * What an operation without parameters returns; empty where there is no such bean, or the user
   * may read attributes only.
   */
  long[] numbers(String bean, String operation) throws IOException {
    return within(
        address,
        callLimit,
        () -> {
          try {
            return (long[]) beans.invoke(name(bean), operation, new Object[0], new String[0]);
          } catch (InstanceNotFoundException | SecurityException e) {
            return new long[0];
          }
        });
  }

  /** What a bean with a pattern for a name is called, one round trip for all. */
  Set<ObjectName> names(String pattern) throws IOException {
    return within(address, callLimit, () -> beans.queryNames(name(pattern), null));
  }

  /** Sets an attribute, also one that can't be read. */
  void set(String bean, String attribute, Object value) throws IOException {
    within(
        address,
        callLimit,
        () -> {
          beans.setAttribute(name(bean), new Attribute(attribute, value));
          return null;
        });
  }

  /**
   * Calls an operation that may take long.
   *
   * @param signature the parameters' class names
   */
  Object invoke(
      Duration limit, String bean, String operation, Object[] parameters, String... signature)
      throws IOException {
    return within(address, limit, () -> beans.invoke(name(bean), operation, parameters, signature));
  }

  @Override
  public void close() {
    CALLS.execute(
        () -> {
          try {
            JmxSockets.within(
                callLimit,
                port(address),
                () -> {
                  connector.close();
                  return null;
                });
          } catch (Exception e) {
            // The node is gone, and the connection with it.
            return;
          }
        });
  }
}
