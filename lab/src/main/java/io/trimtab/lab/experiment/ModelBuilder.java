package io.trimtab.lab.experiment;

import io.trimtab.engineapi.BlockHistogram;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeUsage;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.PartitionState;
import io.trimtab.engineapi.Profile;
import io.trimtab.models.ScanRegression;
import io.trimtab.models.ThroughputSearch;
import io.trimtab.models.UsageModel;
import io.trimtab.models.UsageModel.Measurement;
import io.trimtab.models.UsageModel.ReadPoint;
import io.trimtab.models.UsageModel.UpdatePoint;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Measures what loads cost on one node, and makes a {@link UsageModel} of it (Cruz 2016, §5.3.1 to
 * 5.4.2). A hit ratio is brought about by reading uniformly so many records that the cache holds
 * that share of them.
 */
final class ModelBuilder {
  private static final Mix READS = new Mix(1.0, null, null, null, null);
  private static final Mix UPDATES = new Mix(null, 1.0, null, null, null);
  private static final Mix SCANS = new Mix(null, null, null, 1.0, null);

  /** Records in blocks of another size, and records of ten columns, for what scans cost. */
  static final String MAIN = "m";

  private static final String SMALL_BLOCKS = "b";
  private static final String COLUMNS = "w";
  private static final int SCAN_RECORDS = 40_000;

  /** Of the cache: records that all fit it, and what a cache is filled to. */
  private static final double FITS = 0.9;

  private static final double FILLED = 0.97;
  private static final int PROBES_MAX = 4;
  private static final double UNBOUNDED = 20_000;
  private static final double SCAN_LEVEL = 0.4;

  /** With each kind of request. */
  private static final Duration WORK_IN = Duration.ofSeconds(25);

  private static final Duration COMPACT_LIMIT = Duration.ofMinutes(5);

  /** Copies that are made of a written byte before it is in a large file; not measured. */
  private static final double REWRITES = 2;

  /**
   * What is measured.
   *
   * @param hitRatios in (0, 1], from the highest
   * @param levels of usage, in (0, 1)
   * @param fill before a hit ratio's first measurement, without limits
   * @param ramp before each measurement
   * @param tolerance how near to a level a measurement is near enough, in usage; between two
   *     measurements lies a line anyway
   */
  record Plan(
      List<Double> hitRatios,
      List<Double> levels,
      double tolerance,
      Duration fill,
      Duration ramp,
      Duration measure,
      boolean scans,
      boolean updates) {

    /** The thesis's points. */
    static Plan full() {
      return new Plan(
          List.of(1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.25, 0.15),
          List.of(0.05, 0.2, 0.4, 0.6, 0.8),
          0.01,
          Duration.ofSeconds(20),
          Duration.ofSeconds(6),
          Duration.ofSeconds(20),
          true,
          true);
    }

    /** A quarter of an hour. */
    static Plan quick() {
      return new Plan(
          List.of(1.0, 0.85, 0.65, 0.45),
          List.of(0.2, 0.4, 0.6, 0.8),
          0.04,
          Duration.ofSeconds(12),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          true,
          true);
    }

    /** Without what scans cost. */
    Plan withoutScans() {
      return new Plan(hitRatios, levels, tolerance, fill, ramp, measure, false, updates);
    }

    Plan with(List<Double> otherHitRatios, List<Double> otherLevels) {
      return new Plan(
          otherHitRatios.isEmpty() ? hitRatios : otherHitRatios,
          otherLevels.isEmpty() ? levels : otherLevels,
          tolerance,
          fill,
          ramp,
          measure,
          scans,
          updates);
    }

    double smallest() {
      return hitRatios.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    }
  }

  /** Takes measurements, or knows them from a build that was interrupted. */
  interface Memory {
    /** Of one kind so far; add to it by {@link #add}. */
    List<Measurement> of(String kind);

    void add(String kind, Measurement measurement);
  }

  private final Bed bed;
  private final Console console;
  private final Plan plan;
  private final Memory memory;
  private int done;

  ModelBuilder(Bed bed, Console console, Plan plan, Memory memory) {
    this.bed = bed;
    this.console = console;
    this.plan = plan;
    this.memory = memory;
  }

