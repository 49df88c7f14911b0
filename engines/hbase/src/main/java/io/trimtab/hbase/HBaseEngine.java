package io.trimtab.hbase;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.engineapi.snapshot.UsageReadings;
import io.trimtab.hbase.tables.BlockSizes;
import io.trimtab.hbase.zookeeper.DrainedServers;
import io.trimtab.hbase.zookeeper.LivingServers;
import io.trimtab.hbase.zookeeper.ZooKeeperAccess;
import io.trimtab.hbase.zookeeper.ZooKeeperLock;
import io.trimtab.hbase.zookeeper.ZooKeeperState;
import io.trimtab.hbasewire.ControllerEpoch;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import io.trimtab.host.InCharge;
import io.trimtab.host.control.SuspendAwareTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * HBase 2.4 to 2.6, over its public client, the HTTP pages of its processes, and the plug-in where
 * it is loaded. Partitions are regions, named by their encoded names; nodes are RegionServers.
 */
public final class HBaseEngine implements Engine {
  /** For leases and rates: goes on while the machine is suspended, and does not jump. */
  private static final LongSupplier UPTIME_NS =
      new SuspendAwareTime(Path.of("/proc"), System::nanoTime);

  private static final Duration PAUSE = Duration.ofMillis(200);

  /** Of tables that are created here. */
  private static final String FAMILY = "f";

  /** How long it may take to reopen a server: the master only notes it. */
  private static final Duration SWITCH_LIMIT = Duration.ofSeconds(60);

  /** The same of closing it, when HBase's own regions leave it. */
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(3);

  private final Cluster cluster;
  private final ClusterFacts facts;
  private final ZooKeeperAccess zookeeper;
  private final ZooKeeperState shared;
  private final DrainedServers drained;
  private final PluginClient plugin;
  private final HBaseSnapshots snapshots;
  private final RegionVerbs regions;
  private final RequestReader requests;
  private final SplitVerbs splits;
  private final BalancerSwitch balancer;
  private final GivenLock given;

  /** Of all who hold none of their own. */
  private final UsageReadings readings = new UsageReadings();

  /** Of the controller that holds this engine; the plug-ins refuse it once a greater one came. */
  private volatile long epoch = ControllerEpoch.NONE;

  /**
   * @param given of what the verbs of this engine ask
   */
  HBaseEngine(Cluster cluster, ClusterFacts facts, GivenLock given) {
    this.cluster = cluster;
    this.given = given;
    this.facts = facts;
    this.zookeeper = new ZooKeeperAccess(cluster.target());
    this.shared = new ZooKeeperState(zookeeper, facts.clusterId());
    this.drained = new DrainedServers(zookeeper, facts.clusterId(), UPTIME_NS);
    this.plugin = new PluginClient(cluster.admin(), () -> epoch);
    LivingServers living = new LivingServers(zookeeper, cluster.target());
    this.snapshots = new HBaseSnapshots(cluster, facts, plugin, drained, living::list, UPTIME_NS);
    this.regions = new RegionVerbs(cluster, plugin);
    this.requests = new RequestReader(cluster, plugin, snapshots::silent, snapshots::facts);
    this.splits = new SplitVerbs(cluster, regions, snapshots::facts);
    this.balancer = new BalancerSwitch(cluster, facts.version());
  }

  /**
   * @throws EngineException when nothing answers within about {@link HBaseContact#connectLimit()},
   *     naming the host, or when the version is not supported
   */
  public static HBaseEngine connect(HBaseContact target) throws EngineException {
    return connect(target, Clocks.SYSTEM);
  }

