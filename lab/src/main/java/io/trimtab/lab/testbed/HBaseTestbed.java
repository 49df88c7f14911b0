package io.trimtab.lab.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Isolate;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.HBaseWorkloadTarget;
import io.trimtab.workload.Loader;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;

/** An isolated HBase lab with tenants' tables, for loads and measurements. */
public final class HBaseTestbed implements Testbed {
  /** What a block cache is filled to on average: it evicts from 0.99 of its size down to 0.95. */
  public static final double FILLED = 0.97;

  /** With which {@link #verify} ends if all is well. */
  public static final String NOTHING_LOST = found(0, 0);

  /** For HBase's own balancing to end; it balances for up to 5 min at a time. */
  public static final Duration BALANCING_LIMIT = Duration.ofMinutes(10);

  private static final Duration PROFILE_LIMIT = Duration.ofSeconds(60);

  private final TestbedSettings settings;
  private final HBaseLab lab;
  private final HBaseWorkloadTarget target;
  private final HBaseEngine engine;
  private final HBaseTables tables;
  private final RegionLayout regions;
  private final WorkloadSpec spec;
  private final Console console;
  private final PageCacheTrimmer trimmer;
  private Map<String, AcknowledgedWrites> ledgers = Map.of();

  private HBaseTestbed(
      TestbedSettings settings,
      WorkloadSpec spec,
      HBaseLab lab,
      HBaseWorkloadTarget target,
      HBaseEngine engine,
      Console console) {
    this.settings = settings;
    this.lab = lab;
    this.target = target;
    this.engine = engine;
    this.console = console;
    this.trimmer = new PageCacheTrimmer(lab, settings.pageCache().value(), console);
    this.spec = spec;
    this.tables = HBaseTables.of(target.connection(), engine, tables());
    this.regions = tables.regions();
  }

  public static HBaseTestbed open(
      TestbedSettings settings, WorkloadSpec spec, String name, Console console)
      throws IOException, EngineException {
    return open(settings, spec, Map.of(), name, console);
  }

  /**
   * Starts the lab, which goes down with this process, however that ends.
   *
   * @param more for every hbase-site.xml
   */
  public static HBaseTestbed open(
      TestbedSettings settings,
      WorkloadSpec spec,
      Map<String, String> more,
      String name,
      Console console)
      throws IOException, EngineException {
    Map<String, String> site = new TreeMap<>(more);
    // A compaction gives blocks new names; without this it empties the cache of them.
    site.put("hbase.rs.cachecompactedblocksonwrite", "true");
    // HBase's default splits a table's first region early, in the middle of a run.
    site.put(
        "hbase.regionserver.region.split.policy", ConstantSizeRegionSplitPolicy.class.getName());
    LabConfig config =
        LabConfig.defaults()
            .withName(name)
            .withNodes(settings.nodes())
            .withSpareNodes(0)
            .withHeap(settings.heap())
            .withIsolate(Isolate.AUTO)
            .withBucketCache(settings.bucketCache())
            .withProfile(settings.profile())
            .withSite(site)
            .withLimits(settings.cores(), settings.memory(), settings.readIops());
    console.step("starting ZooKeeper, HDFS and HBase with " + settings.nodes() + " nodes");
    HBaseLab lab =
        HBaseLab.up(
            config,
            Owner.PROCESS,
            (done, total, what) -> console.live("step " + (done + 1) + "/" + total + ": " + what));
    try {
      console.step("cluster is up; isolation: " + lab.status().isolation());
      HBaseWorkloadTarget target = HBaseWorkloadTarget.connect(lab.clientProperties());
      HBaseEngine engine = HBaseEngine.connect(lab.clientProperties());
      return new HBaseTestbed(settings, spec, lab, target, engine, console);
    } catch (IOException | EngineException | RuntimeException e) {
      lab.down();
      throw e;
    }
  }

  public List<TenantSpec> tenants() {
    return spec.tenants();
  }

