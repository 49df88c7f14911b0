package io.trimtab.cassandra.jmx;

import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where JMX may go: addresses of clusters' nodes, as their rings tell them, each with its TLS. A
 * node's answer says where the next call goes, so that it is checked. Thread-safe.
 */
public final class JmxNodes {
  private static final Map<InetAddress, Optional<Tls>> KNOWN = new ConcurrentHashMap<>();

  private JmxNodes() {}

  /** Allows a node's address, with the TLS that it needs. */
  public static void add(String host, Optional<Tls> tls) throws UnknownHostException {
    KNOWN.put(InetAddress.getByName(host), tls);
  }

  /** The TLS of a node that needs it; empty for other hosts. */
  static Optional<Tls> tls(String host) throws IOException {
    InetAddress address = InetAddress.getByName(host);
    return Optional.ofNullable(KNOWN.get(address))
        .or(() -> here(address) ? onThisMachine() : Optional.empty())
        .flatMap(tls -> tls);
  }

  /**
   * Refuses a host that is no node's.
   *
   * @throws IOException naming it, and what mends it
   */
  static void require(String host) throws IOException {
    InetAddress address = InetAddress.getByName(host);
    if (KNOWN.containsKey(address) || (here(address) && onThisMachine().isPresent())) {
      return;
    }
    throw new IOException(
        "it refers to "
            + host
            + ", which is no node's address; set java.rmi.server.hostname of the node to the"
            + " address that it has for CQL");
  }

  /** A node that is asked by 127.0.0.1 may name any other address of this machine. */
  private static Optional<Optional<Tls>> onThisMachine() {
    return KNOWN.entrySet().stream()
        .filter(known -> known.getKey().isLoopbackAddress())
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean here(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }
}
