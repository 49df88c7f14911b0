package io.trimtab.calibrate;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.NodeSpec;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.Testbed;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.models.usage.ReadBounds;
import io.trimtab.models.usage.ThroughputSearch;
import io.trimtab.models.usage.UsageModel.Measurement;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Puts loads on the one node of a bed, and measures what they use of it. */
public final class ModelNode {
  private static final Mix READS = new Mix(1.0, null, null, null, null);
  private static final Mix UPDATES = new Mix(null, 1.0, null, null, null);
  private static final Mix SCANS = new Mix(null, null, null, 1.0, null);

  /** Requests per second that no load of a small node comes near. */
  private static final double UNBOUNDED = 20_000;

  private static final int PROBES_MAX = 4;
  private static final double SCAN_LEVEL = 0.4;
  private static final int SCAN_PROBES = 2;

  /** For the compactions of small files that a flush begins. */
  private static final Duration FLUSHED = Duration.ofSeconds(4);

  private static final Duration COMPACT_LIMIT = Duration.ofMinutes(5);

  private final Testbed bed;
  private final Console console;
  private final ModelPlan plan;
  private final MeasurementFile memory;
  private double cached;

  /**
   * @param memory of all nodes together
   */
  public ModelNode(Testbed bed, Console console, ModelPlan plan, MeasurementFile memory) {
    this.bed = bed;
    this.console = console;
    this.plan = plan;
    this.memory = memory;
  }

  Testbed bed() {
    return bed;
  }

  /** Makes a node that has just been loaded ready to be measured. */
  public void begin() throws Exception {
    bed.engine().startCounting();
    workIn();
    cached = bed.cachedRecords(main());
    console.step(String.format(Locale.ROOT, "the cache holds %,.0f records", cached));
  }

  /**
   * Every kind of request, as fast as it goes, without limits: a server that has never worked runs
   * interpreted code and compiles it beside the load, which at a third of a core takes many minutes
   * and would be what is measured.
   */
  private void workIn() throws Exception {
    bed.limit(false);
    List<Mix> mixes =
        plan.scans() ? List.of(READS, UPDATES, SCANS, READS) : List.of(READS, UPDATES, READS);
    for (Mix mix : mixes) {
      TenantSpec main = main();
      try (TestbedLoad load =
          bed.start(List.of(main.asked(mix, Distribution.UNIFORM, main.threads(), null)))) {
        load.follow(console, "the node warms up", plan.workIn());
      }
    }
    // The updates' files and the caches are as before.
    bed.compactAll();
    bed.limit(true);
  }

  /** Usage without any load. */
  double idle() throws Exception {
    String kind = "idle";
    if (memory.of(kind).isEmpty()) {
      bed.limit(true);
      bed.pause(console, "idle: settles", plan.ramp());
      // It is part of everything, and hardly anything happens in a single measurement's time.
      Duration time = plan.measure().multipliedBy(2);
      memory.add(kind, measurement(NodeWindow.idle(bed, console, "idle", time), time));
    }
    return memory.of(kind).get(0).usage();
  }

  private double unbounded() {
    return UNBOUNDED * NodeSpec.scale(bed.cores());
  }

  private TenantSpec main() {
    return bed.tenant(ModelBuilder.MAIN);
  }

  /** How much is read at each level of usage, at a hit ratio. */
  void reads(double targetHitRatio, double idle, ReadBounds bounds) throws Exception {
    double share = targetHitRatio >= 1 ? ModelBuilder.FITS : 1 / targetHitRatio;
    int records = (int) Math.min(main().records(), share * cached);
    TenantSpec some = main().scaled(records, main().threads(), null);
    String kind = ModelBuilder.reads(targetHitRatio);
    boolean filled = false;
    for (double level : plan.levels()) {
      for (int probe = 0; probe < PROBES_MAX; probe++) {
        // Another node may have found a tighter bound meanwhile.
        double bound = Math.min(unbounded(), bounds.of(targetHitRatio, level));
        OptionalDouble rate =
            ThroughputSearch.next(memory.of(kind), idle, level, plan.tolerance(), bound);
        if (rate.isEmpty()) {
          break;
        }
        if (!filled) {
          fill(some, kind);
          filled = true;
        }
        memory.add(
            kind,
            ask(some.asked(READS, Distribution.UNIFORM, some.threads(), rate.getAsDouble()), kind));
      }
      ThroughputSearch.at(memory.of(kind), idle, level, 2 * plan.tolerance())
          .ifPresent(ops -> bounds.found(targetHitRatio, level, ops));
    }
    console.step(String.format(Locale.ROOT, "%s: measured (%,d records)", kind, records));
  }

