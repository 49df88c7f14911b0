package io.trimtab.experiments.latency.cost;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.config.Bytes;
import io.trimtab.engineapi.EngineException;
import io.trimtab.experiments.latency.CompilerThreads;
import io.trimtab.experiments.latency.NodeBeans;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Isolate;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.testbed.Console;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.CassandraTarget.Routing;
import io.trimtab.workload.Loader;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;

/** Three nodes of COST, with or without the plug-in, alike in all else. */
final class CostCluster implements AutoCloseable {
  static final int NODES = 3;
  static final Bytes HEAP = Bytes.parse("256m");

  /** Threads that look for requests would be most of what is measured. */
  static final int TIMER_SLACK_US = 1_000;

  static final String SNITCH = "GossipingPropertyFileSnitch";
  private static final Path PROC = Path.of("/proc");

  /** The dynamic snitch's threshold, as by default in 5.0. */
  private static final double BADNESS = 1.0;

  private static final Duration FLUSH_LIMIT = Duration.ofMinutes(3);

  /** Cassandra's default is none; labs have one. */
  private static final Map<String, String> SITE =
      Map.of(LabConfig.SNITCH, SNITCH, "row_cache_size", "0MiB");

  private final CassandraLab lab;
  private final CassandraEngine engine;
  private final CassandraTarget target;
  private final boolean plugin;
  private final List<NodeBeans> beans = new ArrayList<>();
  private final List<ProcessHandle> processes = new ArrayList<>();
  private Map<String, AcknowledgedWrites> ledgers = Map.of();

  /** What nodes have counted since their start, all together. */
  record Counts(long messages, long ranked, long fallenBack, long failures) {}

  private CostCluster(CassandraLab lab, boolean plugin) throws IOException, EngineException {
    this.lab = lab;
    this.plugin = plugin;
    this.engine = lab.engine();
    this.target = CassandraTarget.connect(lab.points(), lab.replication(), Routing.ROUND_ROBIN);
    for (LabNode node : lab.nodes()) {
      beans.add(NodeBeans.of(node.id(), lab.client().jmxPort()));
      processes.add(
          node.pids().values().stream()
              .flatMap(pid -> pid.stream().boxed())
              .findFirst()
              .flatMap(ProcessHandle::of)
              .orElseThrow(() -> new IOException("node " + node.id() + " does not run")));
    }
  }

  /** Starts the lab, which goes down with this process, however that ends. */
  static CostCluster open(String name, boolean plugin, Console console)
      throws IOException, EngineException {
    CassandraSettings settings =
        CassandraSettings.DEFAULTS.with(NODES, 16).withTimerSlack(TIMER_SLACK_US);
    LabConfig config =
        LabConfig.defaults()
            .withName(name)
            .withNodes(NODES)
            .withCassandra(plugin ? settings.withRanking("trimtab") : settings)
            .withHeap(HEAP)
            .withSite(SITE)
            .withIsolate(Isolate.OFF);
    console.step(
        "starting %d nodes of Cassandra %s the plug-in"
            .formatted(NODES, plugin ? "with" : "without"));
    CassandraLab lab =
        CassandraLab.up(config, Owner.PROCESS, (done, of, what) -> console.live(what));
    try {
      return new CostCluster(lab, plugin);
    } catch (IOException | EngineException | RuntimeException e) {
      lab.down();
      throw e;
    }
  }

  /** Makes the table; its data are in files, and in memory. */
  void load(TenantSpec tenant) throws IOException, EngineException {
    Loader loader = new Loader(new WorkloadSpec(null, null, List.of(tenant)), target);
    loader.create(true);
    ledgers = loader.load((done, of) -> {});
    lab.settleLoad(FLUSH_LIMIT);
  }

  /** From now on its nodes work in this way. */
  void become(CostArm arm) throws IOException, JMException, EngineException {
    if (arm.plugin().isPresent() != plugin) {
      throw new IllegalArgumentException(arm + " is of another cluster");
    }
    if (plugin) {
      engine.ranking().set(arm.plugin().get());
    } else {
      for (NodeBeans node : beans) {
        node.snitch(SNITCH, arm.dynamic(), BADNESS);
      }
    }
  }

  WorkloadRun start(TenantSpec tenant) {
    var spec = new WorkloadSpec(null, null, List.of(tenant));
    return WorkloadRun.start(spec, target, ledgers, samples -> {});
  }

  /** CPU time of the nodes' processes since their start, as the kernel counts it, in seconds. */
  double cpuS() throws IOException {
    double all = 0;
    for (ProcessHandle process : processes) {
      all +=
          process
                  .info()
                  .totalCpuDuration()
                  .orElseThrow(() -> new IOException("process " + process.pid() + " has ended"))
                  .toNanos()
              / 1e9;
    }
    return all;
  }

  /** CPU time of the nodes' compilers, in seconds by thread. */
  Map<String, Double> compilersS() throws IOException {
    Map<String, Double> all = new HashMap<>();
    for (ProcessHandle process : processes) {
      all.putAll(CompilerThreads.cpuS(PROC, process.pid()));
    }
    return all;
  }

  Counts counts() throws IOException, JMException {
    long[] all = new long[4];
    for (NodeBeans node : beans) {
      all[0] += node.sentMessages();
      if (plugin) {
        all[1] += node.plugin("Ranked");
        all[2] += node.plugin("FallenBack");
        all[3] += node.plugin("Failures");
      }
    }
    return new Counts(all[0], all[1], all[2], all[3]);
  }

  /** Bytes that all threads of the nodes have allocated on their heaps since their start. */
  long allocatedBytes() throws IOException, JMException {
    long all = 0;
    for (NodeBeans node : beans) {
      all += node.allocatedBytes();
    }
    return all;
  }

  void requireWhole() {
    lab.requireWhole();
  }

  String version() throws EngineException {
    return engine.snapshot().version();
  }

  @Override
  public void close() throws IOException {
    try {
      target.close();
      for (NodeBeans node : beans) {
        node.close();
      }
      engine.close();
    } finally {
      lab.down();
    }
  }
}
