package io.trimtab.lab.cluster;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.cassandra.NodeMode;
import io.trimtab.clikit.ClusterAddress;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.provider.CassandraNodeProvider;
import io.trimtab.lab.setup.CassandraFiles;
import io.trimtab.lab.setup.CassandraKeys;
import io.trimtab.lab.slot.LabSlot;
import io.trimtab.workload.CassandraTarget;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A local Cassandra cluster; each node has an address of its own. */
public final class CassandraLab extends Lab {
  CassandraLab(LabDir dir) {
    super(dir);
  }

  /** As {@link Lab#up}, for a configuration with a Cassandra part. */
  public static CassandraLab up(LabConfig config, Owner owner, Progress progress) {
    return (CassandraLab) Lab.up(config, owner, progress);
  }

  /**
   * A place for a ring of which nothing runs yet: its nodes are added, and the first one founds it.
   *
   * @param config {@code nodes} are the first that are added; they begin without data to fetch
   */
  public static CassandraLab place(LabConfig config, Owner owner) {
    return of(new LabBoot(config, owner, Progress.NONE).place()).cassandra();
  }

  /** Finds a running Cassandra lab by its name. */
  public static CassandraLab attach(String name) {
    return Lab.attach(name).cassandra();
  }

  /** CQL addresses of the current nodes of the first data centre: clients stay in one. */
  public List<InetSocketAddress> points() {
    return points(state());
  }

  static List<InetSocketAddress> points(LabState state) {
    LabSlot slot = state.addresses();
    CassandraSettings settings = state.config().cassandra();
    return state.nodes().stream()
        .filter(node -> settings.datacenter(node.index()).equals(settings.datacenter(1)))
        .map(node -> new InetSocketAddress(slot.node(node.index()), slot.cqlPort()))
        .toList();
  }

  /** Contact points for clients. */
  public CassandraContact client() {
    return client(state());
  }

  static CassandraContact client(LabState state) {
    CassandraContact open =
        new CassandraContact(
            points(state), state.addresses().jmxPort(), Optional.empty(), Optional.empty());
    return state.config().secure() ? keys(state).protect(open) : open;
  }

  private static CassandraKeys keys(LabState state) {
    return new CassandraKeys(LabDir.of(state.config().name()), state);
  }

  /** What a load needs of the driver; empty if the lab is not secure. */
  private Optional<Path> driver() {
    LabState state = state();
    return state.config().secure() ? Optional.of(keys(state).driver()) : Optional.empty();
  }

  /** Replication factor of the tenants' keyspace. */
  public int replication() {
    return CassandraFiles.copies(config());
  }

  @Override
  public String contact() {
    return "cql "
        + points().stream()
            .limit(3)
            .map(p -> p.getHostString() + ":" + p.getPort())
            .collect(Collectors.joining(","));
  }

  @Override
  public CassandraEngine engine() throws EngineException {
    return CassandraEngine.connect(client());
  }

  @Override
  public ControlAccess controlAccess() throws EngineException {
    return CassandraEngine.control(client());
  }

  @Override
  public CassandraTarget target() throws IOException {
    return CassandraTarget.connect(points(), replication(), driver());
  }

  @Override
  public CassandraLab cassandra() {
    return this;
  }

  @Override
  public void settleLoad(Duration limit) throws EngineException {
    try (CassandraEngine ring = engine()) {
      for (NodeState node : ring.snapshot().liveNodes()) {
        ring.flush(node.id(), CassandraTarget.KEYSPACE, limit);
      }
    }
  }

  @Override
  public ClusterAddress address() {
    return new ClusterAddress.Cassandra(points(), replication(), driver());
  }

  @Override
  int serving() {
    return inService(state());
  }

  /** Nodes that report themselves as normal ring members that accept clients. */
  static int inService(LabState state) {
    return (int) state.nodes().stream().filter(node -> serves(state, node)).count();
  }

  private static boolean serves(LabState state, LabState.Node node) {
    return NodeMode.of(client(state), state.addresses().node(node.index()))
        .filter(mode -> mode.normal() && mode.acceptsClients())
        .isPresent();
  }

  @Override
  public NodeProvider provider() {
    return new CassandraNodeProvider(this);
  }

  @Override
  public void startNode(NodeId id, Duration limit) {
    LabState state = state();
    LabState.Node node = find(state, id);
    begin(id, limit);
    control()
        .await("starting node " + id, limit, List.of(node.cassandra()), () -> serves(state, node));
  }

  /** Starts a node's process if it is not running, and waits until it reports its mode over JMX. */
  public void begin(NodeId id, Duration limit) {
    LabState state = state();
    LabState.Node node = find(state, id);
    LabSlot slot = state.addresses();
    control().liftCpu(state, node);
    if (!control().processes().alive(node.cassandra())) {
      control().startCassandra(state, node);
    }
    control()
        .await(
            "starting the process of node " + id,
            limit,
            List.of(node.cassandra()),
            () -> NodeMode.of(client(state), slot.node(node.index())).isPresent());
    control().limit(state, node);
  }
}
