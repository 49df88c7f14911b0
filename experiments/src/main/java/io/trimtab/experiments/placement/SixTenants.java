package io.trimtab.experiments.placement;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.experiments.bed.RunTime;
import io.trimtab.experiments.bed.RunningAutopilot;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.PartitionSlot;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The six tenants of E1 on a testbed (Cruz 2016, §3.1.1): placed by a strategy, with or without the
 * autopilot at work.
 */
public final class SixTenants {
  public static final List<String> TENANTS = List.of("a", "b", "c", "d", "e", "f");

  private static final Duration BLOCK_SIZE_LIMIT = Duration.ofMinutes(10);

  private final HBaseTestbed bed;
  private final Console console;

  public SixTenants(HBaseTestbed bed, Console console) {
    this.bed = bed;
    this.console = console;
  }

  /** The tenants of E1 at the bed's scale. */
  public static WorkloadSpec spec(TestbedSettings settings) {
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

  public static String describeTenant(String tenant) {
    return switch (tenant) {
      case "a" -> "a  50 % read, 50 % update";
      case "b" -> "b  100 % update";
      case "c" -> "c  100 % read";
      case "d" -> "d  5 % read, 95 % insert, capped";
      case "e" -> "e  95 % scan, 5 % insert";
      default -> "f  50 % read, 50 % read-modify-write";
    };
  }

  private Map<PartitionSlot, Integer> placement(Strategy strategy, long seed) {
    return switch (strategy) {
      case RANDOM_HOMOGENEOUS -> Placements.random(bed.slots(), bed.size(), seed);
      case MANUAL_HOMOGENEOUS -> Placements.manualHomogeneous();
      case MANUAL_HETEROGENEOUS -> Placements.manualHeterogeneous();
    };
  }

  /** The six tenants' tables, placed. */
  public void loadPlaced(Strategy strategy, long seed) throws IOException, EngineException {
    console.step("creating six tables and placing them: " + strategy);
    bed.load(placement(strategy, seed));
  }

  /** Gives the cluster a strategy's placement, profiles, block sizes and local, compact files. */
  public void prepare(Strategy strategy, long seed) throws IOException, EngineException {
    if (!bed.loaded()) {
      loadPlaced(strategy, seed);
    }
    console.step("preparing " + strategy);
    // Each run meets the cluster for the first time.
    StateDir state = StateDir.of(bed.engine().snapshot().clusterId());
    Tenure.forget(bed.engine(), state, Clock.systemUTC().instant());
    state.forget();
    bed.limit(false);
    boolean heterogeneous = strategy == Strategy.MANUAL_HETEROGENEOUS;
    profiles(heterogeneous);
    for (String table : bed.tables()) {
      Profile profile =
          !heterogeneous
              ? Profile.HOMOGENEOUS
              : switch (table) {
                case "b", "d" -> Profile.WRITE;
                case "e" -> Profile.SCAN;
                default -> Profile.READ;
              };
      bed.engine().setBlockSize(table, profile.blockSizeBytes(), BLOCK_SIZE_LIMIT);
    }
    bed.arrange(placement(strategy, seed));
  }

  private void profiles(boolean heterogeneous) throws EngineException {
    if (bed.settings().bucketCache().value() > 0) {
      if (heterogeneous) {
        throw new IllegalArgumentException("nodes with a bucket cache keep their memory");
      }
      // They have started with theirs, and their bucket caches keep their size.
      return;
    }
    List<NodeId> nodes = bed.nodes();
    for (int i = 0; i < nodes.size(); i++) {
      Profile profile = heterogeneous ? Placements.manualProfiles().get(i) : Profile.HOMOGENEOUS;
      bed.applyProfile(i, profile);
      bed.provider().persist(nodes.get(i), profile);
    }
  }

  /** A run without the autopilot. */
  public RunResult measure(String label, long seed, Duration warm, Duration measure)
      throws Exception {
    try (TestbedLoad load = bed.start()) {
      load.follow(console, label + ": filling caches", warm);
      int from = load.second();
      load.follow(console, label, measure);
      return load.finish(label, seed, from, load.second());
    }
  }

  /** Starts the autopilot beside a load, where HBase's own balancer is on. */
  public RunningAutopilot autopilot(
      TestbedLoad load, Console console, String label, Settings settings) throws EngineException {
    return new RunningAutopilot(
        bed, RunTime.of(load), console, label, settings, new BalancerState(true, true));
  }

  /**
   * The thesis samples every 30 s, six times; runs here are minutes, not half an hour. One
   * partition moves at a time, so that a closed-loop tenant waits for one only; two where nodes
   * restart, which moves all of a node's partitions twice.
   */
  public Settings careful(Action.ApplyMode way) {
    return settings(Duration.ofSeconds(5), way, true, way == Action.ApplyMode.ONLINE ? 1 : 2);
  }

  /** For the short demo: block sizes, whose change reopens every partition, stay as they are. */
  public Settings brief() {
    return settings(Duration.ofSeconds(3), Action.ApplyMode.ONLINE, false, 2);
  }

  private Settings settings(Duration period, Action.ApplyMode way, boolean blockSizes, int moves) {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(period).samples(4).build())
        .with(PlaceSettings.builder().way(way).blockSizes(blockSizes).whenHealthy(true).build())
        // What the thesis's autopilot could not do is measured by E6.
        .with(SplitSettings.builder().enabled(false).build())
        .with(GuardSettings.builder().maxConcurrentMoves(moves).maxNodes(bed.size()).build())
        // What E2 and the demo have always been made with.
        .with(Policies.MET_1);
  }

  /** Adds everything that is needed to repeat a measurement. */
  public void describe(ExperimentReport report, Duration warm, Duration measure) {
    var more =
        new ArrayList<>(
            List.of(
                "%,d records of 1,000 bytes in one column per tenant (d: a tenth); every"
                        .formatted(bed.settings().records())
                    + " block is read once before the tenants start; compactions cache what they"
                    + " write; hotspot 50 % of requests on 40 % of keys; partitions get 31, 27, 21"
                    + " and 21 % of a tenant's requests",
                "%d closed-loop threads for each of a, c, e, f; %d for b; d capped at %d ops/s"
                    .formatted(
                        bed.settings().threads(),
                        bed.settings().updateThreads(),
                        bed.settings().insertRate()),
                "profiles: block cache 39 % and memstore 26 % of the heap on homogeneous nodes (the"
                    + " profiles' common budget of 65 % split 60:40), thesis Table 3.1 on the"
                    + " others"));
    more.add(
        warm.isZero()
            ? "per-second series in the JSON file next to this report"
            : "%d s to fill the caches, then %d s measured"
                .formatted(warm.toSeconds(), measure.toSeconds()));
    report.heading("Setting");
    report.list(bed.setting(more));
  }
}