  /** The tables that the builder needs. */
  static List<TenantSpec> tenants(BedSettings settings, Plan plan) {
    // With 55 % of a 300 MB heap and 1.06 kB a record.
    double cached = FILLED * Profile.READ.cacheFraction() * settings.heap().value() / 1_060;
    int most = (int) (1.05 * cached / Math.min(FITS, plan.smallest()));
    return List.of(
        tenant(MAIN, most, 1, 1_000, Profile.READ.blockSizeBytes(), settings),
        tenant(SMALL_BLOCKS, SCAN_RECORDS, 1, 1_000, 8 << 10, settings),
        tenant(COLUMNS, SCAN_RECORDS, 10, 100, Profile.READ.blockSizeBytes(), settings));
  }

  static TenantSpec tenant(
      String name, int records, int fields, int bytes, int blockSize, BedSettings settings) {
    return new TenantSpec(
        name,
        name,
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
        settings.threads(),
        null,
        null);
  }

  /** On a bed whose tables are loaded and compacted. */
  UsageModel build() throws Exception {
    bed.engine().histograms();
    workIn();
    double idle = idle();
    double cached = cachedRecords();
    console.step(
        String.format(
            Locale.ROOT, "idle %.1f %%; the cache holds %,.0f records", 100 * idle, cached));
    List<ReadPoint> reads = reads(idle, cached);
    List<UpdatePoint> updates = plan.updates() ? updates(idle, cached) : List.of();
    SortedMap<String, String> fingerprint = new TreeMap<>(bed.fingerprint());
    var half =
        new UsageModel(UsageModel.SCHEMA, "hbase", fingerprint, idle, reads, updates, null, null);
    UsageModel.ScanCosts scans = plan.scans() ? scans(half, cached) : null;
    UsageModel.CompactionCost compaction = plan.updates() ? compaction(idle) : null;
    return new UsageModel(
        UsageModel.SCHEMA, "hbase", fingerprint, idle, reads, updates, scans, compaction);
  }

  /**
   * Every kind of request, as fast as it goes, without limits: a server that has never worked runs
   * interpreted code and compiles it beside the load, which at a third of a core takes many minutes
   * and would be what is measured.
   */
  private void workIn() throws Exception {
    bed.limit(false);
    for (Mix mix : List.of(READS, UPDATES, SCANS, READS)) {
      TenantSpec main = bed.tenant(MAIN);
      try (Bed.Load load =
          bed.start(List.of(main.asked(mix, Distribution.UNIFORM, main.threads(), null)))) {
        load.follow(console, "the node works itself in", WORK_IN);
      }
    }
    // The updates' files and the caches are as before.
    bed.compactAll();
    bed.limit(true);
  }

  private double idle() throws Exception {
    String kind = "idle";
    if (memory.of(kind).isEmpty()) {
      bed.limit(true);
      bed.pause(console, "idle: settles", plan.ramp());
      NodeWindow window = NodeWindow.idle(bed, console, "idle", plan.measure());
      memory.add(kind, measurement(window));
    }
    return memory.of(kind).get(0).usage();
  }

  /** Records that the block cache holds when it is full. */
  private double cachedRecords() throws EngineException {
    TenantSpec main = bed.tenant(MAIN);
    double bytes = 0;
    for (BlockHistogram histogram : bed.engine().histograms()) {
      if (histogram.partition().table().equals(MAIN)) {
        double blocks = histogram.bins().stream().mapToDouble(BlockHistogram.Bin::blocks).sum();
        bytes += blocks * histogram.blockBytes();
      }
    }
    if (bytes == 0) {
      throw new EngineException("no plug-in follows table " + MAIN);
    }
    long cache = bed.engine().snapshot().liveNodes().get(0).gauges().cacheMaxBytes();
    return FILLED * cache / (bytes / main.records());
  }

