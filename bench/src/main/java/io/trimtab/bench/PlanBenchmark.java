package io.trimtab.bench;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeGauges;
import java.util.List;
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
    LargeCluster cluster = new LargeCluster();
    boolean grow = decision.equals("grow");
    for (int i = 0; i < nodes; i++) {
      Profile profile = grow ? Profile.STANDARD.get(i % 4) : Profile.HOMOGENEOUS;
      cluster.node(profile, !decision.equals("restart"), NodeGauges.UNKNOWN);
    }
    Random random = cluster.random;
    for (int i = 0; i < partitions; i++) {
      int at = random.nextInt(nodes);
      double scale = 100 * Math.exp(random.nextGaussian());
      // On a grouped cluster a partition is used as its node is configured for.
      Rates rate = rates(grow ? at % 4 : random.nextInt(4), scale);
      cluster.partition(at, random.nextInt(2_000_000_000), rate);
    }
    seen = cluster.seen(node -> 0.9);
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
