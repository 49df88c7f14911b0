package io.trimtab.clikit;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** Address of a cluster for its clients. */
public sealed interface ClusterAddress {

  /**
   * An HBase cluster.
   *
   * @param client properties of a client's {@code hbase-site.xml}
   */
  record HBase(Map<String, String> client) implements ClusterAddress {
    public HBase {
      client = Map.copyOf(client);
    }
  }

  /**
   * A Cassandra cluster.
   *
   * @param points CQL addresses of some nodes
   * @param copies replication factor of keyspaces created there, ≥ 1
   */
  record Cassandra(List<InetSocketAddress> points, int copies) implements ClusterAddress {
    public Cassandra {
      points = List.copyOf(points);
    }
  }
}