  private List<ReadPoint> reads(double idle, double cached) throws Exception {
    var points = new ArrayList<ReadPoint>();
    var bounds = new TreeMap<Double, Double>();
    for (double wanted : plan.hitRatios()) {
      double share = wanted >= 1 ? FITS : 1 / wanted;
      int records = (int) Math.min(bed.tenant(MAIN).records(), share * cached);
      TenantSpec some = bed.tenant(MAIN).scaled(records, bed.tenant(MAIN).threads(), null);
      String kind = String.format(Locale.ROOT, "reads at %.2f", wanted);
      boolean[] filled = new boolean[1];
      for (double level : plan.levels()) {
        double bound = bounds.getOrDefault(level, UNBOUNDED);
        for (int probe = 0; probe < PROBES_MAX; probe++) {
          OptionalDouble rate =
              ThroughputSearch.next(memory.of(kind), idle, level, plan.tolerance(), bound);
          if (rate.isEmpty()) {
            break;
          }
          if (!filled[0]) {
            fill(some, kind);
            filled[0] = true;
          }
          memory.add(
              kind,
              ask(
                  some.asked(READS, Distribution.UNIFORM, some.threads(), rate.getAsDouble()),
                  kind));
        }
      }
      double hits = meanHits(memory.of(kind));
      for (double level : plan.levels()) {
        ThroughputSearch.at(memory.of(kind), idle, level, 2 * plan.tolerance())
            .ifPresent(
                ops -> {
                  // A lower hit ratio can't serve more at the same usage.
                  bounds.put(level, 1.1 * ops);
                  points.add(new ReadPoint(hits, level, ops, near(kind, level)));
                });
      }
      done++;
      console.step(
          String.format(
              Locale.ROOT,
              "hit ratio %.3f (%,d records): %s reads/s at %s %%; %d of %d hit ratios done",
              hits,
              records,
              numbers(
                  points.stream()
                      .filter(p -> p.hitRatio() == hits)
                      .map(ReadPoint::opsPerSecond)
                      .toList(),
                  1),
              numbers(
                  points.stream().filter(p -> p.hitRatio() == hits).map(ReadPoint::level).toList(),
                  100),
              done,
              plan.hitRatios().size()));
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

  private List<UpdatePoint> updates(double idle, double cached) throws Exception {
    int records = (int) Math.min(bed.tenant(MAIN).records(), FITS * cached);
    TenantSpec some = bed.tenant(MAIN).scaled(records, bed.tenant(MAIN).threads(), null);
    String kind = "updates";
    for (double level : plan.levels()) {
      for (int probe = 0; probe < PROBES_MAX; probe++) {
        OptionalDouble rate =
            ThroughputSearch.next(memory.of(kind), idle, level, plan.tolerance(), UNBOUNDED);
        if (rate.isEmpty()) {
          break;
        }
        bed.limit(true);
        memory.add(
            kind,
            ask(
                some.asked(UPDATES, Distribution.UNIFORM, some.threads(), rate.getAsDouble()),
                kind));
      }
    }
    var points = new ArrayList<UpdatePoint>();
    for (double level : plan.levels()) {
      ThroughputSearch.at(memory.of(kind), idle, level, 2 * plan.tolerance())
          .ifPresent(ops -> points.add(new UpdatePoint(level, ops, near(kind, level))));
    }
    console.step(
        String.format(
            Locale.ROOT,
            "%s updates/s at %s %%",
            numbers(points.stream().map(UpdatePoint::opsPerSecond).toList(), 1),
            numbers(points.stream().map(UpdatePoint::level).toList(), 100)));
    return points;
  }

  /** A kind of scan that is measured. */
  private record ScanKind(String table, int longest, double share) {}

  private UsageModel.ScanCosts scans(UsageModel model, double cached) throws Exception {
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
            new ScanKind(MAIN, 159, low));
    var samples = new ArrayList<ScanRegression.Sample>();
    for (ScanKind scan : kinds) {
      samples.addAll(scans(model, scan, cached));
    }
    UsageModel.ScanCosts costs = ScanRegression.fit(samples);
    console.step(
        String.format(
            Locale.ROOT,
            "one scan a second: %.5f %% a row, %.5f a column, %.4f a cached block, %.4f another",
            100 * costs.row(),
            100 * costs.column(),
            100 * costs.blockHit(),
            100 * costs.blockMiss()));
    return costs;
  }

  private List<ScanRegression.Sample> scans(UsageModel model, ScanKind scan, double cached)
      throws Exception {
    TenantSpec whole = bed.tenant(scan.table());
    int records =
        scan.table().equals(MAIN)
            ? (int) Math.min(whole.records(), scan.share() * cached)
            : whole.records();
    TenantSpec some = whole.scaled(records, whole.threads(), null).scanning(scan.longest());
    String kind =
        String.format(
            Locale.ROOT, "scans of %d in %s, %d records", scan.longest(), scan.table(), records);
    boolean filled = false;
    while (memory.of(kind).size() < 2) {
      OptionalDouble rate =
          ThroughputSearch.next(memory.of(kind), model.idle(), SCAN_LEVEL, 0, UNBOUNDED / 100);
      if (rate.isEmpty()) {
        break;
      }
      if (!filled) {
        fill(some.asked(SCANS, Distribution.UNIFORM, some.threads(), null), kind);
        filled = true;
      }
      memory.add(
          kind,
          ask(some.asked(SCANS, Distribution.UNIFORM, some.threads(), rate.getAsDouble()), kind));
    }
    double length = (1 + scan.longest()) / 2.0;
    double rowsPerBlock = whole.blockSize() / (1_060.0 + 40 * (whole.fields() - 1));
    double blocks = 1 + (length - 1) / rowsPerBlock;
    var samples = new ArrayList<ScanRegression.Sample>();
    for (Measurement m : memory.of(kind)) {
      double single =
          model
              .predict(UsageModel.Load.ofReads(Math.min(1, m.hitRatio()), m.opsPerSecond()))
              .usage();
      samples.add(
          new ScanRegression.Sample(
              m.opsPerSecond(), length, whole.fields(), blocks, m.hitRatio(), m.usage() - single));
    }
    return samples;
  }

  /** What one byte a second costs: a compaction of known size on an otherwise idle node. */
  private UsageModel.CompactionCost compaction(double idle) throws Exception {
    String kind = "compaction";
    if (memory.of(kind).isEmpty()) {
      bed.limit(true);
      PartitionState region =
          bed.engine().snapshot().partitions().stream()
              .filter(p -> p.id().table().equals(SMALL_BLOCKS))
              .findFirst()
              .orElseThrow();
      PartitionId id = region.id();
      bed.engine().snapshot();
      long begun = System.nanoTime();
      bed.engine().compact(id, COMPACT_LIMIT);
      double seconds = (System.nanoTime() - begun) / 1e9;
      NodeUsage usage = bed.engine().snapshot().liveNodes().get(0).usage();
      memory.add(
          kind,
          new Measurement(
              region.sizeBytes() / seconds, usage.server(), usage.ioWait(), Double.NaN, seconds));
    }
    Measurement m = memory.of(kind).get(0);
    double perByte = Math.max(0, m.usage() - idle) / m.opsPerSecond();
    console.step(
        String.format(Locale.ROOT, "compacting 1 MB/s uses %.1f %% of the node", 100e6 * perByte));
    return new UsageModel.CompactionCost(perByte, REWRITES);
  }

  /** As fast as it goes, without limits, so that the cache holds what it would in the long run. */
  private void fill(TenantSpec tenant, String kind) throws Exception {
    bed.limit(false);
    bed.clearCaches();
    TenantSpec all =
        tenant.mix().scan() > 0
            ? tenant
            : tenant.asked(READS, Distribution.UNIFORM, tenant.threads(), null);
    try (Bed.Load load = bed.start(List.of(all))) {
      load.follow(console, kind + ": cache fills", plan.fill());
    }
    bed.limit(true);
  }

  private Measurement ask(TenantSpec tenant, String kind) throws Exception {
    try (Bed.Load load = bed.start(List.of(tenant))) {
      String label = String.format(Locale.ROOT, "%s, %.0f a second", kind, tenant.targetRate());
      load.follow(console, label + ": ramps up", plan.ramp());
      Measurement m = measurement(NodeWindow.measure(bed, load, console, label, plan.measure()));
      console.step(
          String.format(
              Locale.ROOT,
              "%s: %.0f ops/s use %.1f %%, of it %.1f %% I/O wait; hits %.1f %%",
              kind,
              m.opsPerSecond(),
              100 * m.usage(),
              100 * m.ioWait(),
              100 * m.hitRatio()));
      return m;
    }
  }

  private Measurement measurement(NodeWindow window) {
    return new Measurement(
        window.opsPerSecond(),
        window.usage().server(),
        window.usage().ioWait(),
        window.hitRatio(),
        plan.measure().toMillis() / 1e3);
  }

  private static String numbers(List<Double> values, double times) {
    return values.stream()
        .map(v -> String.format(Locale.ROOT, "%.0f", times * v))
        .reduce((a, b) -> a + "/" + b)
        .orElse("no");
  }

  /** Creates, loads and compacts the bed's tables on its one node. */
  static void prepare(Bed bed) throws IOException, EngineException {
    bed.applyProfile(0, Profile.READ);
    var placement = new TreeMap<Slot, Integer>();
    bed.tenants().forEach(t -> placement.put(new Slot(t.table(), 0), 0));
    bed.load(placement);
    // All rows in files, which is where blocks are.
    bed.compactAll();
  }
}