  /** As {@link #connect(HBaseContact)}, with a time of the caller's. */
  public static HBaseEngine connect(HBaseContact target, Clocks clocks) throws EngineException {
    Cluster cluster = Cluster.connect(target, clocks);
    try {
      return new HBaseEngine(cluster, ClusterFacts.read(cluster), new GivenLock());
    } catch (EngineException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * @param client properties of a client's {@code hbase-site.xml}
   */
  public static HBaseEngine connect(Map<String, String> client) throws EngineException {
    return connect(HBaseContact.of(client));
  }

  @Override
  public ClusterSnapshot snapshot() throws EngineException {
    return snapshots.read(Optional.of(readings));
  }

  @Override
  public ClusterSnapshot snapshot(UsageReadings held) throws EngineException {
    return snapshots.read(Optional.of(held));
  }

  @Override
  public void setBalancer(BalancerState target) throws EngineException {
    balancer.set(target, given.inCharge());
  }

  @Override
  public void pauseBalancer(Duration limit) throws EngineException {
    balancer.pause(limit, given.inCharge());
  }

  @Override
  public void move(PartitionId partition, NodeId to, Duration limit) throws EngineException {
    regions.move(partition, to, limit, given.inCharge());
  }

  @Override
  public List<SplitHint> splitHints() throws EngineException {
    return requests.hints();
  }

  @Override
  public RingRequests ringRequests(int tokensMax, Duration watch) {
    return RingRequests.unknown("HBase places regions: there is no ring");
  }

  @Override
  public void startCounting() throws EngineException {
    requests.startCounting();
  }

  @Override
  public List<BlockHistogram> histograms() throws EngineException {
    return requests.histograms();
  }

  /**
   * How often blocks were requested since they were written, as servers whose class is {@code
   * io.trimtab.hbasecounting.CountingRegionServer} have counted it; nothing of others. The
   * yardstick for {@link #histograms()}: it does not age, and begins anew with each compaction.
   */
  public List<BlockHistogram> exactHistograms() throws EngineException {
    return requests.exactHistograms();
  }

  @Override
  public void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit)
      throws EngineException {
    splits.split(partition, key, rightTo, limit, given.inCharge());
  }

  @Override
  public void merge(PartitionId left, PartitionId right, KeyRange range, Duration limit)
      throws EngineException {
    splits.merge(left, right, range, limit, given.inCharge());
  }

  @Override
  public void applyProfile(NodeId node, Profile profile, Duration limit) throws EngineException {
    new OnlineProfile(cluster, plugin).apply(node, profile, limit, given.inCharge());
  }

  @Override
  public void set(NodeId node, NodeSetting setting, int value, Duration limit)
      throws EngineException {
    throw new EngineException("node " + node + ": HBase has no " + setting.title() + " to set");
  }

  @Override
  public void setBlockSize(String table, int bytes, Duration limit) throws EngineException {
    new BlockSizes(cluster.admin(), cluster.changes(), facts.version(), cluster.clocks())
        .set(table, bytes, limit, given.inCharge());
  }

  @Override
  public void compact(PartitionId partition, Duration limit) throws EngineException {
    regions.compact(partition, limit, given.inCharge());
  }

  @Override
  public void setDraining(NodeId node, boolean draining) throws EngineException {
    InCharge control = given.inCharge();
    HBaseErrors.RETRY
        .under(control)
        .until(
            (draining ? "closing " : "opening ") + node + " for new regions",
            draining ? DRAIN_LIMIT : SWITCH_LIMIT,
            PAUSE,
            () -> {
              Optional<ServerName> server = cluster.find(node);
              if (server.isEmpty() && draining) {
                throw new EngineException(node + " is not a live RegionServer");
              }
              if (server.isEmpty()) {
                // HBase drops its mark when the server stops. One that was to stay has broken.
                control.require();
                drained.removeAll(node.name());
                return true;
              }
              if (cluster.draining().contains(server.get()) == draining) {
                if (draining) {
                  regions.moveHBasesOwn(server.get(), control);
                  return true;
                }
                // Who failed, or died, between the two steps has left its note.
                control.require();
                drained.remove(server.get());
                return true;
              }
              control.require();
              if (draining) {
                drained.add(server.get());
                control.require();
                // Without offload: HBase would scatter the regions, and the plan knows better.
                cluster.changes().decommissionRegionServers(List.of(server.get()), false);
              } else {
                cluster.changes().recommissionRegionServer(server.get(), List.of());
                control.require();
                drained.remove(server.get());
              }
              return false;
            });
  }

  @Override
  public void awaitNode(NodeId node, long incarnationBefore, Duration limit)
      throws EngineException {
    HBaseErrors.RETRY.until(
        "waiting for " + node,
        limit,
        PAUSE,
        () -> {
          Optional<ServerName> server = cluster.find(node);
          if (server.isEmpty() || server.get().getStartcode() == incarnationBefore) {
            return false;
          }
          // An answer of the server itself, not of the master about it; its pages come up last.
          return snapshots
              .read(Optional.empty())
              .node(node)
              .filter(n -> n.readable() && n.gauges().heapMaxBytes() > 0)
              .isPresent();
        });
  }

  /** HDFS keeps the copies; the node provider decommissions the DataNode before it stops it. */
  @Override
  public void vacate(NodeId node, Duration limit) throws EngineException {
    InCharge control = given.inCharge();
    HBaseErrors.RETRY
        .under(control)
        .until(
            "moving HBase's own regions off " + node,
            limit,
            PAUSE,
            () -> {
              Optional<ServerName> server = cluster.find(node);
              if (server.isPresent()) {
                regions.moveHBasesOwn(server.get(), control);
              }
              return true;
            });
    new HdfsHealth(cluster.jmx(), snapshots::facts).awaitWhole(limit);
  }

  /** A region leaves nothing behind on the node that served it. */
  @Override
  public void cleanup(NodeId node, Duration limit) {}

  @Override
  public ControlLock takeControl(String owner) throws EngineException {
    ZooKeeperLock lock =
        ZooKeeperLock.take(
            cluster.target(), facts.clusterId(), owner, UPTIME_NS, cluster.clocks().wall());
    epoch = lock.epoch();
    drained.lookAnew();
    new EpochHerald(cluster, plugin).announce();
    return given.give(lock);
  }

  @Override
  public SharedState shared() {
    return shared;
  }

  /**
   * Checks a table's name.
   *
   * @throws IllegalArgumentException if HBase takes no such name, or the table is HBase's own
   */
  public static void checkTable(String name) {
    if (TableName.valueOf(name).isSystemTable()) {
      throw new IllegalArgumentException("must not be one of HBase's own tables");
    }
  }

  /**
   * Creates a table with one family, {@value #FAMILY}, and its namespace; does nothing if there is
   * one. The autopilot does not call this.
   */
  public void createTable(String name) throws EngineException {
    TableName table = TableName.valueOf(name);
    Admin admin = cluster.admin();
    try {
      if (admin.tableExists(table)) {
        return;
      }
      String namespace = table.getNamespaceAsString();
      if (!List.of(admin.listNamespaces()).contains(namespace)) {
        admin.createNamespace(NamespaceDescriptor.create(namespace).build());
      }
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    } catch (IOException e) {
      throw HBaseErrors.failed("creating table " + name, e);
    }
  }

  /** Deletes a table with its data; does nothing if there is none. */
  public void dropTable(String name) throws EngineException {
    TableName table = TableName.valueOf(name);
    Admin admin = cluster.admin();
    try {
      if (!admin.tableExists(table)) {
        return;
      }
      if (admin.isTableEnabled(table)) {
        admin.disableTable(table);
      }
      admin.deleteTable(table);
    } catch (IOException e) {
      throw HBaseErrors.failed("deleting table " + name, e);
    }
  }

  /** The cluster's servers, and which of them have the plug-in; for installing it. */
  public PluginInstall plugin() {
    return new PluginInstall(cluster, plugin);
  }

  @Override
  public void close() {
    snapshots.close();
    zookeeper.close();
    cluster.close();
  }

  /** For messages: where the cluster is. */
  @Override
  public String toString() {
    return "HBase " + facts.version() + " at " + cluster.target().zookeeper();
  }
}
