package io.trimtab.lab.cluster;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A local HBase cluster of real processes: ZooKeeper, NameNode, master, and nodes of a DataNode and
 * a RegionServer each. Several JVMs may use the same lab; its state is on disk. Thread-safe.
 */
public final class HBaseLab {
  private static final ReentrantLock STATE = new ReentrantLock();

  private final LabDir dir;
  private final Isolation isolation;
  private final NodeControl control;

  private HBaseLab(LabDir dir) {
    this.dir = dir;
    this.isolation = state().isolated() ? Isolation.find(dir.root()) : Isolation.none("");
    this.control = new NodeControl(dir, isolation);
  }

  /** Starts a lab that stays until {@link #down()}. */
  public static HBaseLab up(LabConfig config, Progress progress) {
    return up(config, Owner.NONE, progress);
  }

  /**
   * Starts a lab, or leaves nothing behind.
   *
   * @throws LabStartException when a process fails, with its log's tail
   * @throws UserError when the name is in use, or memory or ports are short
   */
  public static HBaseLab up(LabConfig config, Owner owner, Progress progress) {
    return new HBaseLab(new LabBoot(config, owner, progress).run());
  }

  /** Finds a running lab by its name. */
  public static HBaseLab attach(String name) {
    LabDir dir = LabDir.of(name);
    if (!Files.exists(dir.state())) {
      throw new UserError(
          "no lab named " + name + " in " + LabDir.labs() + "; start one with: trimtab lab up");
    }
    return new HBaseLab(dir);
  }

  /** The names of all labs of this user. */
  public static List<String> names() {
    if (!Files.isDirectory(LabDir.labs())) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(LabDir.labs())) {
      return all.filter(lab -> Files.exists(new LabDir(lab).state()))
          .map(lab -> lab.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UserError(LabDir.labs() + ": can't be read: " + e.getMessage(), e);
    }
  }

  /**
   * Takes a lab down, also one that came up half or that has lost processes; done if none is.
   *
   * @return a sentence about processes that had ended by themselves, and where their logs are;
   *     empty when none had
   */
  public static String down(String name) {
    return LabBoot.clean(LabDir.of(name), false);
  }

  /** The same for this lab. */
  public String down() {
    return LabBoot.clean(dir, false);
  }

  LabState state() {
    return LabState.read(dir.state())
        .orElseThrow(() -> new UserError("lab " + dir.root().getFileName() + " is down"));
  }

  /** Changes the state file under a lock that other JVMs respect. */
  LabState change(UnaryOperator<LabState> how) {
    STATE.lock();
    try (FileChannel channel =
            FileChannel.open(
                dir.run().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var held = channel.lock()) {
      LabState changed = how.apply(state());
      changed.write(dir.state());
      return changed;
    } catch (IOException e) {
      throw new UserError(dir.root() + ": can't be written: " + e.getMessage(), e);
    } finally {
      STATE.unlock();
    }
  }

  NodeControl control() {
    return control;
  }

  LabDir dir() {
    return dir;
  }

  public LabConfig config() {
    return state().config();
  }

  /** For clients: {@code host:port}. */
  public String zookeeperQuorum() {
    Slot slot = state().addresses();
    return slot.zookeeper() + ":" + slot.zookeeperPort();
  }

  /** What a client's HBase configuration must say to reach the lab. */
  public Map<String, String> clientProperties() {
    Slot slot = state().addresses();
    return Map.of(
        "hbase.zookeeper.quorum",
        slot.zookeeper(),
        "hbase.zookeeper.property.clientPort",
        Integer.toString(slot.zookeeperPort()));
  }

  public List<LabNode> nodes() {
    LabState state = state();
    return state.nodes().stream()
        .map(
            node ->
                new LabNode(
                    id(state, node),
                    node.name(),
                    node.profile(),
                    control.processes().pid(node.dataNode()),
                    control.processes().pid(node.regionServer()),
                    control.folders(state, node)))
        .toList();
  }

  public LabStatus status() {
    LabState state = state();
    Map<String, OptionalLong> services = new LinkedHashMap<>();
    for (String name : List.of(LabBoot.ZOOKEEPER, LabBoot.NAMENODE, LabBoot.MASTER)) {
      services.put(name, control.processes().pid(name));
    }
    return new LabStatus(
        state.config().name(),
        dir.root(),
        state.ready(),
        services,
        nodes(),
        zookeeperQuorum(),
        state.isolation(),
        state.isolated() && state.diskLimited(),
        NodeControl.liveRegionServers(state.addresses()));
  }

  /** Lifts the nodes' read limit and CPU quota, for loading, or sets them again. */
  public void limitNodes(boolean on) {
    LabState state = change(s -> s.withDiskLimited(on && s.config().readIops() > 0));
    for (LabState.Node node : state.nodes()) {
      control.limit(state, node);
      if (!on) {
        control.liftCpu(state, node);
      }
    }
  }

  /**
   * Holds the page cache of each node to a size: what a miss of the block cache costs must not
   * depend on how much memory the processes happen to leave. Counted from what they hold now.
   *
   * @param bytes 0 = no such bound, only the node's memory limit
   */
  public void limitPageCache(long bytes) {
    LabState state = state();
    state.nodes().forEach(node -> control.limitPageCache(state, node, bytes));
  }

  /** Starts and stops nodes of this lab. */
  public LocalNodeProvider provider() {
    return new LocalNodeProvider(this);
  }

  /** Ends a node's two processes as a power cut would. */
  public void killNode(NodeId id) {
    LabState.Node node = find(state(), id);
    control.processes().kill(node.regionServer());
    control.processes().kill(node.dataNode());
  }

  /** Starts whichever of a node's two processes is not running, and waits until it serves. */
  public void startNode(NodeId id, Duration limit) {
    LabState state = state();
    LabState.Node node = find(state, id);
    control.liftCpu(state, node);
    if (!control.processes().alive(node.dataNode())) {
      control.startDataNode(state, node);
    }
    if (!control.processes().alive(node.regionServer())) {
      control.startRegionServer(state, node);
    }
    control.await(
        "starting node " + id,
        limit,
        List.of(node.dataNode(), node.regionServer()),
        () -> NodeControl.regionServerServes(state.addresses(), node));
    control.limit(state, node);
  }

  /** Kills the master and starts it again; returns when the new one is initialised. */
  public void restartMaster(Duration limit) {
    LabState state = state();
    control.processes().kill(LabBoot.MASTER);
    control.startService(state, LabBoot.MASTER, Role.MASTER);
    control.await(
        "restarting the master",
        limit,
        List.of(LabBoot.MASTER),
        () -> NodeControl.liveRegionServers(state.addresses()) >= 0);
  }

  static NodeId id(LabState state, LabState.Node node) {
    Slot slot = state.addresses();
    return new NodeId(slot.node(node.index()) + ":" + slot.regionServerPort());
  }

  static LabState.Node find(LabState state, NodeId id) {
    return state.nodes().stream()
        .filter(node -> id(state, node).equals(id))
        .findFirst()
        .orElseThrow(() -> new UserError("lab " + state.config().name() + " has no node " + id));
  }
}
