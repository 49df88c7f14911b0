package io.trimtab.lab.cluster;

import io.trimtab.config.Bytes;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.lab.process.CassandraCommand;
import io.trimtab.lab.process.Cgroups;
import io.trimtab.lab.process.DelayAccounting;
import io.trimtab.lab.process.Isolation;
import io.trimtab.lab.process.JavaCommand;
import io.trimtab.lab.process.Processes;
import io.trimtab.lab.setup.CassandraFiles;
import io.trimtab.lab.setup.HBaseKeys;
import io.trimtab.lab.setup.HBasePages;
import io.trimtab.lab.setup.Kdc;
import io.trimtab.lab.setup.SiteFiles;
import io.trimtab.lab.slot.LabSlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Starts single processes of a lab and puts nodes into their control groups. */
public final class NodeControl {
  static final int TAIL_LINES = 15;

  /** Each look asks nodes that start by JMX or HTTP, which takes time from their start. */
  private static final long POLL_MS = 500;

  private final LabDir dir;
  private final Processes processes;
  private final Isolation isolation;

  NodeControl(LabDir dir, Isolation isolation) {
    this.dir = dir;
    this.processes = new Processes(dir);
    this.isolation = isolation;
  }

  public Processes processes() {
    return processes;
  }

  static String group(LabState state, LabState.Node node) {
    return Cgroups.PREFIX + state.config().name() + "-s" + state.slot() + "-" + node.name();
  }

  /** The node's folders; empty when it is not isolated. */
  List<Path> folders(LabState state, LabState.Node node) {
    return state.isolated() && isolation.cgroups().isPresent()
        ? isolation.cgroups().get().folders(group(state, node))
        : List.of();
  }

  void startService(LabState state, String process, Role role) {
    new SiteFiles(dir, state).writeService(process);
    start(
        state,
        process,
        role,
        state.addresses().coordinator(),
        (long) role.heapMib << 20,
        List.of());
  }

  /** Kerberos's own server, of a secure HBase lab. */
  void startKdc(Kdc kdc) {
    processes.run(LabBoot.KDC, kdc.command(), List.of(), kdc.environment());
  }

  void startDataNode(LabState state, LabState.Node node) {
    new SiteFiles(dir, state).writeDataNode(node);
    makeGroup(state, node);
    start(
        state,
        node.dataNode(),
        Role.DATANODE,
        state.addresses().node(node.index()),
        (long) Role.DATANODE.heapMib << 20,
        folders(state, node));
  }

  /** A DataNode that belongs to no node. */
  void startStorage(LabState state) {
    String address = state.addresses().coordinator();
    new SiteFiles(dir, state).writeDataNode(LabBoot.DATANODE, address);
    start(
        state,
        LabBoot.DATANODE,
        Role.DATANODE,
        address,
        (long) Role.DATANODE.heapMib << 20,
        List.of());
  }

  void startRegionServer(LabState state, LabState.Node node) {
    makeMemory(state);
    new SiteFiles(dir, state).writeRegionServer(node);
    makeGroup(state, node);
    start(
        state,
        node.regionServer(),
        Role.REGIONSERVER,
        state.addresses().node(node.index()),
        state.config().heap().value(),
        folders(state, node));
  }

  private void makeMemory(LabState state) {
    if (!state.config().cachesInFiles()) {
      return;
    }
    try {
      Files.writeString(dir.memory(), state.memory() + "\n");
      Files.createDirectories(state.memory());
    } catch (IOException e) {
      throw new UserError(state.memory() + ": can't be made: " + FileProblem.of(e), e);
    }
  }

  /** Gives back the memory of a node's bucket cache, once its processes have ended. */
  public void removeMemory(LabState state, LabState.Node node) {
    Path cache = state.memory().resolve(node.regionServer());
    try {
      Files.deleteIfExists(cache);
    } catch (IOException e) {
      throw new UserError(cache + ": can't be removed: " + FileProblem.of(e), e);
    }
  }

