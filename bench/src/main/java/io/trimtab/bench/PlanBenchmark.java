package io.trimtab.bench;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One decision of the {@code met-1} policy about a large cluster, in a heap of 1 GiB that holds the
 * snapshot, the rates and the plan too. A single call is timed: a controller plans once in minutes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class PlanBenchmark {
  @Param("1000")
  public int nodes;

  @Param("100000")
  public int partitions;

  /**
   * {@code initial}: everything is placed anew; {@code restart}: the same where profiles need
   * restarts; {@code grow}: a grouped cluster gets one node more.
   */
  @Param({"initial", "restart", "grow"})
  public String decision;

  private Observation.Usable seen;
  private PolicyState state;
  private Settings settings;

  @Setup
  public void setUp() {
    Random random = new Random(1);
    boolean grow = decision.equals("grow");
    List<NodeState> nodeStates = new ArrayList<>();
    Map<NodeId, Double> usage = new HashMap<>();
    for (int i = 0; i < nodes; i++) {
      NodeId id = new NodeId("10.0.%d.%d:16020".formatted(i / 250, i % 250));
      Profile profile = grow ? Profile.STANDARD.get(i % 4) : Profile.HOMOGENEOUS;
      nodeStates.add(
          new NodeState(
              id,
              1,
              true,
              false,
              Optional.of(profile),
              !decision.equals("restart"),
              new NodeUsage(0.8, 0.1, 0.1, 1),
              NodeGauges.UNKNOWN));
      usage.put(id, 0.9);
    }
    List<PartitionState> states = new ArrayList<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < partitions; i++) {
      PartitionId id = new PartitionId("table" + i % 200, "%032x".formatted(i * 2_654_435_761L));
      int at = random.nextInt(nodes);
      double scale = 100 * Math.exp(random.nextGaussian());
      // On a grouped cluster a partition is used as its node is configured for.
      Rates rate = rates(grow ? at % 4 : random.nextInt(4), scale);
      states.add(
          new PartitionState(
              id,
              Optional.of(nodeStates.get(at).id()),
              PartitionCounters.ZERO,
              random.nextInt(2_000_000_000),
              1,
              32768,
              KeyRange.ALL));
      rates.put(id, rate);
    }
    seen =
        new Observation.Usable(
            new ClusterSnapshot(
                Instant.EPOCH,
                "bench",
                "hbase",
                Ownership.ASSIGNED,
                "2.6.4",
                3,
                nodeStates,
                states,
                0,
                List.of(),
                new BalancerState(true, true),
                List.of()),
            rates,
            usage,
            usage,
            List.of());
    state = grow ? new PolicyState(1, false, List.of(), List.of()) : PolicyState.INITIAL;
    settings = settings(2 * nodes);
  }

  private static Settings settings(int nodesMax) {
    return Settings.defaults()
        .with(PlaceSettings.builder().way(Action.ApplyMode.ONLINE).build())
        .with(GuardSettings.builder().maxNodes(nodesMax).build());
  }

  private static Rates rates(int kind, double scale) {
    return switch (Profile.STANDARD.get(kind).name()) {
      case "READ" -> new Rates(scale, 0, 0, 0);
      case "WRITE" -> new Rates(0, 0, 0, scale);
      case "SCAN" -> new Rates(0, scale, 100 * scale, 0);
      default -> new Rates(scale, 0, 0, scale);
    };
  }

  @Benchmark
  public Decision decide() {
    return Policies.MET_1.decide(seen, state, settings);
  }
}
