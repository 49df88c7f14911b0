package io.trimtab.lab.cluster;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.lab.process.Isolation;
import io.trimtab.lab.slot.LabSlot;
import io.trimtab.workload.Target;
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
 * A local cluster of real processes. Several JVMs may use the same lab; its state is on disk.
 * Thread-safe.
 */
public abstract class Lab {
  private static final ReentrantLock STATE = new ReentrantLock();

  private final LabDir dir;
  private final NodeControl control;

  Lab(LabDir dir) {
    this.dir = dir;
    LabState state = state();
    this.control =
        new NodeControl(dir, state.isolated() ? Isolation.find(dir.root()) : Isolation.none(""));
  }

  /**
   * Starts a lab; on failure everything is removed again.
   *
   * @throws LabStartException if a process fails to start, with the tail of its log
   * @throws UserError if the name is in use, or memory or free ports are insufficient
   */
  public static Lab up(LabConfig config, Owner owner, Progress progress) {
    return of(new LabBoot(config, owner, progress).run());
  }

  /** Finds a running lab by its name. */
  public static Lab attach(String name) {
    LabDir dir = LabDir.of(name);
    if (!Files.exists(dir.state())) {
      throw new UserError(
          "no lab named " + name + " in " + LabDir.labs() + "; start one with: trimtab lab up");
    }
    return of(dir);
  }

