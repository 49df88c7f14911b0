package io.trimtab.cassandra;

import io.trimtab.cassandra.jmx.JmxSockets;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
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
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

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

  static {
    JmxSockets.install();
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
   * Connects.
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
  @SuppressWarnings("BanJNDI") // nodes speak no other JMX, and this one the operator has named
  static NodeJmx connect(String host, int port, Map<String, Object> environment, Duration callLimit)
      throws IOException {
    String address = host + ":" + port;
    try (Socket probe = new Socket()) {
      probe.connect(new InetSocketAddress(host, port), (int) CONNECT_LIMIT.toMillis());
    } catch (IOException e) {
      throw new IOException(
          "JMX at " + address + " does not answer: " + CassandraErrors.line(e), e);
    }
    return within(
        address,
        callLimit,
        () -> {
          var url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + address + "/jmxrmi");
          JMXConnector connector = JMXConnectorFactory.connect(url, environment);
          return new NodeJmx(address, callLimit, connector, connector.getMBeanServerConnection());
        });
  }

  private static <T> T within(String address, Duration limit, Callable<T> call) throws IOException {
    Future<T> result = CALLS.submit(() -> JmxSockets.within(limit, call));
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
    return new IOException("JMX at " + address + ": " + CassandraErrors.line(cause), e);
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

  /** What an operation without parameters returns; empty where there is no such bean. */
  long[] numbers(String bean, String operation) throws IOException {
    return within(
        address,
        callLimit,
        () -> {
          try {
            return (long[]) beans.invoke(name(bean), operation, new Object[0], new String[0]);
          } catch (InstanceNotFoundException e) {
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
