package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.engineapi.NodeId;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A member of the ring, by its names.
 *
 * @param dataCentre empty while the driver does not know it
 * @param rack empty while the driver does not know it
 */
record Member(NodeId id, String host, String storage, UUID hostId, String dataCentre, String rack) {

  /** Empty while the driver has not learnt all of it. */
  static Optional<Member> of(Node node) {
    if (!(node.getEndPoint().resolve() instanceof InetSocketAddress cql)
        || node.getHostId() == null) {
      return Optional.empty();
    }
    String host =
        cql.getAddress() == null ? cql.getHostString() : cql.getAddress().getHostAddress();
    InetSocketAddress storage =
        node.getBroadcastAddress().orElse(new InetSocketAddress(cql.getAddress(), 0));
    return Optional.of(
        new Member(
            new NodeId(host + ":" + cql.getPort()),
            host,
            storage.getAddress().getHostAddress() + ":" + storage.getPort(),
            node.getHostId(),
            Objects.requireNonNullElse(node.getDatacenter(), ""),
            Objects.requireNonNullElse(node.getRack(), "")));
  }
}
