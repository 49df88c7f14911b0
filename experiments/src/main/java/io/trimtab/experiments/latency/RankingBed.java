package io.trimtab.experiments.latency;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.cassandra.ranking.RankingPlugin;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.experiments.report.BuiltCode;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.PageCacheTrimmer;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.CassandraTarget.Routing;
import io.trimtab.workload.Loader;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.management.JMException;

/** Six isolated nodes with three copies of everything, on which orders of replicas are compared. */
final class RankingBed implements AutoCloseable {
  static final int NODES = 6;
  private static final int COPIES = 3;
  private static final int READ_IOPS = 100;
  private static final Bytes HEAP = Bytes.parse("256m");
  private static final Bytes PAGE_CACHE = Bytes.parse("16m");

  /** Idle request threads of six nodes would take both cores. */
  private static final int TIMER_SLACK_US = 1_000;

  /** As operators have it: a coordinator reads its own copy first. */
  private static final String SNITCH = "GossipingPropertyFileSnitch";

  private static final Duration FLUSH_LIMIT = Duration.ofMinutes(3);

  /** A class of each jar that the plug-in consists of. */
  private static final List<String> PLUGIN_JARS =
      List.of(
          "/io/trimtab/cassandraplugin/TrimtabSnitch.class",
          "/io/trimtab/plugincore/ranking/ReplicaRanking.class");

  private final Console console;
  private final CassandraLab lab;
  private final CassandraEngine engine;
  private final Map<Routing, CassandraTarget> targets = new EnumMap<>(Routing.class);
  private final Map<String, AcknowledgedWrites> ledgers = new HashMap<>();
  private final List<NodeBeans> beans = new ArrayList<>();
  private final PageCacheTrimmer trimmer;

  private RankingBed(CassandraLab lab, Console console) throws IOException, EngineException {
    this.lab = lab;
    this.console = console;
    this.engine = lab.engine();
    this.trimmer = new PageCacheTrimmer(lab, PAGE_CACHE.value(), console);
    for (Routing routing : Routing.values()) {
      targets.put(routing, CassandraTarget.connect(lab.points(), COPIES, routing));
    }
    for (NodeId node : nodes()) {
      beans.add(NodeBeans.of(node, lab.client().jmxPort()));
    }
  }

  private static LabConfig config(String name) {
    LabConfig config =
        LabConfig.defaults()
            .withName(name)
            .withNodes(NODES)
            .withCassandra(
                CassandraSettings.DEFAULTS
                    .with(COPIES, 16)
                    .withRanking("trimtab")
                    .withTimerSlack(TIMER_SLACK_US))
            .withHeap(HEAP)
            .withSite(Map.of(LabConfig.SNITCH, SNITCH));
    // A CPU quota would stop a node for up to 100 ms, and be the tail. The disk is what is scarce.
    return config.withLimits(
        Runtime.getRuntime().availableProcessors(),
        new Bytes(config.memoryLimit().value() + PAGE_CACHE.value()),
        READ_IOPS);
  }

  /** Starts the lab, which goes down with this process, however that ends. */
  static RankingBed open(String name, Console console) throws IOException, EngineException {
    console.step("starting Cassandra with " + NODES + " nodes");
    CassandraLab lab =
        CassandraLab.up(config(name), Owner.PROCESS, (done, of, what) -> console.live(what));
    try {
      console.step("cluster is up; isolation: " + lab.status().isolation());
      if (!lab.status().diskLimited()) {
        throw new UserError(
            "E12, OWN and LATENCY need a limit on nodes' disks, which this lab does not have: "
                + lab.status().isolation());
      }
      return new RankingBed(lab, console);
    } catch (IOException | EngineException | RuntimeException e) {
      lab.down();
      throw e;
    }
  }

  List<NodeId> nodes() {
    return lab.nodes().stream().map(LabNode::id).toList();
  }

  CassandraLab lab() {
    return lab;
  }

  NodeBeans beans(int node) {
    return beans.get(node);
  }

  /** A number of the plug-in, summed over all nodes. */
  long plugin(String attribute) throws IOException, JMException {
    long sum = 0;
    for (NodeBeans node : beans) {
      sum += node.plugin(attribute);
    }
    return sum;
  }

