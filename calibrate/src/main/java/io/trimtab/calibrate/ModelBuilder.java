package io.trimtab.calibrate;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.lab.testbed.CassandraTestbed;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.NodeSpec;
import io.trimtab.lab.testbed.Testbed;
import io.trimtab.models.usage.NodeKind;
import io.trimtab.models.usage.ReadBounds;
import io.trimtab.models.usage.ScanRegression;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.ThroughputSearch;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Measurement;
import io.trimtab.models.usage.UsageModel.ReadPoint;
import io.trimtab.models.usage.UsageModel.UpdatePoint;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Has nodes measured, and makes a {@link UsageModel} of it (Cruz 2016, §5.3.1 to 5.4.2). A hit
 * ratio is brought about by reading uniformly so many records that the cache holds that share of
 * them. Several like nodes share the work, and what one has found bounds the others' searches.
 */
public final class ModelBuilder {
  private static final Mix READS = new Mix(1.0, null, null, null, null);

  /** Records in blocks of another size, and records of ten columns, for what scans cost. */
  static final String MAIN = "m";

  static final String SMALL_BLOCKS = "b";
  private static final String COLUMNS = "w";
  private static final int SCAN_RECORDS = 40_000;

  /** Share of the cache of records that all fit it. */
  static final double FITS = 0.9;

  /** Kinds of measurements. */
  static final String UPDATES = "updates";

  static final String COMPACTION = "compaction";

  /** Copies that are made of a written byte before it is in a large file; not measured. */
  private static final double REWRITES = 2;

  private static final long STOP_S = 30;

  private final List<ModelNode> nodes;
  private final Console console;
  private final ModelPlan plan;
  private final MeasurementFile memory;
  private final ReadBounds bounds = new ReadBounds();

  /**
   * @param nodes alike, their tables loaded and compacted
   */
  ModelBuilder(List<ModelNode> nodes, Console console, ModelPlan plan, MeasurementFile memory) {
    this.nodes = List.copyOf(nodes);
    this.console = console;
    this.plan = plan;
    this.memory = memory;
  }

  /** With one node. */
  public static ModelBuilder of(
      Testbed bed, Console console, ModelPlan plan, MeasurementFile memory) {
    return new ModelBuilder(
        List.of(new ModelNode(bed, console, plan, memory)), console, plan, memory);
  }

  /** The kind of the reads at a hit ratio. */
  static String reads(double hitRatio) {
    return String.format(Locale.ROOT, "reads at %.2f", hitRatio);
  }

  /** The same for a Cassandra testbed, and other tables. */
  public static WorkloadSpec ringSpec(NodeSpec node, ModelPlan plan, List<TenantSpec> more) {
    int threads = (int) Math.ceil(CassandraTestbed.THREADS * NodeSpec.scale(node.cores()));
    List<TenantSpec> all = new ArrayList<>(tenants(node.cacheSize(), threads, plan));
    all.addAll(more);
    return new WorkloadSpec(null, null, all);
  }

  /**
   * The tables that the builder needs.
   *
   * @param cache of the node
   */
  public static List<TenantSpec> tenants(Bytes cache, int threads, ModelPlan plan) {
    return tenants("", cache, threads, plan);
  }

  /**
   * The same where other tables are, too.
   *
   * @param prefix before the tenants' names makes the tables' names
   */
  public static List<TenantSpec> tenants(String prefix, Bytes cache, int threads, ModelPlan plan) {
    int most = (int) records(cache, plan);
    int blockSize = Profile.READ.blockSizeBytes();
    List<TenantSpec> tables = new ArrayList<>();
    tables.add(tenant(prefix, MAIN, most, 1, 1_000, blockSize, threads));
    if (plan.scans() || plan.updates()) {
      // It is also what is compacted.
      tables.add(tenant(prefix, SMALL_BLOCKS, SCAN_RECORDS, 1, 1_000, 8 << 10, threads));
    }
    if (plan.scans()) {
      tables.add(tenant(prefix, COLUMNS, SCAN_RECORDS, 10, 100, blockSize, threads));
    }
    return List.copyOf(tables);
  }

  /** How many records the largest table has, so that the smallest hit ratio comes about. */
  static double records(Bytes cache, ModelPlan plan) {
    // With 1.06 kB a record.
    double cached = HBaseTestbed.FILLED * cache.value() / 1_060;
    return 1.05 * cached / Math.min(FITS, plan.smallest());
  }

