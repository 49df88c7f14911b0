package io.trimtab.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.clikit.ClusterAddress;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.zookeeper.ZooKeeperControl;
import io.trimtab.lab.provider.HBaseNodeProvider;
import io.trimtab.lab.setup.HBaseKeys;
import io.trimtab.lab.setup.HBasePages;
import io.trimtab.lab.setup.HBaseUsers;
import io.trimtab.lab.slot.LabSlot;
import io.trimtab.workload.HBaseWorkloadTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.security.User;

/**
 * A local HBase cluster: ZooKeeper, NameNode and master; each node is a DataNode and a
 * RegionServer.
 */
public final class HBaseLab extends Lab {
  HBaseLab(LabDir dir) {
    super(dir);
  }

  /** Starts a lab that stays until {@link #down()}. */
  public static HBaseLab up(LabConfig config, Progress progress) {
    return up(config, Owner.NONE, progress);
  }

  /** As {@link Lab#up}, for a configuration without a Cassandra part. */
  public static HBaseLab up(LabConfig config, Owner owner, Progress progress) {
    return (HBaseLab) Lab.up(config, owner, progress);
  }

  /**
   * A place for a cluster of which no node runs yet: its nodes are RegionServers that are added.
   * ZooKeeper, a master, and HDFS with a DataNode of its own run.
   *
   * @param config {@code nodes} are the first that are added; not of a secure lab, whose
   *     permissions are in a table, which needs a node
   */
  public static HBaseLab place(LabConfig config, Owner owner) {
    if (config.secure()) {
      throw new IllegalArgumentException("a place is not secure");
    }
    return of(new LabBoot(config, owner, Progress.NONE).place()).hbase();
  }

  /** Finds a running HBase lab by its name. */
  public static HBaseLab attach(String name) {
    return Lab.attach(name).hbase();
  }

  /** The ZooKeeper quorum for clients, {@code host:port}. */
  public String zookeeperQuorum() {
    LabSlot slot = state().addresses();
    return slot.zookeeper() + ":" + slot.zookeeperPort();
  }

  @Override
  public HBaseLab hbase() {
    return this;
  }

  /** No-op: HBase is measured with whatever a load leaves in the memstores. */
  @Override
  public void settleLoad(Duration limit) {}

  @Override
  public String contact() {
    return "zookeeper " + zookeeperQuorum();
  }

  /** Of the controller's user, where the lab is secure. */
  public HBaseContact client() {
    LabState state = state();
    return state.config().secure()
        ? new HBaseKeys(dir(), state).contact()
        : HBaseContact.of(clientProperties());
  }

  /** HBase configuration properties that a client needs to reach the lab. */
  public Map<String, String> clientProperties() {
    if (state().config().secure()) {
      return client().client();
    }
    LabSlot slot = state().addresses();
    return Map.of(
        "hbase.zookeeper.quorum",
        slot.zookeeper(),
        "hbase.zookeeper.property.clientPort",
        Integer.toString(slot.zookeeperPort()));
  }

  @Override
  public HBaseEngine engine() throws EngineException {
    return HBaseEngine.connect(client());
  }

  @Override
  public ControlAccess controlAccess() throws EngineException {
    return ZooKeeperControl.connect(client());
  }

  @Override
  public HBaseWorkloadTarget target() throws IOException {
    LabState state = state();
    if (!state.config().secure()) {
      return HBaseWorkloadTarget.connect(clientProperties());
    }
    // Its tickets last for a day; the login ends with this process.
    User operator = User.create(new HBaseUsers(new HBaseKeys(dir(), state)).operator().user());
    return HBaseWorkloadTarget.connect(clientProperties(), Optional.of(operator));
  }

  /** HBase's root directory, {@code hbase.rootdir}. */
  public String rootFolder() {
    LabSlot slot = state().addresses();
    return "hdfs://" + slot.coordinator() + ":" + slot.nameNodePort() + "/hbase";
  }

  /** A JMX bean of a RegionServer, read over HTTP; empty if it does not answer. */
  public Optional<JsonNode> bean(NodeId node, String name) {
    String host = node.name().substring(0, node.name().indexOf(':'));
    return pages().bean(host, state().addresses().regionServerInfoPort(), name);
  }

  @Override
  public ClusterAddress address() {
    return new ClusterAddress.HBase(clientProperties());
  }

  private HBasePages pages() {
    return new HBasePages(dir(), state());
  }

  @Override
  int serving() {
    return pages().liveRegionServers();
  }

  @Override
  public NodeProvider provider() {
    return new HBaseNodeProvider(this);
  }

  @Override
  public void startNode(NodeId id, Duration limit) {
    LabState state = state();
    LabState.Node node = find(state, id);
    control().liftCpu(state, node);
    if (!storesApart() && !control().processes().alive(node.dataNode())) {
      control().startDataNode(state, node);
    }
    if (!control().processes().alive(node.regionServer())) {
      control().startRegionServer(state, node);
    }
    control()
        .await(
            "starting node " + id,
            limit,
            storesApart()
                ? List.of(node.regionServer())
                : List.of(node.dataNode(), node.regionServer()),
            () -> new HBasePages(dir(), state).serves(node));
    control().limit(state, node);
  }

  /** Whether HDFS has a DataNode of its own, and the nodes have none. */
  public boolean storesApart() {
    return Files.exists(dir().conf(LabBoot.DATANODE));
  }

  /** Kills the master and starts a new one; returns when that is initialised. */
  public void restartMaster(Duration limit) {
    LabState state = state();
    control().processes().kill(LabBoot.MASTER);
    control().startService(state, LabBoot.MASTER, Role.MASTER);
    control()
        .await(
            "restarting the master",
            limit,
            List.of(LabBoot.MASTER),
            () -> new HBasePages(dir(), state).liveRegionServers() >= 0);
  }
}