  private void start(
      LabState state,
      String process,
      Role role,
      String address,
      long heapBytes,
      List<Path> cgroups) {
    List<String> folders = List.of(dir.conf(process).toString(), dir.web().toString());
    List<String> arguments = new ArrayList<>();
    if (state.config().secure()) {
      arguments.addAll(new HBaseKeys(dir, state).jvmOptions());
    }
    long cacheBytes = role == Role.REGIONSERVER ? state.config().cacheOffHeapBytes() : 0;
    arguments.addAll(
        JavaCommand.arguments(dir, process, role, folders, address, heapBytes, cacheBytes));
    processes.start(process, arguments, cgroups);
  }

  void startCassandra(LabState state, LabState.Node node) {
    CassandraFiles files = new CassandraFiles(dir, state);
    files.write(node);
    makeGroup(state, node);
    processes.start(
        node.cassandra(),
        CassandraCommand.java(),
        CassandraCommand.arguments(dir, state, node),
        folders(state, node),
        Map.of(
            "TRIMTAB_TIMER_SLACK_NS",
            Integer.toString(1000 * state.config().cassandra().timerSlack())));
  }

  /**
   * Makes the node's group with its memory limit; CPU and disk wait until the node is up. What runs
   * in it is accounted from its start.
   */
  private void makeGroup(LabState state, LabState.Node node) {
    if (folders(state, node).isEmpty()) {
      return;
    }
    try {
      for (Path folder : folders(state, node)) {
        if (!Files.exists(folder)) {
          Files.writeString(
              dir.cgroups(),
              folder + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND,
              StandardOpenOption.SYNC);
        }
      }
    } catch (IOException e) {
      throw new UserError(dir.cgroups() + ": can't be written: " + FileProblem.of(e), e);
    }
    Cgroups cgroups = isolation.cgroups().orElseThrow();
    cgroups.create(group(state, node));
    DelayAccounting.switchOn(dir.delayAccounting());
    cgroups.limitMemory(group(state, node), state.config().memoryLimit().value());
  }

  /** Sets CPU quota and read limit of a node that is up. */
  void limit(LabState state, LabState.Node node) {
    if (folders(state, node).isEmpty()) {
      return;
    }
    // Also no limit is set: from then on version 1 counts the group's reads, of newer kernels.
    limitReads(state, node, limitsReads(state) ? state.config().readIops() : 0);
    double cpus = state.limited() ? state.config().cpus() : 0;
    isolation.cgroups().orElseThrow().limitCpu(group(state, node), cpus);
  }

  /** Leaves a node so much page cache, for now. */
  void trimPageCache(LabState state, LabState.Node node, long bytes) {
    if (folders(state, node).isEmpty()) {
      return;
    }
    Cgroups cgroups = isolation.cgroups().orElseThrow();
    String group = group(state, node);
    cgroups.reclaim(group, cgroups.heldBytes(group) + bytes, state.config().memoryLimit().value());
  }

  /** Its memory limit in force, bytes; 0 where there is none. */
  long memoryLimit(LabState state, LabState.Node node) {
    return folders(state, node).isEmpty()
        ? 0
        : isolation.cgroups().orElseThrow().memoryLimit(group(state, node));
  }

  /** How often the kernel has killed one of the node's processes for lack of memory. */
  long oomKills(LabState state, LabState.Node node) {
    return folders(state, node).isEmpty()
        ? 0
        : isolation.cgroups().orElseThrow().oomKills(group(state, node));
  }

  /** Says so where a process's end was that; empty where it was not. */
  String killedForMemory(LabState state, String process) {
    return state.nodes().stream()
            .filter(node -> state.config().database().processes(node).containsValue(process))
            .anyMatch(node -> oomKills(state, node) > 0)
        ? ", killed because the node's memory limit of "
            + state.config().memoryLimit()
            + " was too small"
        : "";
  }

  /**
   * Limits what a node reads from its disk.
   *
   * @param iops reads a second; 0: as many as it likes
   */
  void limitReads(LabState state, LabState.Node node, int iops) {
    if (!folders(state, node).isEmpty() && isolation.device().isPresent()) {
      isolation
          .cgroups()
          .orElseThrow()
          .limitReads(group(state, node), isolation.device().get(), iops);
    }
  }