  public static TenantSpec tenant(
      String name, int records, int fields, int bytes, int blockSize, int threads) {
    return tenant("", name, records, fields, bytes, blockSize, threads);
  }

  private static TenantSpec tenant(
      String prefix, String name, int records, int fields, int bytes, int blockSize, int threads) {
    return new TenantSpec(
        name,
        prefix + name,
        1,
        records,
        fields,
        bytes,
        null,
        blockSize,
        false,
        READS,
        null,
        Distribution.UNIFORM,
        TenantSpec.KeyOrder.ORDERED,
        threads,
        null,
        null,
        null);
  }

  /** Something that any of the nodes can measure. */
  private interface BuildTask {
    void on(ModelNode node) throws Exception;
  }

  public UsageModel build() throws Exception {
    each(ModelNode::begin);
    SortedMap<String, String> fingerprint = new TreeMap<>(nodes.get(0).bed().fingerprint());
    String waits = fingerprint.get(UsageModel.WAIT_SOURCE);
    memory.require(waits);
    String database = nodes.get(0).bed().database();
    SortedMap<String, String> kind = new TreeMap<>(fingerprint);
    kind.put(NodeKind.ENGINE.key(), database);
    memory.requireNode(kind);
    console.step("I/O wait from " + WaitSource.text(waits));
    double idle = nodes.get(0).idle();
    console.step(String.format(Locale.ROOT, "idle: %.1f %%", 100 * idle));
    var tasks = new ArrayList<BuildTask>();
    // From the highest, because what is found there bounds the lower ones.
    plan.hitRatios().stream()
        .sorted(Comparator.reverseOrder())
        .forEach(hitRatio -> tasks.add(node -> node.reads(hitRatio, idle, bounds)));
    if (plan.updates()) {
      tasks.add(node -> node.updates(idle));
      tasks.add(ModelNode::compaction);
    }
    share(tasks);
    List<ReadPoint> reads = readPoints(idle);
    List<UpdatePoint> updates = plan.updates() ? updatePoints(idle) : List.of();
    var half =
        new UsageModel(UsageModel.SCHEMA, database, fingerprint, idle, reads, updates, null, null);
    UsageModel.ScanCosts scans = plan.scans() ? scans(half) : null;
    // Those of scans, too.
    memory.require(waits);
    UsageModel.CompactionCost compaction = plan.updates() ? compaction(idle) : null;
    return new UsageModel(
        UsageModel.SCHEMA, database, fingerprint, idle, reads, updates, scans, compaction);
  }

  private void each(BuildTask task) throws Exception {
    parallel(nodes.stream().<Callable<Void>>map(node -> () -> on(node, task)).toList());
  }

  /** Each node takes the next task when it has done one. */
  private void share(Collection<BuildTask> tasks) throws Exception {
    Queue<BuildTask> left = new ConcurrentLinkedQueue<>(tasks);
    each(
        node -> {
          for (BuildTask task = left.poll(); task != null; task = left.poll()) {
            task.on(node);
            console.step(left.size() + " of " + tasks.size() + " kinds of measurements to start");
          }
        });
  }

  private static Void on(ModelNode node, BuildTask task) throws Exception {
    task.on(node);
    return null;
  }