  static Lab of(LabDir dir) {
    Database database = LabState.read(dir.state()).orElseThrow(() -> down(dir)).config().database();
    return database == Database.HBASE ? new HBaseLab(dir) : new CassandraLab(dir);
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
      throw new UserError(LabDir.labs() + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  /**
   * Takes a lab down, including one that started only partly or has lost processes. Does nothing if
   * there is no such lab.
   *
   * @return a sentence that names the processes that had already exited and the location of their
   *     logs; empty if there are none
   */
  public static String down(String name) {
    return LabBoot.clean(LabDir.of(name), false);
  }

  /** As {@link #down(String)}, for this lab. */
  public String down() {
    return LabBoot.clean(dir, false);
  }

  private static UserError down(LabDir dir) {
    return new UserError("lab " + dir.root().getFileName() + " is down");
  }

  public LabState state() {
    return LabState.read(dir.state()).orElseThrow(() -> down(dir));
  }

  /** Updates the state file under a lock that is shared with other JVMs. */
  public LabState change(UnaryOperator<LabState> how) {
    STATE.lock();
    try (FileChannel channel =
            FileChannel.open(
                dir.run().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var held = channel.lock()) {
      LabState changed = how.apply(state());
      changed.write(dir.state());
      return changed;
    } catch (IOException e) {
      throw new UserError(dir.root() + ": can't be written: " + FileProblem.of(e), e);
    } finally {
      STATE.unlock();
    }
  }

  public NodeControl control() {
    return control;
  }

  public LabDir dir() {
    return dir;
  }

  public LabConfig config() {
    return state().config();
  }

  /** The clients' contact address, for display. */
  public abstract String contact();

  /** Nodes in service; −1 while unknown. */
  abstract int serving();

  /** Opens a connection for monitoring and actions. */
  public abstract Engine engine() throws EngineException;

  /** Opens a connection only with what the cluster keeps about its controllers. */
  public abstract ControlAccess controlAccess() throws EngineException;

  /** Opens a connection for a workload. */
  public abstract Target target() throws IOException;

  /**
   * Call after loading and before measuring: flushes the memtables if reads would otherwise be
   * served from them to a varying extent.
   *
   * @param limit per node
   */
  public abstract void settleLoad(Duration limit) throws EngineException;

  /**
   * This lab as an HBase lab.
   *
   * @throws UserError where it is a cluster of another database
   */
  public HBaseLab hbase() {
    throw new UserError("lab " + config().name() + " is not an HBase cluster");
  }

  /**
   * This lab as a Cassandra lab.
   *
   * @throws UserError where it is a cluster of another database
   */
  public CassandraLab cassandra() {
    throw new UserError("lab " + config().name() + " is not a Cassandra cluster");
  }

  /** The address that clients connect to. */
  public abstract ClusterAddress address();

  /** Starts and stops nodes of this lab. */
  public abstract NodeProvider provider();

  /** Starts those of a node's processes that are not running, and waits until the node serves. */
  public abstract void startNode(NodeId id, Duration limit);

  public List<LabNode> nodes() {
    LabState state = state();
    return state.nodes().stream()
        .map(
            node -> {
              Map<String, OptionalLong> pids = new LinkedHashMap<>();
              state
                  .config()
                  .database()
                  .processes(node)
                  .forEach((kind, process) -> pids.put(kind, control.processes().pid(process)));
              return new LabNode(
                  id(state, node),
                  node.name(),
                  node.profile(),
                  pids,
                  control.folders(state, node),
                  control.oomKills(state, node));
            })
        .toList();
  }

  /** The memory limit in force on the first node, bytes; 0 where there is none. */
  public long memoryLimit() {
    LabState state = state();
    return control.memoryLimit(state, state.nodes().get(0));
  }

  /**
   * Fails if a node's process has exited unexpectedly, because measurements would then describe a
   * different cluster.
   *
   * @throws UserError that names the process and, if the kernel killed it, the reason
   */
  public void requireWhole() {
    LabState state = state();
    for (LabState.Node node : state.nodes()) {
      for (String process : state.config().database().processes(node).values()) {
        if (Files.exists(dir.pid(process)) && !control.processes().alive(process)) {
          throw new UserError(
              "lab %s: %s has ended unexpectedly%s; log: %s"
                  .formatted(
                      state.config().name(),
                      process,
                      control.killedForMemory(state, process),
                      dir.log(process)));
        }
      }
    }
  }

  public LabStatus status() {
    LabState state = state();
    Map<String, OptionalLong> services = new LinkedHashMap<>();
    for (String name : state.config().database().services(state.config())) {
      services.put(name, control.processes().pid(name));
    }
    return new LabStatus(
        state.config().name(),
        state.config().database(),
        dir.root(),
        state.ready(),
        services,
        nodes(),
        contact(),
        state.isolation(),
        control.limitsReads(state),
        serving());
  }

  /**
   * Lifts the nodes' disk read limit and CPU quota, for example while loading, or sets them again.
   */
  public void limitNodes(boolean on) {
    LabState state = change(s -> s.withLimited(on));
    for (LabState.Node node : state.nodes()) {
      control.limit(state, node);
    }
  }

  /**
   * Limits what one node reads from its disk, as a disk that fails would, until limits are set
   * again.
   *
   * @param readIops reads a second; 0: as many as it likes
   */
  public void limitReads(NodeId id, int readIops) {
    LabState state = state();
    control.limitReads(state, find(state, id), readIops);
  }

  /**
   * Reads of all nodes that have reached their disks since they were added; 0 without isolation.
   */
  public long diskReads() {
    LabState state = state();
    return state.nodes().stream().mapToLong(node -> control.diskReads(state, node)).sum();
  }

  /** What the nodes' disk is, to follow "a disk that is". */
  public String diskKind() {
    return Isolation.diskKind(dir.root());
  }

  /** Shrinks each node's page cache once to its most recently used {@code bytes}. */
  public void trimPageCache(long bytes) {
    LabState state = state();
    state.nodes().forEach(node -> control.trimPageCache(state, node, bytes));
  }

  /** Kills a node's processes without a shutdown, as in a power failure. */
  public void killNode(NodeId id) {
    LabState state = state();
    state
        .config()
        .database()
        .processes(find(state, id))
        .values()
        .forEach(control.processes()::kill);
  }

  public static NodeId id(LabState state, LabState.Node node) {
    LabSlot slot = state.addresses();
    return new NodeId(slot.node(node.index()) + ":" + state.config().database().clientPort(slot));
  }

  public static LabState.Node find(LabState state, NodeId id) {
    return state.nodes().stream()
        .filter(node -> id(state, node).equals(id))
        .findFirst()
        .orElseThrow(() -> new UserError("lab " + state.config().name() + " has no node " + id));
  }
}
