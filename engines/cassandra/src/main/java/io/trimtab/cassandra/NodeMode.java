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
    try (NodeJmx node = NodeJmx.connect(host, jmxPort, Map.of())) {
      StorageService ring = new StorageService(node);
      return Optional.of(new NodeMode(ring.mode().equals("NORMAL"), ring.acceptsClients()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