  /** All at once; where one fails the others are interrupted, and have left their measurements. */
  static void parallel(List<Callable<Void>> tasks) throws Exception {
    if (tasks.size() == 1) {
      tasks.get(0).call();
      return;
    }
    ExecutorService pool = Executors.newFixedThreadPool(tasks.size());
    try {
      var done = new ExecutorCompletionService<Void>(pool);
      tasks.forEach(done::submit);
      for (int i = 0; i < tasks.size(); i++) {
        done.take().get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      pool.shutdownNow();
      // They must have released their clusters before the caller removes them.
      pool.awaitTermination(STOP_S, TimeUnit.SECONDS);
    }
  }

  private List<ReadPoint> readPoints(double idle) {
    var points = new ArrayList<ReadPoint>();
    for (double targetHitRatio : plan.hitRatios()) {
      String kind = reads(targetHitRatio);
      double hits = meanHits(memory.of(kind));
      var here = new ArrayList<ReadPoint>();
      for (double level : plan.levels()) {
        ThroughputSearch.at(memory.of(kind), idle, level, 2 * plan.tolerance())
            .ifPresent(ops -> here.add(new ReadPoint(hits, level, ops, near(kind, level))));
      }
      points.addAll(here);
      console.step(
          String.format(
              Locale.ROOT,
              "hit ratio %.3f: %s reads/s at %s %%",
              hits,
              numbers(here.stream().map(ReadPoint::opsPerSecond).toList(), 1),
              numbers(here.stream().map(ReadPoint::level).toList(), 100)));
    }
    return points;
  }

  /** Each measurement belongs to one level, so that none counts twice. */
  private List<Measurement> near(String kind, double level) {
    return memory.of(kind).stream()
        .filter(
            m ->
                plan.levels().stream()
                        .min(Comparator.comparingDouble(l -> Math.abs(l - m.usage())))
                        .orElse(level)
                    == level)
        .toList();
  }

  private static double meanHits(List<Measurement> all) {
    double reads = 0;
    double hits = 0;
    for (Measurement m : all) {
      if (!Double.isNaN(m.hitRatio())) {
        reads += m.opsPerSecond() * m.seconds();
        hits += m.opsPerSecond() * m.seconds() * m.hitRatio();
      }
    }
    return reads > 0 ? hits / reads : 1;
  }

  private List<UpdatePoint> updatePoints(double idle) {
    var points = new ArrayList<UpdatePoint>();
    for (double level : plan.levels()) {
      ThroughputSearch.at(memory.of(UPDATES), idle, level, 2 * plan.tolerance())
          .ifPresent(ops -> points.add(new UpdatePoint(level, ops, near(UPDATES, level))));
    }
    console.step(
        String.format(
            Locale.ROOT,
            "%s updates/s at %s %%",
            numbers(points.stream().map(UpdatePoint::opsPerSecond).toList(), 1),
            numbers(points.stream().map(UpdatePoint::level).toList(), 100)));
    return points;
  }

  private UsageModel.ScanCosts scans(UsageModel model) throws Exception {
    double low = 1 / plan.smallest();
    var kinds =
        List.of(
            new ScanKind(MAIN, 39, FITS),
            new ScanKind(MAIN, 159, FITS),
            new ScanKind(SMALL_BLOCKS, 39, 1),
            new ScanKind(SMALL_BLOCKS, 159, 1),
            new ScanKind(COLUMNS, 39, 1),
            new ScanKind(COLUMNS, 159, 1),
            new ScanKind(MAIN, 39, low),
            new ScanKind(MAIN, 159, low),
            new ScanKind(MAIN, 39, FITS, 5),
            new ScanKind(MAIN, 159, FITS, 10));
    share(kinds.stream().<BuildTask>map(kind -> node -> node.scans(kind, model.idle())).toList());
    var samples = new ArrayList<ScanRegression.ScanSample>();
    kinds.forEach(kind -> samples.addAll(samples(model, kind)));
    UsageModel.ScanCosts costs = ScanRegression.fit(samples);
    console.step(
        String.format(
            Locale.ROOT,
            "one scan/s: %.5f %% per row, %.5f per column, %.4f per cached block, %.4f per other,"
                + " %.4f per call",
            100 * costs.row(),
            100 * costs.column(),
            100 * costs.blockHit(),
            100 * costs.blockMiss(),
            100 * costs.call()));
    return costs;
  }

  /** An operation of the client is a scanner that is opened, and so is the model's scan. */
  private List<ScanRegression.ScanSample> samples(UsageModel model, ScanKind scan) {
    ScanShape shape = scan.shape(nodes.get(0).bed().tenant(scan.table()));
    var samples = new ArrayList<ScanRegression.ScanSample>();
    for (Measurement m : memory.of(scan.name())) {
      double single =
          model
              .predict(UsageModel.Load.ofReads(Math.min(1, m.hitRatio()), m.opsPerSecond()))
              .usage();
      samples.add(
          new ScanRegression.ScanSample(m.opsPerSecond(), shape, m.hitRatio(), m.usage() - single));
    }
    return samples;
  }

  /** What one byte a second costs. */
  private UsageModel.CompactionCost compaction(double idle) {
    Measurement m = memory.of(COMPACTION).get(0);
    double perByte = Math.max(0, m.usage() - idle) / m.opsPerSecond();
    console.step(
        String.format(Locale.ROOT, "compacting 1 MB/s uses %.1f %% of the node", 100e6 * perByte));
    return new UsageModel.CompactionCost(perByte, REWRITES);
  }

  private static String numbers(List<Double> values, double times) {
    return values.stream()
        .map(v -> String.format(Locale.ROOT, "%.0f", times * v))
        .reduce((a, b) -> a + "/" + b)
        .orElse("no");
  }
}
