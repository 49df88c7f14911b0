package io.trimtab.clikit;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Address of a cluster for its clients. */
public sealed interface ClusterAddress {

  /** Calls the visitor's method for the database of this address. */
  <T, X extends Exception> T accept(Visitor<T, X> visitor) throws X;

  /** What depends on the database. A database that it does not handle does not compile. */
  interface Visitor<T, X extends Exception> {
    T hbase(HBase address) throws X;

    T cassandra(Cassandra address) throws X;
  }

  /**
   * An HBase cluster.
   *
   * @param client properties of a client's {@code hbase-site.xml}
   */
  record HBase(Map<String, String> client) implements ClusterAddress {
    public HBase {
      client = Map.copyOf(client);
    }

    @Override
    public <T, X extends Exception> T accept(Visitor<T, X> visitor) throws X {
      return visitor.hbase(this);
    }

    /** Without the properties, which may have passwords. */
    @Override
    public String toString() {
      return "HBase by " + client.get("hbase.zookeeper.quorum");
    }
  }

  /**
   * A Cassandra cluster.
   *
   * @param points CQL addresses of some nodes
   * @param copies replication factor of keyspaces created there, ≥ 1
   * @param driver a file of the driver's options, {@code application.conf}, with what a secured
   *     cluster needs of its clients
   */
  record Cassandra(List<InetSocketAddress> points, int copies, Optional<Path> driver)
      implements ClusterAddress {
    public Cassandra {
      points = List.copyOf(points);
    }

    /** Of a cluster that needs nothing of its clients. */
    public Cassandra(List<InetSocketAddress> points, int copies) {
      this(points, copies, Optional.empty());
    }

    @Override
    public <T, X extends Exception> T accept(Visitor<T, X> visitor) throws X {
      return visitor.cassandra(this);
    }
  }
}
