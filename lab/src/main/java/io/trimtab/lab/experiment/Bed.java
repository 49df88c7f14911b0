package io.trimtab.lab.experiment;

import io.trimtab.controller.GuardSettings;
import io.trimtab.controller.ObserveSettings;
import io.trimtab.controller.PlaceSettings;
import io.trimtab.controller.Settings;
import io.trimtab.controller.SplitSettings;
import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.BlockHistogram;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Isolate;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.StateDir;
import io.trimtab.runtime.SystemPorts;
import io.trimtab.workload.HBaseTarget;
import io.trimtab.workload.Ledger;
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
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;

/** The test bed of E1, E2 and the demo: an isolated lab with the six tenants' tables. */
final class Bed implements ModelBed {
  static final List<String> TENANTS = List.of("a", "b", "c", "d", "e", "f");

  private static final Duration PROFILE_LIMIT = Duration.ofSeconds(60);

  private final BedSettings settings;
  private final HBaseLab lab;
  private final HBaseTarget target;
  private final HBaseEngine engine;
  private final Regions regions;
  private final WorkloadSpec spec;
  private final Console console;
  private final PageCacheTrimmer trimmer;
  private Map<String, Ledger> ledgers = Map.of();

  private Bed(
      BedSettings settings,
      WorkloadSpec spec,
      HBaseLab lab,
      HBaseTarget target,
      HBaseEngine engine,
      Console console) {
    this.settings = settings;
    this.lab = lab;
    this.target = target;
    this.engine = engine;
    this.console = console;
    this.regions = new Regions(target.connection(), engine);
    this.trimmer = new PageCacheTrimmer(lab, settings.pageCache().value(), console);
    this.spec = spec;
  }

  /** With the six tenants of E1. */
  static Bed open(BedSettings settings, String name, Console console)
      throws IOException, EngineException {
    return open(settings, spec(settings), name, console);
  }

  static Bed open(BedSettings settings, WorkloadSpec spec, String name, Console console)
      throws IOException, EngineException {
    return open(settings, spec, Map.of(), name, console);
  }

