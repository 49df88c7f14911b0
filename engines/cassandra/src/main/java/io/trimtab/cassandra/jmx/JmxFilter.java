package io.trimtab.cassandra.jmx;

import java.io.ObjectInputFilter;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node's answer may be made of. JMX sends serialised Java objects, and RMI offers a client
 * no filter of its own; so the process gets one (JEP 290) that looks only at what a thread reads
 * while it makes a JMX call. Numbers, texts, collections, JMX's own types and RMI's stubs pass;
 * every other class is refused before it is made.
 */
public final class JmxFilter {
  private static final Logger LOG = LoggerFactory.getLogger(JmxFilter.class);

  /** Cassandra's answers nest three deep, and a node has some ten thousand beans. */
  private static final List<String> LIMITS = List.of("maxdepth=40", "maxarray=4000000");

  private static final List<String> ALLOWED =
      List.of(
          "java.lang.*",
          "java.math.*",
          "java.util.*",
          "java.util.concurrent.*",
          // Of which a concurrent map has some in its serialised form.
          "java.util.concurrent.locks.*",
          "java.io.*",
          "java.net.InetAddress",
          "java.net.Inet4Address",
          "java.net.Inet6Address",
          "java.net.InetSocketAddress",
          "java.net.SocketException",
          "java.rmi.**",
          // Some of Cassandra's collections.
          "com.google.common.collect.*",
          "javax.management.**",
          "javax.rmi.ssl.SslRMIClientSocketFactory",
          // What implements a stub's interfaces; its handler is of java.rmi.
          "jdk.proxy1.*",
          "jdk.proxy2.*",
          "com.sun.proxy.*");

  private static final ObjectInputFilter ANSWERS =
      ObjectInputFilter.Config.createFilter(
          String.join(";", LIMITS) + ";" + String.join(";", ALLOWED) + ";!*");

  private JmxFilter() {}

  /** No-op the second time; logged if the process has another filter, which then holds alone. */
  public static synchronized void install() {
    ObjectInputFilter present = ObjectInputFilter.Config.getSerialFilter();
    if (present instanceof OfCalls) {
      return;
    }
    try {
      ObjectInputFilter.Config.setSerialFilter(new OfCalls());
    } catch (IllegalStateException e) {
      LOG.warn(
          "JMX: this process has a deserialisation filter of its own (jdk.serialFilter), which"
              + " alone decides what nodes may send");
    }
  }

  /** Whether a class, or an array, may be part of an answer. */
  static ObjectInputFilter.Status check(ObjectInputFilter.FilterInfo what) {
    return ANSWERS.checkInput(what);
  }

  private static final class OfCalls implements ObjectInputFilter {
    @Override
    public Status checkInput(FilterInfo what) {
      return JmxSockets.calling() ? check(what) : Status.UNDECIDED;
    }
  }
}