  /** How much is updated at each level of usage. */
  void updates(double idle) throws Exception {
    int records = (int) Math.min(main().records(), ModelBuilder.FITS * cached);
    TenantSpec some = main().scaled(records, main().threads(), null);
    String kind = ModelBuilder.UPDATES;
    for (double level : plan.levels()) {
      for (int probe = 0; probe < PROBES_MAX; probe++) {
        OptionalDouble rate =
            ThroughputSearch.next(memory.of(kind), idle, level, plan.tolerance(), unbounded());
        if (rate.isEmpty()) {
          break;
        }
        // A flush or a compaction in one window and none in the next would be most of what is
        // measured; what they cost is in the compaction term.
        bed.flush(some.table());
        bed.pause(console, kind + ": waiting for minor compactions", FLUSHED);
        bed.limit(true);
        memory.add(
            kind,
            ask(
                some.asked(UPDATES, Distribution.UNIFORM, some.threads(), rate.getAsDouble()),
                kind));
      }
    }
  }

  /** A few rates of one kind of scan. */
  void scans(ScanKind scan, double idle) throws Exception {
    TenantSpec fullTable = bed.tenant(scan.table());
    int records =
        scan.table().equals(ModelBuilder.MAIN)
            ? (int) Math.min(fullTable.records(), scan.share() * cached)
            : fullTable.records();
    TenantSpec some =
        fullTable
            .scaled(records, fullTable.threads(), null)
            .scanning(scan.longest(), scan.rowsPerCall());
    String kind = scan.name();
    boolean filled = false;
    while (memory.of(kind).size() < SCAN_PROBES) {
      OptionalDouble rate =
          ThroughputSearch.next(memory.of(kind), idle, SCAN_LEVEL, 0, unbounded() / 100);
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
  }

  /** A compaction of known size on an otherwise idle node. */
  void compaction() throws Exception {
    String kind = ModelBuilder.COMPACTION;
    if (!memory.of(kind).isEmpty()) {
      return;
    }
    bed.limit(true);
    // A ring's tables are in a keyspace, which comes before the name.
    String table = bed.tenant(ModelBuilder.SMALL_BLOCKS).table();
    PartitionState region =
        bed.engine().snapshot().partitions().stream()
            .filter(p -> p.id().table().matches("(.*\\.)?" + Pattern.quote(table)))
            .findFirst()
            .orElseThrow();
    PartitionId id = region.id();
    bed.measured();
    long begun = System.nanoTime();
    bed.engine().compact(id, COMPACT_LIMIT);
    double seconds = (System.nanoTime() - begun) / 1e9;
    NodeUsage usage = bed.measured().usage();
    if (!usage.known()) {
      throw new EngineException(kind + ": what the node was used meanwhile is not known");
    }
    memory.add(
        kind,
        new Measurement(
            region.sizeBytes() / seconds,
            usage.server(),
            usage.ioWait(),
            Double.NaN,
            seconds,
            usage.waitSource().name()));
  }

  /** As fast as it goes, without limits, so that the cache holds what it would in the long run. */
  private void fill(TenantSpec tenant, String kind) throws Exception {
    bed.limit(false);
    bed.clearCaches();
    TenantSpec all =
        tenant.mix().scan() > 0
            ? tenant
            : tenant.asked(READS, Distribution.UNIFORM, tenant.threads(), null);
    try (TestbedLoad load = bed.start(List.of(all))) {
      load.fill(bed, console, kind + ": filling the cache", plan.fill());
    }
    bed.limit(true);
  }

  private Measurement ask(TenantSpec tenant, String kind) throws Exception {
    try (TestbedLoad load = bed.start(List.of(tenant))) {
      String label = String.format(Locale.ROOT, "%s, %.0f per second", kind, tenant.targetRate());
      load.follow(console, label + ": ramping up", plan.ramp());
      Measurement m =
          measurement(
              NodeWindow.measure(bed, load, console, label, plan.measure()), plan.measure());
      console.step(
          String.format(
              Locale.ROOT,
              "%s: %.0f ops/s use %.1f %%, including %.1f %% I/O wait; hit ratio %.1f %%",
              kind,
              m.opsPerSecond(),
              100 * m.usage(),
              100 * m.ioWait(),
              100 * m.hitRatio()));
      return m;
    }
  }

  private static Measurement measurement(NodeWindow window, Duration time) {
    return new Measurement(
        window.opsPerSecond(),
        window.usage().server(),
        window.usage().ioWait(),
        window.hitRatio(),
        time.toMillis() / 1e3,
        window.usage().waitSource().name());
  }
}