  /**
   * Starts the lab, which goes down with this process, however that ends.
   *
   * @param more for every hbase-site.xml
   */
  static Bed open(
      BedSettings settings,
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
            .withProfile(Profile.HOMOGENEOUS)
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
      HBaseTarget target = HBaseTarget.connect(lab.clientProperties());
      HBaseEngine engine = HBaseEngine.connect(lab.clientProperties());
      return new Bed(settings, spec, lab, target, engine, console);
    } catch (IOException | EngineException | RuntimeException e) {
      lab.down();
      throw e;
    }
  }

  /** The tenants of E1 at the bed's scale. */
  static WorkloadSpec spec(BedSettings settings) {
    WorkloadSpec e1 = WorkloadSpec.preset("e1");
    return new WorkloadSpec(
        e1.rampUp(),
        e1.duration(),
        e1.tenants().stream()
            .map(
                t ->
                    switch (t.name()) {
                      case "b" -> t.scaled(settings.records(), settings.updateThreads(), null);
                      case "d" -> t.scaled(settings.records() / 10, 1, 1.0 * settings.insertRate());
                      default -> t.scaled(settings.records(), settings.threads(), null);
                    })
            .toList());
  }

  static String describeTenant(String tenant) {
    return switch (tenant) {
      case "a" -> "a  50 % read, 50 % update";
      case "b" -> "b  100 % update";
      case "c" -> "c  100 % read";
      case "d" -> "d  5 % read, 95 % insert, capped";
      case "e" -> "e  95 % scan, 5 % insert";
      default -> "f  50 % read, 50 % read-modify-write";
    };
  }

  List<TenantSpec> tenants() {
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
    regions.compact(regions.partitions(tables()).values());
  }

  @Override
  public List<NodeId> nodes() {
    return lab.nodes().stream().map(LabNode::id).toList();
  }

  private List<Slot> slots() {
    var slots = new ArrayList<Slot>();
    spec.tenants()
        .forEach(
            t -> {
              for (int i = 0; i < t.partitions(); i++) {
                slots.add(new Slot(t.table(), i));
              }
            });
    return slots;
  }

  private Map<Slot, Integer> placement(Strategy strategy, long seed) {
    return switch (strategy) {
      case RANDOM_HOMOGENEOUS -> Placements.random(slots(), settings.nodes(), seed);
      case MANUAL_HOMOGENEOUS -> Placements.manualHomogeneous();
      case MANUAL_HETEROGENEOUS -> Placements.manualHeterogeneous();
    };
  }

  @Override
  public void loadAll() throws IOException, EngineException, InterruptedException {
    applyProfile(0, Profile.READ);
    var placement = new TreeMap<Slot, Integer>();
    tenants().forEach(t -> placement.put(new Slot(t.table(), 0), 0));
    load(placement);
    // All rows in files, which is where blocks are.
    compactAll();
  }

  /** The six tenants' tables, placed. */
  void loadPlaced(Strategy strategy, long seed) throws IOException, EngineException {
    console.step("creating six tables and placing them: " + strategy);
    load(placement(strategy, seed));
  }

  /**
   * Creates the tables, places their empty partitions, and loads: every byte is written on the node
   * that serves it, so locality is whole without a compaction.
   */
  void load(Map<Slot, Integer> placement) throws IOException, EngineException {
    lab.limitNodes(false);
    engine.setBalancer(io.trimtab.engineapi.BalancerState.PAUSED);
    Loader loader = new Loader(spec, target);
    loader.create(true);
    regions.place(regions.partitions(tables()), placement, nodes());
    console.step("loading");
    ledgers =
        loader.load(
            (done, total) ->
                console.live(String.format(Locale.ROOT, "loaded %,d of %,d records", done, total)));
    console.step("reading every block once");
    regions.warm(tables());
    lab.limitNodes(true);
  }

  /** Places all partitions anew, with all their bytes on their nodes; limits stay lifted. */
  void place(Map<Slot, Integer> placement)
      throws IOException, EngineException, InterruptedException {
    limit(false);
    regions.place(regions.partitions(tables()), placement, nodes());
    compactAll();
  }

  @Override
  public void flush(String table) throws IOException, InterruptedException {
    limit(false);
    try (Admin admin = connection().getAdmin()) {
      admin.flush(TableName.valueOf(table));
    }
  }

  @Override
  public void limit(boolean on) {
    lab.limitNodes(on);
    trimmer.run(on && settings.pageCache().value() > 0);
  }

  private List<String> tables() {
    return spec.tenants().stream().map(t -> t.table()).toList();
  }

  /** Gives the cluster a strategy's placement, profiles, block sizes and local, compact files. */
  void prepare(Strategy strategy, long seed) throws IOException, EngineException {
    if (ledgers.isEmpty()) {
      loadPlaced(strategy, seed);
    }
    console.step("preparing " + strategy);
    // Each run meets the cluster for the first time.
    StateDir.of(engine.snapshot().clusterId()).forget();
    lab.limitNodes(false);
    boolean heterogeneous = strategy == Strategy.MANUAL_HETEROGENEOUS;
    List<NodeId> nodes = nodes();
    for (int i = 0; i < nodes.size(); i++) {
      Profile profile = heterogeneous ? Placements.manualProfiles().get(i) : Profile.HOMOGENEOUS;
      engine.applyProfile(nodes.get(i), profile, PROFILE_LIMIT);
      lab.provider().persist(nodes.get(i), profile);
    }
    for (String table : tables()) {
      Profile profile =
          !heterogeneous
              ? Profile.HOMOGENEOUS
              : switch (table) {
                case "b", "d" -> Profile.WRITE;
                case "e" -> Profile.SCAN;
                default -> Profile.READ;
              };
      engine.setBlockSize(table, profile.blockSizeBytes());
    }
    Map<Slot, PartitionId> partitions = regions.partitions(tables());
    regions.place(partitions, placement(strategy, seed), nodes);
    regions.compact(partitions.values());
    regions.warm(tables());
    lab.limitNodes(true);
  }

  /** A run without the autopilot. */
  RunResult measure(String label, long seed, Duration warm, Duration measure) throws Exception {
    try (BedLoad load = start()) {
      load.follow(console, label + ": caches fill", warm);
      int from = load.second();
      load.follow(console, label, measure);
      return load.finish(label, seed, from, load.second());
    }
  }

  int size() {
    return settings.nodes();
  }

  /** As a counting RegionServer has counted it. */
  List<BlockHistogram> exactHistograms() throws EngineException {
    return engine.exactHistograms();
  }

  @Override
  public Engine engine() {
    return engine;
  }

  Connection connection() {
    return target.connection();
  }

  /** Changes a node's profile online; how long until it was in force, in milliseconds. */
  double applyProfile(int node, Profile profile) throws EngineException {
    long begun = System.nanoTime();
    engine.applyProfile(nodes().get(node), profile, PROFILE_LIMIT);
    return (System.nanoTime() - begun) / 1e6;
  }

  BedLoad start() {
    return start(spec.tenants());
  }

  @Override
  public BedLoad start(List<TenantSpec> tenants) {
    var these = new WorkloadSpec(spec.rampUp(), spec.duration(), tenants);
    return new BedLoad(
        WorkloadRun.start(these, target, ledgers, samples -> {}), tenants.size(), lab);
  }

  @Override
  public Map<String, String> fingerprint() throws EngineException {
    var gauges = engine.snapshot().liveNodes().get(0).gauges();
    return Map.of(
        "engineVersion", org.apache.hadoop.hbase.util.VersionInfo.getVersion(),
        "cpu", Machine.processor(),
        "cores", Double.toString(settings.cores()),
        "memory", settings.memory().toString(),
        "heapBytes", Long.toString(gauges.heapMaxBytes()),
        "cacheBytes", Long.toString(gauges.cacheMaxBytes()),
        "pageCache", settings.pageCache().toString(),
        "diskReadsPerSecond", Integer.toString(settings.readIops()),
        "isolation", lab.status().isolation());
  }

  /**
   * Empties the block caches. HBase's keeps up to a quarter for blocks that were asked for once,
   * even while it evicts others that are asked for again and again: what an earlier load has left
   * there would stay for long.
   */
  @Override
  public void clearCaches() throws IOException {
    try (Admin admin = connection().getAdmin()) {
      for (String table : tables()) {
        admin.clearBlockCache(TableName.valueOf(table));
      }
    }
  }

  @Override
  public String database() {
    return "hbase";
  }

  /** By what the plug-in counts: how large the blocks are that hold the records. */
  @Override
  public double cachedRecords(TenantSpec tenant) throws EngineException {
    double bytes = 0;
    for (BlockHistogram histogram : engine.histograms()) {
      if (histogram.partition().table().equals(tenant.table())) {
        double blocks = histogram.bins().stream().mapToDouble(BlockHistogram.Bin::blocks).sum();
        bytes += blocks * histogram.blockBytes();
      }
    }
    if (bytes == 0) {
      throw new EngineException("no plug-in follows table " + tenant.table());
    }
    long cache = engine.snapshot().liveNodes().get(0).gauges().cacheMaxBytes();
    return ModelBuilder.FILLED * cache / (bytes / tenant.records());
  }

  /** Reads everything back; a sentence with what was found. */
  String verify() throws IOException {
    console.step("reading every record back");
    lab.limitNodes(false);
    var found = new Verifier(target).verify(spec, ledgers);
    return String.format(
        Locale.ROOT,
        "Afterwards all %,d records were read back and compared with what had been acknowledged:"
            + " %d wrong, %d lost.",
        found.records(),
        found.wrong(),
        found.lost());
  }

  /** Runs the control loop beside the load until one plan has ended. */
  AutopilotRun autopilot(BedLoad load, Console console, String label, Settings settings)
      throws EngineException {
    int started = load.second();
    var seen = new PlanWatch(load, console, label);
    Thread ticker = new Thread(seen::tick, "demo-ticker");
    ticker.setDaemon(true);
    ticker.start();
    try {
      Optional<Executor.Outcome> outcome =
          new ControlLoop(
                  engine,
                  Optional.of(lab.provider()),
                  settings,
                  seen,
                  SystemPorts.ports(),
                  FaultPoints.NONE)
              .run(true, 1, false);
      return new AutopilotRun(
          started,
          seen.first,
          seen.last,
          outcome.map(o -> o.how().toString()).orElse("none"),
          seen.summary + outcome.filter(o -> !o.done()).map(o -> " (" + o.why() + ")").orElse(""),
          List.copyOf(seen.lines),
          List.copyOf(seen.marks));
    } finally {
      ticker.interrupt();
    }
  }

  /**
   * The thesis samples every 30 s, six times; runs here are minutes, not half an hour. One
   * partition moves at a time, so that a closed-loop tenant waits for one only; two where nodes
   * restart, which moves all of a node's partitions twice.
   */
  Settings careful(Action.Way way) {
    return settings(Duration.ofSeconds(5), way, true, way == Action.Way.ONLINE ? 1 : 2);
  }

  /** For the short demo: block sizes, whose change reopens every partition, stay as they are. */
  Settings brief() {
    return settings(Duration.ofSeconds(3), Action.Way.ONLINE, false, 2);
  }

  private Settings settings(Duration period, Action.Way way, boolean blockSizes, int moves) {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(period).samples(4).build())
        .with(PlaceSettings.builder().way(way).blockSizes(blockSizes).whenHealthy(true).build())
        // What the thesis's autopilot could not do is measured by E6.
        .with(SplitSettings.builder().enabled(false).build())
        .with(GuardSettings.builder().maxConcurrentMoves(moves).maxNodes(settings.nodes()).build());
  }

  /** Everything a reader needs to repeat a measurement. */
  void describe(Report report, Duration warm, Duration measure) {
    var more =
        new ArrayList<>(
            List.of(
                "%,d records of 1,000 bytes in one column per tenant (d: a tenth); every"
                        .formatted(settings.records())
                    + " block is read once before the tenants start; compactions cache what they"
                    + " write; hotspot 50 % of requests on 40 % of keys; partitions get 31, 27, 21"
                    + " and 21 % of a tenant's requests",
                "%d closed-loop threads for each of a, c, e, f; %d for b; d capped at %d ops/s"
                    .formatted(settings.threads(), settings.updateThreads(), settings.insertRate()),
                "profiles: block cache 39 % and memstore 26 % of the heap on homogeneous nodes (the"
                    + " profiles' common budget of 65 % parted 60:40), thesis Table 3.1 on the"
                    + " others"));
    more.add(
        warm.isZero()
            ? "per-second series in the JSON file beside this report"
            : "%d s for the caches to fill, then %d s measured"
                .formatted(warm.toSeconds(), measure.toSeconds()));
    describe(report, more);
  }

  /** The cluster, and what else an experiment has to say. */
  void describe(Report report, List<String> more) {
    report.heading("Setting");
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
                "%d nodes; each %s heap, %.2f cores, %s memory%s, %d reads/s from disk"
                    .formatted(
                        settings.nodes(),
                        settings.heap(),
                        settings.cores(),
                        settings.memory(),
                        settings.pageCache().value() == 0
                            ? ""
                            : ", of it " + settings.pageCache() + " for the page cache",
                        settings.readIops())));
    items.addAll(more);
    report.list(items);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    console.step("taking the cluster down");
    trimmer.close();
    engine.close();
    target.close();
    String lost = lab.down();
    if (!lost.isEmpty()) {
      console.step(lost);
    }
  }
}