  @Override
  public TenantSpec tenant(String name) {
    return spec.tenants().stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * Writes every region into one file, without limits, which stay lifted. Memstores too: a region
   * with rows in its memstore is read through a skip list beside its file, which makes cached reads
   * a fifth to two fifths dearer.
   */
  @Override
  public void compactAll() throws IOException, EngineException, InterruptedException {
    console.step("compacting");
    for (String table : tables()) {
      flush(table);
    }
    tables.compact();
  }

  @Override
  public List<NodeId> nodes() {
    return lab.nodes().stream().map(LabNode::id).toList();
  }

  /** Every partition of the tenants' tables. */
  public List<PartitionSlot> slots() {
    var slots = new ArrayList<PartitionSlot>();
    spec.tenants()
        .forEach(
            t -> {
              for (int i = 0; i < t.partitions(); i++) {
                slots.add(new PartitionSlot(t.table(), i));
              }
            });
    return slots;
  }

  @Override
  public void loadAll() throws IOException, EngineException, InterruptedException {
    applyProfile(0, settings.node().profile());
    var placement = new TreeMap<PartitionSlot, Integer>();
    tenants().forEach(t -> placement.put(new PartitionSlot(t.table(), 0), 0));
    load(placement);
    // All rows in files, which is where blocks are.
    compactAll();
  }

  /**
   * Creates the tables, places their empty partitions, and loads: every byte is written on the node
   * that serves it, so locality is whole without a compaction.
   */
  public void load(Map<PartitionSlot, Integer> placement) throws IOException, EngineException {
    lab.limitNodes(false);
    engine.pauseBalancer(BALANCING_LIMIT);
    Loader loader = new Loader(spec, target);
    loader.create(true);
    regions.place(regions.partitions(tables()), placement, nodes());
    console.step("loading");
    ledgers = loader.load(console::loaded);
    console.step("reading every block once");
    regions.warm(tables());
    lab.limitNodes(true);
  }

  /** Places all partitions anew, with all their bytes on their nodes; limits stay lifted. */
  public void place(Map<PartitionSlot, Integer> placement)
      throws IOException, EngineException, InterruptedException {
    limit(false);
    regions.place(regions.partitions(tables()), placement, nodes());
    compactAll();
  }

  @Override
  public void flush(String table) throws IOException, InterruptedException {
    limit(false);
    tables.flush(table);
  }

  @Override
  public void limit(boolean on) {
    lab.limitNodes(on);
    trimmer.run(on && settings.pageCache().value() > 0);
  }

  public List<String> tables() {
    return spec.tenants().stream().map(t -> t.table()).toList();
  }

  public int size() {
    return settings.nodes();
  }

  /** As a counting RegionServer has counted it. */
  public List<BlockHistogram> exactHistograms() throws EngineException {
    return engine.exactHistograms();
  }

  public boolean loaded() {
    return !ledgers.isEmpty();
  }

  public TestbedSettings settings() {
    return settings;
  }

  /** Starts and stops nodes of the lab. */
  public NodeProvider provider() {
    return lab.provider();
  }

  /** Places all partitions of full tables, with local and compact files, and puts limits on. */
  public void arrange(Map<PartitionSlot, Integer> placement) throws IOException, EngineException {
    Map<PartitionSlot, PartitionId> partitions = regions.partitions(tables());
    regions.place(partitions, placement, nodes());
    regions.compact(partitions.values());
    regions.warm(tables());
    lab.limitNodes(true);
  }

  @Override
  public Engine engine() {
    return engine;
  }

  public Connection connection() {
    return target.connection();
  }

  /** Changes a node's profile online; how long until it was in force, in milliseconds. */
  public double applyProfile(int node, Profile profile) throws EngineException {
    long begun = System.nanoTime();
    engine.applyProfile(nodes().get(node), profile, PROFILE_LIMIT);
    return (System.nanoTime() - begun) / 1e6;
  }

  /**
   * What the servers' compactions have written since their starts, in bytes; nothing of one that
   * does not answer.
   */
  public Map<NodeId, Long> compactedBytes() {
    Map<NodeId, Long> all = new TreeMap<>();
    for (NodeId node : nodes()) {
      lab.bean(node, "Hadoop:service=HBase,name=RegionServer,sub=Server")
          .map(bean -> bean.path("compactedOutputBytes"))
          .filter(JsonNode::isNumber)
          .ifPresent(bytes -> all.put(node, bytes.asLong()));
    }
    return all;
  }

  public TestbedLoad start() {
    return start(spec.tenants());
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
  public Map<String, String> fingerprint() throws EngineException {
    return Fingerprint.of(engine, lab, settings.pageCache());
  }

  @Override
  public double cores() {
    return settings.cores();
  }

  @Override
  public void clearCaches() throws IOException {
    tables.clearCaches();
  }

  @Override
  public String database() {
    return "hbase";
  }

  /** By what the plug-in counts: how large the blocks are that hold the records. */
  @Override
  public double cachedRecords(TenantSpec tenant) throws EngineException {
    OptionalDouble bytes = tables.blockBytes(tenant.table());
    if (bytes.isEmpty()) {
      throw new EngineException("no plug-in observes table " + tenant.table());
    }
    long cache = engine.snapshot().liveNodes().get(0).gauges().cacheMaxBytes();
    return FILLED * cache / (bytes.getAsDouble() / tenant.records());
  }

  /** Reads everything back; a sentence with what was found. */
  public String verify() throws IOException {
    console.step("reading every record back");
    lab.limitNodes(false);
    var found = new Verifier(target).verify(spec, ledgers);
    return String.format(
        Locale.ROOT,
        "Afterwards all %,d records were read back and compared with the acknowledged writes"
            + "%s",
        found.records(),
        found(found.wrong(), found.lost()));
  }

  private static String found(long wrong, long lost) {
    return ": %d wrong, %d lost.".formatted(wrong, lost);
  }

  /** The settings needed to repeat a measurement: those of the cluster and the given ones. */
  public List<String> setting(List<String> more) {
    var items =
        new ArrayList<>(
            List.of(
                Machine.describe(),
                "HBase "
                    + org.apache.hadoop.hbase.util.VersionInfo.getVersion()
                    + ", Hadoop "
                    + org.apache.hadoop.util.VersionInfo.getVersion()
                    + "; servers, master, NameNode, ZooKeeper and clients all on this machine",
                "isolation: " + lab.status().isolation(),
                "%d nodes; each %s heap%s, %.2f cores, %s memory%s, %s"
                    .formatted(
                        settings.nodes(),
                        settings.heap(),
                        settings.bucketCache().value() == 0
                            ? ""
                            : " and " + settings.bucketCache() + " bucket cache",
                        settings.cores(),
                        settings.memory(),
                        settings.pageCache().value() == 0
                            ? ""
                            : ", including " + settings.pageCache() + " page cache",
                        Machine.reads(lab, settings.readIops()))));
    items.addAll(more);
    return items;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    console.step("removing the cluster");
    try {
      trimmer.close();
      engine.close();
      target.close();
    } finally {
      // Also one whose clients can't be closed in order, as it has broken.
      String lost = lab.down();
      if (!lost.isEmpty()) {
        console.step(lost);
      }
    }
  }
}
