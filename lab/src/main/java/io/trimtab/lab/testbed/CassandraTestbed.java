package io.trimtab.lab.testbed;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Mix;
import io.trimtab.workload.Target;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A ring of one isolated Cassandra node with the READ profile, for measuring one node. */
public final class CassandraTestbed implements Testbed {
  public static final int THREADS = 16;

  /**
   * What is measured if nothing else is asked for. Threads of a Cassandra node that look for work
   * take a third of a core at any load, hence the cores.
   */
  public static final NodeSpec NODE =
      new NodeSpec(
          Bytes.parse("320m"),
          1.5,
          Bytes.parse("992m"),
          Bytes.parse("16m"),
          150,
          Profile.READ.cacheFraction(),
          true);

  /** All rows' places in their files: a miss of the row cache is to cost one disk read, not two. */
  private static final Bytes KEY_CACHE = Bytes.parse("64m");

  private static final Duration COMPACT_LIMIT = Duration.ofMinutes(5);
  private static final Duration FILL = Duration.ofSeconds(30);
  private static final Mix READS = new Mix(1.0, null, null, null, null);

  private final NodeSpec node;
  private final CassandraLab lab;
  private final CassandraEngine engine;
  private final Target target;
  private final WorkloadSpec spec;
  private final Console console;
  private final PageCacheTrimmer trimmer;
  private Map<String, AcknowledgedWrites> ledgers = Map.of();

  private CassandraTestbed(
      NodeSpec node,
      CassandraLab lab,
      CassandraEngine engine,
      Target target,
      WorkloadSpec spec,
      Console console) {
    this.node = node;
    this.lab = lab;
    this.engine = engine;
    this.target = target;
    this.spec = spec;
    this.console = console;
    this.trimmer = new PageCacheTrimmer(lab, node.pageCache().value(), console);
  }

  private static LabConfig config(NodeSpec node, String name) {
    return LabConfig.defaults()
        .withName(name)
        .withNodes(1)
        .withCassandra(
            new CassandraSettings(1, null, null, KEY_CACHE, null, null, null, null, null))
        .withHeap(node.heap())
        .withProfile(Profile.READ)
        .withSite(Map.of("row_cache_size", (node.cacheSize().value() >> 20) + "MiB"))
        .withLimits(node.cores(), node.memory(), node.readIops());
  }

  /** Starts the lab, which goes down with this process, however that ends. */
  public static CassandraTestbed open(
      NodeSpec node, WorkloadSpec spec, String name, Console console)
      throws IOException, EngineException {
    console.step("starting Cassandra with one node");
    CassandraLab lab =
        CassandraLab.up(config(node, name), Owner.PROCESS, (done, of, what) -> console.live(what));
    try {
      console.step("cluster is up; isolation: " + lab.status().isolation());
      return new CassandraTestbed(node, lab, lab.engine(), lab.target(), spec, console);
    } catch (IOException | EngineException | RuntimeException e) {
      lab.down();
      throw e;
    }
  }

  @Override
  public void loadAll() throws IOException, EngineException {
    lab.limitNodes(false);
    Loader loader = new Loader(spec, target);
    loader.create(true);
    console.step("loading");
    ledgers = loader.load(console::loaded);
    compactAll();
    lab.limitNodes(true);
  }

  @Override
  public String database() {
    return "cassandra";
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public List<NodeId> nodes() {
    return lab.nodes().stream().map(LabNode::id).toList();
  }

  @Override
  public TenantSpec tenant(String name) {
    return spec.tenants().stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public TestbedLoad start(List<TenantSpec> tenants) {
    var these = new WorkloadSpec(spec.rampUp(), spec.duration(), tenants);
    return new TestbedLoad(
        WorkloadRun.start(these, target, ledgers, samples -> {}),
        tenants.size(),
        lab::requireWhole);
  }

  @Override
  public void limit(boolean on) {
    lab.limitNodes(on);
    trimmer.run(on);
  }

  @Override
  public void compactAll() throws EngineException {
    console.step("compacting");
    limit(false);
    engine.flush(nodes().get(0), CassandraTarget.KEYSPACE, COMPACT_LIMIT);
    for (PartitionState table : engine.snapshot().partitions()) {
      engine.compact(table.id(), COMPACT_LIMIT);
    }
  }

  @Override
  public void flush(String table) throws EngineException {
    limit(false);
    engine.flush(nodes().get(0), CassandraTarget.KEYSPACE, COMPACT_LIMIT);
  }

  @Override
  public void clearCaches() throws EngineException {
    engine.clearRowCache(nodes().get(0));
  }

  /** Each record as often as any other, as fast as it goes. */
  public TestbedLoad readEvenly(TenantSpec tenant) {
    return start(List.of(tenant.asked(READS, Distribution.UNIFORM, tenant.threads(), null)));
  }

  /** Measured by filling it, because the cache's overhead per row is not known. */
  @Override
  public double cachedRecords(TenantSpec tenant) throws Exception {
    limit(false);
    clearCaches();
    try (TestbedLoad load = readEvenly(tenant)) {
      load.fill(this, console, "filling the cache", FILL);
    }
    limit(true);
    NodeGauges gauges = engine.snapshot().liveNodes().get(0).gauges();
    double rows = gauges.own().getOrDefault("RowCache.entries", 0.0);
    return rows * gauges.cacheMaxBytes() / gauges.cacheUsedBytes();
  }

  @Override
  public Map<String, String> fingerprint() throws EngineException {
    return Fingerprint.of(engine, lab, node.pageCache());
  }

  @Override
  public double cores() {
    return node.cores();
  }

  /** The setting of a report. */
  public List<String> describe() throws EngineException {
    return List.of(
        Machine.describe(),
        "Cassandra %s; the node and its clients on this machine"
            .formatted(engine.snapshot().version()),
        "isolation: " + lab.status().isolation(),
        ("one node with the READ profile: %s heap, row cache %.0f %% of that off-heap, key cache"
                + " %s; %.2f cores, %s memory, including %s page cache, %s")
            .formatted(
                node.heap(),
                100 * node.cache(),
                KEY_CACHE,
                node.cores(),
                node.memory(),
                node.pageCache(),
                Machine.reads(lab, node.readIops())));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    console.step("removing the cluster");
    trimmer.close();
    engine.close();
    target.close();
    String lost = lab.down();
    if (!lost.isEmpty()) {
      console.step(lost);
    }
  }
}