  CassandraTarget target(Routing routing) {
    return targets.get(routing);
  }

  Map<String, AcknowledgedWrites> ledgers() {
    return ledgers;
  }

  /** Loads a table once, in one file on each node. */
  void load(TenantSpec tenant) throws IOException, EngineException {
    if (ledgers.containsKey(tenant.name())) {
      return;
    }
    limit(false);
    console.step(
        String.format(Locale.ROOT, "%s: loading %,d records", tenant.table(), tenant.records()));
    Loader loader =
        new Loader(new WorkloadSpec(null, null, List.of(tenant)), targets.get(Routing.TOKEN_AWARE));
    loader.create(true);
    ledgers.putAll(loader.load(console::loaded));
    for (NodeId node : nodes()) {
      engine.flush(node, CassandraTarget.KEYSPACE, FLUSH_LIMIT);
    }
    for (NodeBeans node : beans) {
      try {
        node.compact(CassandraTarget.KEYSPACE, tenant.table());
      } catch (IOException | EngineException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException("a node can't compact: " + e.getMessage(), e);
      }
    }
    limit(true);
  }

  void limit(boolean on) {
    lab.limitNodes(on);
    trimmer.run(on);
  }

  /** From now on all coordinators order replicas so, and know nothing of any. */
  void order(Ordering ordering) throws IOException, JMException, EngineException {
    for (NodeBeans node : beans) {
      if (ordering.isStock()) {
        node.snitch(SNITCH, true, ordering.threshold());
      } else {
        node.snitch(RankingPlugin.SNITCH, false, 1);
      }
    }
    engine
        .ranking()
        .set(
            Map.of(
                "Ranking", ordering.isStock() ? "off" : ordering.ranking(),
                "LocalFirst", ordering.localFirst(),
                "InlineReads", ordering.inline()))
        .requireAll();
  }

  /**
   * Reads every record of a table from all its copies.
   *
   * @return how many there are
   * @throws IOException if one is wrong or lost
   */
  long verify(RankingCase of, Ordering ordering) throws IOException {
    limit(false);
    WorkloadSpec spec =
        new WorkloadSpec(null, null, List.of(of.tenant(ordering, TenantSpec.Consistency.ALL)));
    Verifier.Verification found =
        new Verifier(targets.get(Routing.TOKEN_AWARE)).verify(spec, ledgers);
    limit(true);
    if (!found.right()) {
      throw new IOException(
          "table %s: %d of %d records are wrong, %d are lost"
              .formatted(of.table(ordering), found.wrong(), found.records(), found.lost()));
    }
    return found.records();
  }

  /** Everything a reader needs to repeat the measurement, but for the machine. */
  List<String> describe() throws EngineException, IOException {
    return List.of(
        "Cassandra %s; %d nodes and their clients on this machine, %d copies, consistency ONE"
            .formatted(engine.snapshot().version(), NODES, COPIES),
        "plug-in: classes " + BuiltCode.digest(PLUGIN_JARS),
        "isolation: " + lab.status().isolation(),
        ("a node: %s heap, %s memory, including %s page cache, %d reads/s from disk, no limit of"
                + " CPU; row cache %s, 8 threads that read; timer slack %d µs")
            .formatted(
                HEAP,
                lab.config().memoryLimit(),
                PAGE_CACHE,
                READ_IOPS,
                lab.config().cassandra().rowCache(),
                TIMER_SLACK_US),
        "snitch: "
            + SNITCH
            + ", whose order is the coordinator's own copy first; speculative retry: Cassandra's"
            + " default, at the 99th percentile of a table's reads; each order has a table of its"
            + " own, whose reads are its own");
  }

  @Override
  public void close() throws IOException, InterruptedException {
    console.step("removing the cluster");
    try {
      trimmer.close();
      for (CassandraTarget target : targets.values()) {
        target.close();
      }
      for (NodeBeans node : beans) {
        node.close();
      }
      engine.close();
    } finally {
      String lost = lab.down();
      if (!lost.isEmpty()) {
        console.step(lost);
      }
    }
  }
}
