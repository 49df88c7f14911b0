package io.trimtab.clikit;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** Where a cluster's clients begin. */
public sealed interface ClusterAddress {

  /**
   * @param client what a client's {@code hbase-site.xml} would say
   */
  record HBase(Map<String, String> client) implements ClusterAddress {
    public HBase {
      client = Map.copyOf(client);
    }
  }

  /**
   * @param points CQL addresses of some nodes
   * @param copies of each datum that a keyspace gets which is made there, ≥ 1
   */
  record Cassandra(List<InetSocketAddress> points, int copies) implements ClusterAddress {
    public Cassandra {
      points = List.copyOf(points);
    }
  }
}
