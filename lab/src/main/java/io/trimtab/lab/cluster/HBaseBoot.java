package io.trimtab.lab.cluster;

import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.setup.HBaseKeys;
import io.trimtab.lab.setup.HBasePages;
import io.trimtab.lab.setup.HBaseUsers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts the processes of a new HDFS and HBase cluster. */
final class HBaseBoot {
  private static final String FORMAT = "namenode-format";
  private static final int STEPS = 6;

  private final LabDir dir;
  private final LabState state;
  private final NodeControl control;
  private final Progress progress;

  HBaseBoot(LabDir dir, LabState state, NodeControl control, Progress progress) {
    this.dir = dir;
    this.state = state;
    this.control = control;
    this.progress = progress;
  }

  /** Returns when all nodes serve. */
  void run() {
    LabConfig config = state.config();
    Duration limit = limit();
    List<String> alive = startNameNode(limit);
    progress.step(2, STEPS, "starting " + config.nodes() + " DataNodes");
    for (LabState.Node node : state.nodes()) {
      control.startDataNode(state, node);
      alive.add(node.dataNode());
    }
    awaitHdfs(Math.min(2, config.nodes()), limit, alive);
    progress.step(3, STEPS, "starting the HBase master");
    control.startService(state, LabBoot.MASTER, Role.MASTER);
    alive.add(LabBoot.MASTER);
    progress.step(4, STEPS, "starting " + config.nodes() + " RegionServers");
    for (LabState.Node node : state.nodes()) {
      control.startRegionServer(state, node);
      alive.add(node.regionServer());
    }
    progress.step(5, STEPS, "waiting until all nodes serve");
    HBasePages pages = new HBasePages(dir, state);
    control.await(
        "starting HBase",
        limit,
        alive,
        () ->
            pages.liveRegionServers() >= config.nodes()
                && control.liveDataNodes(state) >= config.nodes());
    if (config.secure()) {
      admit(limit, alive);
    }
  }

  /** Returns when a master waits for the first RegionServer, on an HDFS that needs none of them. */
  void place() {
    Duration limit = limit();
    List<String> alive = startNameNode(limit);
    control.startStorage(state);
    alive.add(LabBoot.DATANODE);
    awaitHdfs(1, limit, alive);
    control.startService(state, LabBoot.MASTER, Role.MASTER);
    alive.add(LabBoot.MASTER);
    HBaseLab lab = new HBaseLab(dir);
    control.await("starting the HBase master", limit, alive, () -> masterAnswers(lab));
  }

  private Duration limit() {
    return Duration.ofSeconds(180 + 40L * state.config().nodes());
  }

  private void awaitHdfs(int dataNodes, Duration limit, List<String> alive) {
    control.await("starting HDFS", limit, alive, () -> control.liveDataNodes(state) >= dataNodes);
  }

  /** By whoever connects with it; its page tells of no master that has no RegionServer yet. */
  private static boolean masterAnswers(HBaseLab lab) {
    try {
      lab.engine().close();
      return true;
    } catch (EngineException e) {
      return false;
    }
  }

  /** With ZooKeeper; returns what must stay alive from now on. */
  private List<String> startNameNode(Duration limit) {
    progress.step(0, STEPS, "formatting HDFS, starting ZooKeeper");
    if (state.config().secure()) {
      startKdc(limit);
    }
    control.startService(state, FORMAT, Role.NAMENODE_FORMAT);
    control.startService(state, LabBoot.ZOOKEEPER, Role.ZOOKEEPER);
    Path formatted = dir.data(LabBoot.NAMENODE).resolve("current").resolve("VERSION");
    control.await(
        "formatting HDFS",
        limit,
        List.of(LabBoot.ZOOKEEPER),
        () -> !control.processes().alive(FORMAT));
    if (!Files.exists(formatted)) {
      throw new LabStartException(
          "HDFS can't be formatted; log: " + control.processes().told(FORMAT),
          control.processes().logTail(FORMAT, NodeControl.TAIL_LINES));
    }
    control.processes().forget(FORMAT);
    List<String> alive = new ArrayList<>(List.of(LabBoot.ZOOKEEPER, LabBoot.NAMENODE));
    progress.step(1, STEPS, "starting the NameNode");
    control.startService(state, LabBoot.NAMENODE, Role.NAMENODE);
    return alive;
  }

  private void startKdc(Duration limit) {
    HBaseKeys keys = new HBaseKeys(dir, state);
    keys.create();
    control.startKdc(keys.kdc());
    control.await("starting the KDC", limit, List.of(LabBoot.KDC), keys.kdc()::answers);
  }

  /** Permissions are in a table, which the master makes a moment after it serves. */
  private void admit(Duration limit, List<String> alive) {
    HBaseKeys keys = new HBaseKeys(dir, state);
    control.await("giving HBase's permissions", limit, alive, () -> new HBaseUsers(keys).admit());
  }
}
