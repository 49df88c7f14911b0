package io.trimtab.cassandra;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * What a node says of itself while its cluster may not be there yet.
 *
 * @param normal whether it is in the ring
 * @param acceptsClients whether it listens for CQL
 */
public record NodeMode(boolean normal, boolean acceptsClients) {

  /** Empty while its JMX server does not answer or has no mode yet; uses no password. */
  public static Optional<NodeMode> of(String host, int jmxPort) {
    return of(() -> NodeJmx.connect(host, jmxPort, Map.of()));
  }

  /** The same of a node of a cluster that may ask for a user and for TLS. */
  public static Optional<NodeMode> of(CassandraContact contact, String host) {
    return of(() -> contact.jmx(host));
  }

  private interface Connecting {
    NodeJmx connect() throws IOException;
  }

  private static Optional<NodeMode> of(Connecting connecting) {
    try (NodeJmx node = connecting.connect()) {
      StorageService ring = new StorageService(node);
      return Optional.of(new NodeMode(ring.mode().equals("NORMAL"), ring.acceptsClients()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
