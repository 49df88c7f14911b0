package io.trimtab.experiments.rivals;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.experiments.bed.RunningAutopilot;
import io.trimtab.experiments.placement.SixTenants;
import io.trimtab.experiments.placement.Strategy;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.NodeControl;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * RIVALS: the same six tenants, badly placed, under what operators run today and under policies;
 * then the load changes twice. Each run has a cluster of its own, and is kept at once.
 */
public final class Rivals {
  /** Before anybody acts: caches fill, then the level is measured. */
  static final Duration BEFORE = Duration.ofSeconds(150);

  static final Duration PLACED = Duration.ofSeconds(270);

  /** After a change of the load. */
  static final Duration CHANGED = Duration.ofSeconds(360);

  /** Within which a level shall be back then; shorter than the phase, so that it can be missed. */
  static final Duration BACK = Duration.ofSeconds(300);

  /** At the end of each phase. */
  static final Duration LEVEL = Duration.ofSeconds(30);

  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final int SAMPLES = 4;
  private static final Duration COOLDOWN = Duration.ofSeconds(60);

  /** Keys below get few requests after the hot spot has jumped to those above. */
  private static final double COLD_KEYS = 0.6;

  private static final double COLD_REQUESTS = 0.2;

  /** Tenants whose load is not that of the first phase, for each phase. */
  private static final List<Set<String>> OTHER_LOAD =
      List.of(Set.of(), Set.of(), Set.of("c"), Set.of("c", "f"));

  private final Console console;
  private final Path folder;
  private final int runs;
  private final long seed;
  private final String labName;
  private final boolean continued;
  private final TestbedSettings scale = TestbedSettings.standard();