  /** Reads of a node that have reached its disk since its group began; 0 without isolation. */
  long diskReads(LabState state, LabState.Node node) {
    return folders(state, node).isEmpty() || isolation.device().isEmpty()
        ? 0
        : isolation.cgroups().orElseThrow().diskReads(group(state, node), isolation.device().get());
  }

  /** Whether a read limit is in force. */
  boolean limitsReads(LabState state) {
    return state.isolated()
        && state.limited()
        && state.config().readIops() > 0
        && isolation.limitsReads();
  }

  /** Gives a node the whole machine while it starts; one that never ran has no limit yet. */
  public void liftCpu(LabState state, LabState.Node node) {
    List<Path> folders = folders(state, node);
    if (!folders.isEmpty() && folders.stream().allMatch(Files::exists)) {
      isolation.cgroups().orElseThrow().limitCpu(group(state, node), 0);
    }
  }

  /** Removes the group of a node whose processes have ended. */
  public void removeGroup(LabState state, LabState.Node node) {
    for (Path folder : folders(state, node)) {
      for (int tries = 0; Files.exists(folder); tries++) {
        try {
          Files.delete(folder);
        } catch (IOException e) {
          if (tries > 50) {
            throw new UserError(
                folder + ": control group can't be removed: " + FileProblem.of(e), e);
          }
          Processes.sleep(100);
        }
      }
    }
  }

  /** Waits for a condition while the processes live. */
  void await(String what, Duration limit, List<String> alive, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      for (String process : alive) {
        if (!processes.alive(process) && !condition.getAsBoolean()) {
          String why = LabState.read(dir.state()).map(s -> killedForMemory(s, process)).orElse("");
          throw failure(process, process + " ended while " + what + why);
        }
      }
      if (System.nanoTime() > end) {
        String last = alive.isEmpty() ? "" : alive.get(alive.size() - 1);
        throw failure(last, what + ": not done after " + limit.toSeconds() + " s");
      }
      Processes.sleep(POLL_MS);
    }
  }

  private LabStartException failure(String process, String message) {
    return new LabStartException(
        message + (process.isEmpty() ? "" : "; log: " + processes.told(process)),
        process.isEmpty() ? List.of() : processes.logTail(process, TAIL_LINES));
  }

  /** −1 while the NameNode does not answer. */
  int liveDataNodes(LabState state) {
    LabSlot slot = state.addresses();
    return new HBasePages(dir, state)
        .bean(
            slot.coordinator(),
            slot.nameNodeHttpPort(),
            "Hadoop:service=NameNode,name=FSNamesystemState")
        .map(bean -> bean.path("NumLiveDataNodes").asInt(-1))
        .orElse(-1);
  }

  /** Refuses what can't fit, before the machine starts to starve. */
  static void checkMemory(LabConfig config, long availableBytes) {
    long others = 900L << 20;
    long needed = config.nodes() * config.memoryLimit().value() + others;
    if (needed > availableBytes) {
      throw new UserError(
          "not enough memory for "
              + config.nodes()
              + " nodes: "
              + Bytes.human(needed)
              + " needed, "
              + Bytes.human(availableBytes)
              + " available; use fewer nodes or a smaller heap");
    }
  }

  /**
   * Refuses bucket caches for which the folder is too small, as it is in many containers.
   *
   * @throws UserError that names the folder
   */
  public static void checkSharedMemory(LabConfig config, Path folder) {
    if (!config.cachesInFiles()) {
      return;
    }
    long needed = config.nodes() * config.bucketCache().value();
    try {
      long free = Files.getFileStore(folder).getUsableSpace();
      if (needed > free) {
        throw new UserError(
            "%s: not enough room for the bucket caches of %d nodes: %s needed, %s free"
                .formatted(folder, config.nodes(), Bytes.human(needed), Bytes.human(free)));
      }
    } catch (IOException e) {
      throw new UserError(folder + ": can't hold bucket caches: " + FileProblem.of(e), e);
    }
  }
}
