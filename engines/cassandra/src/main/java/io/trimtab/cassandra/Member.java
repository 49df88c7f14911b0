package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.metadata.Node;
import io.trimtab.engineapi.NodeId;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.UUID;

/** A member of the ring, by its names. */
record Member(NodeId id, String host, String storage, UUID hostId) {

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
            node.getHostId()));
  }
}