  /**
   * @param runs of each rival
   * @param seed of the first run's placement
   * @param continued whether the runs that the folder holds are kept, and only the others are made
   */
  public Rivals(
      Console console, Path folder, int runs, long seed, String labName, boolean continued) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.seed = seed;
    this.labName = labName;
    this.continued = continued;
  }

  /**
   * @throws io.trimtab.config.UserError where the folder's runs can't be continued
   */
  public Path run() throws Exception {
    KeptRuns<RivalRun> kept =
        continued ? KeptRuns.read(folder, RivalRun.class, "RIVALS") : KeptRuns.none(folder);
    kept.madeWith(setting());
    // Not only when the first of these clusters starts, after two hours.
    NodeControl.checkSharedMemory(
        LabConfig.defaults()
            .withNodes(scale.nodes())
            .withBucketCache(scale.withBucketCache().bucketCache()),
        LabDir.SHARED_MEMORY);
    RivalReport report = new RivalReport(folder, runs, seed, setting());
    Rival[] all = Rival.values();
    for (int run = 1; run <= runs; run++) {
      for (int i = 0; i < all.length; i++) {
        // Each comes first in some run: the machine may change over the hours.
        Rival rival = all[(i + run - 1) % all.length];
        int number = run;
        boolean made =
            kept.runs().stream()
                .anyMatch(
                    r ->
                        r.rival().equals(rival.toString())
                            && r.run() == number
                            && r.failure().isEmpty());
        if (!made) {
          kept.add(measure(rival, run));
          // What is known is not lost where the rest is cut off.
          report.write(kept.runs());
        }
      }
    }
    return report.write(kept.runs());
  }

  /**
   * A rival under which a cluster breaks is kept as a run that failed, and told by the report: left
   * out or made again in silence, only its lucky runs would count.
   *
   * @throws Exception where the cluster can't even be made ready, which is no rival's doing
   */
  private RivalRun measure(Rival rival, int run) throws Exception {
    long placed = seed + run - 1;
    String label = rival + ", run " + run + " of " + runs;
    console.step(label);
    TestbedSettings nodes = rival.bucketCache() ? scale.withBucketCache() : scale;
    try (HBaseTestbed bed =
        HBaseTestbed.open(nodes, SixTenants.spec(nodes), rival.site(), labName, console)) {
      new SixTenants(bed, console).prepare(Strategy.RANDOM_HOMOGENEOUS, placed);
      Phases phases = new Phases(bed, console, label, placed);
      Done done = Done.NOTHING;
      List<Double> cached = List.of();
      String verified = "";
      String failure = "";
      try {
        done = run(rival, bed, phases, label);
        cached = rival.bucketCache() ? CachedShares.told(bed) : List.of();
        verified = bed.verify();
        if (!verified.endsWith(HBaseTestbed.NOTHING_LOST)) {
          failure = verified;
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (shuttingDown()) {
          throw e;
        }
        failure = e.toString();
        console.step(label + ": failed: " + failure);
      }
      RivalRun made =
          new RivalRun(
              rival.toString(),
              run,
              placed,
              phases.results(),
              done.plans(),
              done.actions(),
              verified,
              LocalDate.now(ZoneOffset.UTC).toString(),
              Machine.describe(),
              cached,
              failure);
      made.phases().forEach(phase -> tell(label, phase));
      return made;
    }
  }

  private void tell(String label, RivalRun.PhaseResult phase) {
    console.step(
        String.format(
            Locale.ROOT,
            "%s, %s: %.0f ops/s geometric mean, %.0f in all; %d moves",
            label,
            phase.title(),
            phase.level(),
            phase.sum(),
            phase.moves()));
  }

  /** What a controller has done. */
  private record Done(int plans, List<String> actions) {
    private static final Done NOTHING = new Done(0, List.of());
  }

  private Done run(Rival rival, HBaseTestbed bed, Phases phases, String label) throws Exception {
    try (MovedPartitions moved = new MovedPartitions(bed.engine())) {
      List<TenantSpec> load = bed.tenants();
      phases.run("before", load, BEFORE, LEVEL, moved);
      Optional<RunningAutopilot> acting = start(rival, bed, phases, label);
      try {
        phases.run("badly placed", load, PLACED, LEVEL, moved);
        load = readerWrites(load);
        phases.run("c writes instead of reading", load, CHANGED, LEVEL, moved);
        load = hotSpotJumps(load);
        phases.run("f's hot spot jumps", load, CHANGED, LEVEL, moved);
        return acting.map(a -> new Done(a.plans(), a.actions())).orElse(Done.NOTHING);
      } finally {
        if (acting.isPresent()) {
          acting.get().close();
        } else {
          bed.engine().setBalancer(BalancerState.PAUSED);
        }
      }
    }
  }

  /** Whether the cluster goes down because this process does, which is no failure of a rival. */
  private static boolean shuttingDown() {
    Thread none = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(none);
      Runtime.getRuntime().removeShutdownHook(none);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Starts a policy's controller; none where HBase's balancer decides, which is switched on. */
  private Optional<RunningAutopilot> start(
      Rival rival, HBaseTestbed bed, Phases phases, String label) throws EngineException {
    Optional<Settings> settings = rival.policy().map(policy -> settings(bed.size()).with(policy));
    if (settings.isEmpty()) {
      bed.engine().setBalancer(new BalancerState(true, true));
      return Optional.empty();
    }
    return Optional.of(new RunningAutopilot(bed, phases, console, label, settings.get()));
  }

  /** Minutes instead of half hours, as in E2; nodes stay as many as they are. */
  private static Settings settings(int nodes) {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(PERIOD).samples(SAMPLES).build())
        .with(PlaceSettings.builder().whenHealthy(true).build())
        .with(
            GuardSettings.builder()
                .maxConcurrentMoves(1)
                .minNodes(nodes)
                .maxNodes(nodes)
                .cooldown(COOLDOWN)
                .build());
  }

  /** Tenants whose load is not that of the first phase. */
  static Set<String> otherLoad(int phase) {
    return OTHER_LOAD.get(phase);
  }

  private static TenantSpec named(List<TenantSpec> tenants, String name) {
    return tenants.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<TenantSpec> with(List<TenantSpec> tenants, TenantSpec other) {
    return tenants.stream().map(t -> t.name().equals(other.name()) ? other : t).toList();
  }

  private List<TenantSpec> readerWrites(List<TenantSpec> tenants) {
    TenantSpec reader = named(tenants, "c");
    // Buffered writes have no disk limit in control groups v1: few threads, as of tenant b.
    return with(
        tenants,
        reader.asked(
            new Mix(null, 1.0, null, null, null),
            reader.distribution(),
            scale.updateThreads(),
            null));
  }

  private static List<TenantSpec> hotSpotJumps(List<TenantSpec> tenants) {
    TenantSpec mixed = named(tenants, "f");
    return with(
        tenants,
        mixed.asked(
            mixed.mix(),
            new Distribution(Distribution.Kind.HOTSPOT, COLD_KEYS, COLD_REQUESTS),
            mixed.threads(),
            null));
  }

  /** What differs on nodes with a bucket cache; the rest is as on the others. */
  static List<String> bucketSetting() {
    TestbedSettings nodes = TestbedSettings.standard().withBucketCache();
    return List.of(
        ("each node has %s heap and %s bucket cache, which is as much as the block cache of the"
                + " other nodes, out of the same memory; memstores have as much as there; the cache"
                + " is a file in memory")
            .formatted(nodes.heap(), nodes.bucketCache()),
        "both balancers: hbase.rs.prefetchblocksonopen, so that it is told what is cached; a region"
            + " that comes is read within the node's disk limit",
        "CacheAwareLoadBalancer: its costs at their defaults; it waits 12 s instead of 60 s between"
            + " moves that lose a cache (hbase.master.balancer.move.throttlingMillis)",
        "what is cached of a region, as servers tell: HBase 2.6.4 adds each block that comes and"
            + " takes away whole files only, so that it may be more than 1");
  }

  private List<String> setting() {
    return List.of(
        "HBase %s; %d nodes, each %s heap, %.2f cores, %s memory, %d reads/s from disk"
            .formatted(
                org.apache.hadoop.hbase.util.VersionInfo.getVersion(),
                scale.nodes(),
                scale.heap(),
                scale.cores(),
                scale.memory(),
                scale.readIops()),
        ("six tenants as in E1, %,d records each (d: a tenth), placed at random (seed %d for the"
                + " first run) on homogeneous nodes")
            .formatted(scale.records(), seed),
        ("%d s before anybody acts, %d s after that, %d s after each change; levels are of the last"
                + " %d s")
            .formatted(
                BEFORE.toSeconds(), PLACED.toSeconds(), CHANGED.toSeconds(), LEVEL.toSeconds()),
        ("first change: c updates (%d threads) instead of reading; second: %.0f %% of f's requests"
                + " go to the last %.0f %% of its keys")
            .formatted(scale.updateThreads(), 100 * (1 - COLD_REQUESTS), 100 * (1 - COLD_KEYS)),
        ("HBase's balancer and normalizer: every 60 s, tables normalized; by requests: the costs of"
                + " read and write requests 500 instead of 5; policies: a sample every %d s, %d for"
                + " a decision, cooldown %d s, one move at a time, as many nodes as there are;"
                + " HBase's balancer is on until a policy's first plan, and what it moves until"
                + " then counts as the policy's")
            .formatted(PERIOD.toSeconds(), SAMPLES, COOLDOWN.toSeconds()));
  }
}
