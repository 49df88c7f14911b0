package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper;
import io.trimtab.host.Clocks;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;

/** A connection, and the translation between the engine's names and HBase's. */
final class Cluster implements AutoCloseable {
  private final HBaseContact target;
  private final Connection connection;
  private final Admin admin;
  private final Admin changes;
  private final HttpJmx jmx = new HttpJmx();
  private final Clocks clocks;

  /**
   * @param changes as {@link #changes()}, of a connection of its own
   */
  Cluster(HBaseContact target, Clocks clocks, Connection connection, Admin admin, Admin changes) {
    this.target = target;
    this.clocks = clocks;
    this.connection = connection;
    this.admin = admin;
    this.changes = changes;
  }

  static Cluster connect(HBaseContact target, Clocks clocks) throws EngineException {
    // HBase's client would retry for minutes; ZooKeeper knows whether there is a master.
    try (ClusterZooKeeper zookeeper = ClusterZooKeeper.open(target)) {
      zookeeper.requireMaster();
    }
    List<Connection> opened = new ArrayList<>();
    try {
      for (Configuration conf : List.of(target.configuration(), target.unretried())) {
        opened.add(ConnectionFactory.createConnection(conf));
      }
      Connection asking = opened.get(0);
      return new Cluster(target, clocks, asking, asking.getAdmin(), opened.get(1).getAdmin());
    } catch (IOException e) {
      opened.forEach(Cluster::close);
      throw HBaseErrors.failed(target.zookeeper(), e);
    }
  }

  HBaseContact target() {
    return target;
  }

  Admin admin() {
    return admin;
  }

  /**
   * For requests that change something: each is sent once. HBase's client would repeat one that was
   * not answered, for half a minute and without asking whether this controller is still in charge.
   */
  Admin changes() {
    return changes;
  }

  Connection connection() {
    return connection;
  }

  Clocks clocks() {
    return clocks;
  }

  HttpJmx jmx() {
    return jmx;
  }

  static NodeId node(ServerName server) {
    return new NodeId(server.getAddress().toString());
  }

  /** The server that runs under the node's name now. */
  Optional<ServerName> find(NodeId node) throws IOException {
    return admin.getRegionServers().stream().filter(s -> node(s).equals(node)).findFirst();
  }

  ServerName live(NodeId node) throws IOException, EngineException {
    return find(node).orElseThrow(() -> new EngineException(node + " is not a live RegionServer"));
  }

  static TableName table(PartitionId partition) {
    return TableName.valueOf(partition.table());
  }

  static PartitionId partition(RegionInfo region) {
    return new PartitionId(region.getTable().getNameAsString(), region.getEncodedName());
  }

  RegionInfo region(PartitionId partition) throws IOException, EngineException {
    return locations(table(partition)).stream()
        .map(HRegionLocation::getRegion)
        .filter(region -> region.getEncodedName().equals(partition.name()))
        .findFirst()
        .orElseThrow(() -> gone(partition));
  }

  List<HRegionLocation> locations(TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return locator.getAllRegionLocations();
    }
  }

  /** Where hbase:meta says that a region is; empty while it is nowhere. */
  Optional<ServerName> location(RegionInfo region) throws IOException, EngineException {
    try (RegionLocator locator = connection.getRegionLocator(region.getTable())) {
      HRegionLocation at = locator.getRegionLocation(region.getStartKey(), true);
      if (!at.getRegion().getEncodedName().equals(region.getEncodedName())) {
        throw gone(partition(region));
      }
      return Optional.ofNullable(at.getServerName());
    }
  }

  private static EngineException gone(PartitionId partition) {
    return new EngineException(
        "region "
            + partition.table()
            + "/"
            + partition.name()
            + " is gone: split, merged, dropped");
  }

  @Override
  public void close() {
    close(changes.getConnection());
    close(connection);
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // Ignored: nothing is lost, because all state is on the cluster.
      Interrupts.in(e);
    }
  }
}
