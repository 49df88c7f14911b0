package io.trimtab.cassandra.jmx;

import io.trimtab.host.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where JMX may go: addresses of clusters' nodes, as their rings tell them, each with its TLS. A
 * node's answer says where the next call goes, so that it is checked. Nodes of several clusters may
 * share an address; their registries' ports then tell them apart. Thread-safe.
 */
public final class JmxNodes {
  /** By address and port; the inner maps are never changed. */
  private static final Map<InetAddress, SortedMap<Integer, Optional<Tls>>> KNOWN =
      new ConcurrentHashMap<>();

  private JmxNodes() {}

  /** Allows a node's address, with the TLS that it needs; {@code port} is its registry's. */
  public static void add(String host, int port, Optional<Tls> tls) throws UnknownHostException {
    KNOWN.merge(InetAddress.getByName(host), new TreeMap<>(Map.of(port, tls)), JmxNodes::together);
  }

  private static SortedMap<Integer, Optional<Tls>> together(
      SortedMap<Integer, Optional<Tls>> known, SortedMap<Integer, Optional<Tls>> more) {
    SortedMap<Integer, Optional<Tls>> both = new TreeMap<>(known);
    both.putAll(more);
    return both;
  }

  /** Forgets a node that is gone; no-op if it is not known. */
  public static void remove(String host, int port) {
    try {
      KNOWN.computeIfPresent(
          InetAddress.getByName(host),
          (address, known) -> {
            SortedMap<Integer, Optional<Tls>> left = new TreeMap<>(known);
            left.remove(port);
            return left.isEmpty() ? null : left;
          });
    } catch (UnknownHostException e) {
      // Then nothing can be called there either.
      return;
    }
  }

  /** The TLS of a node that needs it; empty for other hosts. */
  static Optional<Tls> tls(String host, int port) throws IOException {
    InetAddress address = InetAddress.getByName(host);
    return Optional.ofNullable(KNOWN.get(address))
        .or(() -> here(address) ? onThisMachine() : Optional.empty())
        .flatMap(known -> tls(known, port));
  }

  /** A node may serve its beans at another port than its registry; then the call tells whose. */
  private static Optional<Tls> tls(SortedMap<Integer, Optional<Tls>> known, int port) {
    int registry = known.containsKey(port) ? port : JmxSockets.registryPort().orElse(port);
    return known.containsKey(registry)
        ? known.get(registry)
        : known.values().stream().flatMap(Optional::stream).findFirst();
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
  private static Optional<SortedMap<Integer, Optional<Tls>>> onThisMachine() {
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
