package io.trimtab.bench;

import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.testkit.load.NodeModel;
import java.time.Duration;
import java.util.ArrayList;
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
 * One decision of the {@code autopilot} policy about a large cluster of which one node in fifty is
 * overloaded, with all alternatives, in a heap of 1 GiB that holds the snapshot, the block access
 * counts and the plan too. A single call is timed: a controller decides once in minutes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 2)
@Measurement(iterations = 3)
public class ChoiceBenchmark {
  private static final int OVERLOADED = 50;
  private static final double SECONDS = 150e-6;
  private static final long CACHE = 4L << 30;

  /** Blocks of each partition that were asked for, and how often together. */
  private static final int BLOCKS = 20_000;

  @Param({"100:10000", "1000:100000"})
  public String size;

  /**
   * What usage is predicted from: a model and block access counts, costs that were learned and
   * these counts, which is what decides by default, or requests alone.
   */
  @Param({"model", "learned", "requests"})
  public String basis;

  /** Nodes that answer late. */
  @Param("0")
  public int slow;

  private Observation.Usable seen;
  private Settings settings;

  @Setup
  public void setUp() {
    int colon = size.indexOf(':');
    int nodes = Integer.parseInt(size.substring(0, colon));
    int partitions = Integer.parseInt(size.substring(colon + 1));
    LargeCluster cluster = new LargeCluster();
    for (int i = 0; i < nodes; i++) {
      cluster.node(Profile.HOMOGENEOUS, true, gauges());
    }
    Random random = cluster.random;
    // So that a node that is not overloaded is used to one half.
    double mean = 0.5 / SECONDS * nodes / partitions / Math.exp(0.5);
    double[] asked = new double[nodes];
    List<BlockHistogram> blocks = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      int at = random.nextInt(nodes);
      double scale = (at % OVERLOADED == 0 ? 1.8 : 1) * mean * Math.exp(random.nextGaussian());
      Rates rate = i % 2 == 0 ? new Rates(scale, 0, 0, 0) : new Rates(scale / 2, 0, 0, scale / 2);
      asked[at] += scale;
      PartitionId id = cluster.partition(at, random.nextInt(2_000_000_000), rate);
      if (!basis.equals("requests")) {
        blocks.add(BlockHistogram.ofReads(id, bins(random), 65_536));
      }
    }
    Observation.Usable bare = cluster.seen(n -> Math.min(1, asked[n] * SECONDS));
    List<SlowPeer> late = new ArrayList<>();
    for (int i = 0; i < slow; i++) {
      NodeId id = cluster.nodes.get(1 + i * (nodes - 1) / slow).id();
      late.add(new SlowPeer(id, List.of("99th percentile"), 6, Duration.ofMinutes(20)));
    }
    Observation.Usable all = bare.withSlowPeers(late);
    seen =
        switch (basis) {
          case "model" -> all.with(blocks, NodeModel.usage());
          case "learned" -> all.withBlocks(blocks).with(Optional.of(LearnedNodes.alike(learned())));
          default -> all;
        };
    settings =
        Settings.defaults()
            .with(PlaceSettings.builder().way(Action.ApplyMode.ONLINE).build())
            .with(GuardSettings.builder().maxNodes(2 * nodes).build());
  }

  /** What reads, misses and updates cost, from samples of four hours. */
  private static LearnedCosts learned() {
    Random random = new Random(5);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      double reads = 4_000 * random.nextDouble();
      double updates = 2_000 * random.nextDouble();
      double misses = Math.min(reads, 200 * random.nextDouble());
      double cpu = 0.03 + SECONDS * (reads + updates) + 40e-6 * misses;
      learner = learner.with(new CostSample(reads, 0, 0, misses, updates, cpu, 3e-3 * misses));
    }
    return learner.costs();
  }

  /** Zipf's counts of blocks, as few requests as there are blocks to some hundreds of each. */
  private static List<BlockHistogram.Bin> bins(Random random) {
    double requests = BLOCKS * Math.exp(random.nextGaussian());
    double scale = requests / Math.log(BLOCKS);
    List<BlockHistogram.Bin> bins = new ArrayList<>();
    int rank = 1;
    while (rank <= BLOCKS) {
      double count = Math.rint(scale / rank);
      int last = count > 0 ? (int) Math.min(BLOCKS, scale / (count - 0.5)) : BLOCKS;
      last = Math.max(rank, last);
      bins.add(new BlockHistogram.Bin(count, last - rank + 1));
      rank = last + 1;
    }
    return bins;
  }

  private static NodeGauges gauges() {
    return new NodeGauges(-1, -1, 10L << 30, -1, -1, CACHE, CACHE, -1, -1, 0, 0, -1, Map.of());
  }

  @Benchmark
  public Decision decide() {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings);
  }
}
