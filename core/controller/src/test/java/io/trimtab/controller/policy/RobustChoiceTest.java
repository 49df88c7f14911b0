package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.HourAfter;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.testkit.Seeds;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.NodeModel;
import io.trimtab.testkit.load.TableSpec;
import io.trimtab.testkit.oracle.PlanRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * By a model that is wrong by a fifth nothing is chosen that is worse than to stay.
 *
 * <p>What is worse is told by what the cluster does in the hour after the decision, the change
 * included: its law is the truth, which no model has. It counts as the decision counts, in nodes:
 * those that there are at the end, and by the weight of losses the share of the requests that was
 * not served, all tables alike, and what nodes are then used beyond the target. So a node that was
 * given back may have cost as much as it saves, and the most used node may be used more as long as
 * it is below the target.
 *
 * <p>Where all costs are wrong alike, what nodes are seen to use takes the error out again. So most
 * errors here are of some requests only, or of how many blocks are asked for.
 */
class RobustChoiceTest {
  /** Clusters that are drawn, beside those that are made for one kind of change each. */
  private static final int DRAWN = 8;

  /** The same that are asked for more, so that nodes lack. */
  private static final int DRAWN_FULL = 10;

  /** Models whose counts of blocks are wrong, each otherwise. */
  private static final int MISCOUNTED = 4;

  private static final double MORE = 1.2;
  private static final double LESS = 0.8;

  /** Share of the requests; usage is told with 2 % of noise. */
  private static final double TOLERATED = 0.02;

  /** Of the most used node; an error that shows less is none. */
  private static final double SHOWS = 0.001;

  private static final Wrong RIGHT = Wrong.costs("nothing", 1, 1, 1);

  /** Plans are for the nodes that there are. */
  private static List<Bed> beds;

  /** Clusters of which most lack nodes; plans may add two. */
  private static List<Bed> growing;

  /**
   * What is known wrongly.
   *
   * @param seed of wrong counts of blocks; negative where they are right
   */
  record Wrong(String title, double read, double miss, double update, long seed) {
    static Wrong costs(String title, double read, double miss, double update) {
      return new Wrong(title, read, miss, update, -1);
    }

    static Wrong counts(long seed) {
      return new Wrong("counts of blocks, seed " + seed, 1, 1, 1, seed);
    }

    UsageModel model() {
      return NodeModel.usage(read, miss, update);
    }

    List<BlockHistogram> counted(List<BlockHistogram> blocks) {
      Random random = Seeds.random(seed);
      return seed < 0 ? blocks : blocks.stream().map(each -> miscounted(each, random)).toList();
    }

    /**
     * Wrong by partition in how many blocks are asked for, and by group of them in how often. That
     * all of a partition's are asked more often would say nothing: its rates say how often.
     */
    private static BlockHistogram miscounted(BlockHistogram counted, Random random) {
      double blocks = wrong(random);
      return new BlockHistogram(
          counted.partition(),
          counted.bins().stream()
              .map(
                  bin -> new BlockHistogram.Bin(wrong(random) * bin.count(), blocks * bin.blocks()))
              .toList(),
          counted.blockBytes(),
          counted.scans(),
          counted.scanCalls(),
          counted.scanRows(),
          counted.scanCells(),
          counted.scanBlocks());
    }

    private static double wrong(Random random) {
      return random.nextBoolean() ? MORE : LESS;
    }

    @Override
    public String toString() {
      return title;
    }
  }

  /**
   * A cluster before a decision.
   *
   * @param right what is decided where nothing is wrong
   * @param staying what it comes to if nothing is done, in nodes
   * @param changed the same by what was done
   */
  private record Bed(
      ClusterSpec spec,
      Settings settings,
      Observation.Usable seen,
      Decision right,
      double staying,
      Map<List<Action>, Double> changed) {
    /** One to which plans may add so many nodes. */
    static Bed of(ClusterSpec spec, int more) throws Exception {
      Settings settings =
          Settings.defaults()
              .with(Policies.AUTOPILOT)
              .with(GuardSettings.builder().maxNodes(spec.nodes() + more).build());
      InMemoryCluster cluster = HourAfter.begun(spec);
      Observation.Usable seen =
          HourAfter.observed(cluster, settings)
              .with(cluster.engine().splitHints())
              .withBlocks(cluster.engine().histograms());
      return new Bed(
          spec,
          settings,
          seen,
          decide(seen, settings, RIGHT),
          HourAfter.cost(cluster, spec, settings),
          new HashMap<>());
    }

    Decision decided(Wrong wrong) {
      return decide(seen, settings, wrong);
    }

    /** What it comes to after a decision, in nodes. */
    double after(Decision decision) throws Exception {
      if (!(decision instanceof Decision.Act act)) {
        return staying;
      }
      List<Action> actions = actions(act.plan());
      if (!changed.containsKey(actions)) {
        InMemoryCluster cluster = HourAfter.begun(spec);
        Observation.Usable now = HourAfter.observed(cluster, settings);
        PlanRunner runner = new PlanRunner(cluster.engine(), cluster.provider());
        assertThat(runner.violations(act.plan(), now.snapshot())).as("%s", spec).isEmpty();
        changed.put(actions, HourAfter.cost(cluster, spec, settings));
      }
      return changed.get(actions);
    }

    /** In nodes. */
    double tolerated() {
      return settings.choice().lossWeight() * spec.nodes() * TOLERATED;
    }
  }

  @BeforeAll
  static void observe() throws Exception {
    beds = new ArrayList<>();
    for (ClusterSpec spec : specs()) {
      beds.add(Bed.of(spec, 0));
    }
    growing = new ArrayList<>();
    for (ClusterSpec spec : full()) {
      growing.add(Bed.of(spec, 2));
    }
  }

  private static List<ClusterSpec> specs() {
    TableSpec many =
        TableSpec.of("t", 24, 64 << 20, Access.reads(30_000))
            .with(KeyDistribution.zipf(29, 24, 0.9));
    TableSpec reads =
        TableSpec.of("r", 12, 800L << 20, Access.reads(4_000))
            .with(KeyDistribution.zipf(29, 12, 0.8));
    TableSpec writes = TableSpec.of("w", 6, 64 << 20, Access.writes(9_000));
    TableSpec idle = TableSpec.of("t", 24, 64 << 20, Access.reads(3_000));
    List<ClusterSpec> all =
        new ArrayList<>(
            List.of(
                AutopilotPolicyTest.oneHotNode(),
                ClusterSpec.assigned(1, 4, many),
                ClusterSpec.assigned(2, 4, reads, writes),
                ClusterSpec.assigned(1, 6, idle)));
    for (long seed = 0; seed < DRAWN; seed++) {
      all.add(drawn(seed, 1));
    }
    return all;
  }

  /** On average used to more than the target; and one where moves suffice. */
  private static List<ClusterSpec> full() {
    TableSpec memory = TableSpec.of("t", 24, 64 << 20, Access.reads(27_000));
    TableSpec large =
        TableSpec.of("r", 12, 1_800L << 20, Access.reads(2_600))
            .with(KeyDistribution.zipf(29, 12, 0.8));
    TableSpec writes = TableSpec.of("w", 9, 64 << 20, Access.writes(21_000));
    List<ClusterSpec> all =
        new ArrayList<>(
            List.of(
                AutopilotPolicyTest.oneHotNode(),
                ClusterSpec.assigned(2, 3, memory, large),
                ClusterSpec.assigned(3, 3, large.withSkew(0.5), writes)));
    for (long seed = 0; seed < DRAWN_FULL; seed++) {
      all.add(drawn(seed, 2.3));
    }
    return all;
  }

  /**
   * Three to five nodes, on average used to two to eight tenths, with a table in memory, one that
   * is larger than the caches, and one that is read and written; each asked for unevenly.
   *
   * @param times as much is asked for
   */
  private static ClusterSpec drawn(long seed, double times) {
    Random random = Seeds.random(seed);
    int nodes = 3 + random.nextInt(3);
    TableSpec cached =
        TableSpec.of(
            "cached",
            partitions(random),
            64 << 20,
            Access.reads(times * nodes * in(random, 1_000, 3_500)));
    TableSpec large =
        TableSpec.of(
            "large",
            partitions(random),
            (long) (nodes * in(random, 300, 700)) << 20,
            Access.reads(times * nodes * in(random, 100, 450)));
    TableSpec mixed =
        TableSpec.of(
            "mixed",
            partitions(random),
            200L << 20,
            new Access(nodes * in(random, 200, 900), 0, 0, nodes * in(random, 300, 1_500))
                .times(times));
    return ClusterSpec.assigned(
        seed,
        nodes,
        cached.with(uneven(random)),
        large.with(uneven(random)).withSkew(0.5),
        mixed.with(uneven(random)));
  }

  private static int partitions(Random random) {
    return 6 + random.nextInt(7);
  }

  private static KeyDistribution uneven(Random random) {
    return KeyDistribution.zipf(random.nextLong(), 12, in(random, 0.4, 1));
  }

  private static double in(Random random, double from, double to) {
    return from + (to - from) * random.nextDouble();
  }

  private static Decision decide(Observation.Usable seen, Settings settings, Wrong wrong) {
    return Policies.AUTOPILOT.decide(
        seen.with(wrong.counted(seen.blocks()), wrong.model()), PolicyState.INITIAL, settings);
  }

  private static List<Action> actions(Plan plan) {
    return plan.actions().stream().map(PlannedAction::action).toList();
  }

  /** Whether something else was decided, or is predicted. */
  private static boolean differ(Decision one, Decision other) {
    if (!(one instanceof Decision.Act first && other instanceof Decision.Act second)) {
      return !one.getClass().equals(other.getClass());
    }
    double most = first.predicted().orElseThrow().most();
    return !actions(first.plan()).equals(actions(second.plan()))
        || Math.abs(most - second.predicted().orElseThrow().most()) > SHOWS;
  }

  /** Returns in how many clusters something is decided or predicted otherwise than it should be. */
  private static int judge(Wrong wrong, List<Bed> all) throws Exception {
    int plans = 0;
    int different = 0;
    for (Bed bed : all) {
      Decision decision = bed.decided(wrong);
      different += differ(bed.right(), decision) ? 1 : 0;
      plans += decision instanceof Decision.Act ? 1 : 0;
      assertThat(bed.after(decision))
          .as("nodes, with %s wrong, %s, %s", wrong, bed.spec(), decision)
          .isLessThanOrEqualTo(bed.staying() + bed.tolerated());
    }
    assertThat(plans).isGreaterThan(2);
    return different;
  }

  private static long joining(Decision decision) {
    return decision instanceof Decision.Act act
        ? actions(act.plan()).stream().filter(Action.AddNode.class::isInstance).count()
        : 0;
  }

  static List<Wrong> unlike() {
    List<Wrong> all =
        new ArrayList<>(
            List.of(
                Wrong.costs("misses, more", 1, MORE, 1),
                Wrong.costs("misses, less", 1, LESS, 1),
                Wrong.costs("updates, more", 1, 1, MORE),
                Wrong.costs("updates, less", 1, 1, LESS),
                Wrong.costs("reads, more, and updates, less", MORE, MORE, LESS),
                Wrong.costs("reads, less, and updates, more", LESS, LESS, MORE)));
    for (long seed = 0; seed < MISCOUNTED; seed++) {
      all.add(Wrong.counts(seed));
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("unlike")
  void noChoiceIsWorseThanToStay(Wrong wrong) throws Exception {
    assertThat(judge(wrong, beds)).as("clusters in which the error shows").isPositive();
  }

  @ParameterizedTest
  @ValueSource(doubles = {LESS, 1, MORE})
  void norWhereAllCostsAreWrongAlike(double factor) throws Exception {
    judge(Wrong.costs("all costs", factor, factor, factor), beds);
  }

  /** Nor do more nodes join than by the right model, unless they are worth what they cost. */
  @ParameterizedTest
  @MethodSource("unlike")
  void norWhereNodesMayBeAdded(Wrong wrong) throws Exception {
    assertThat(judge(wrong, growing)).as("clusters in which the error shows").isPositive();
    for (Bed bed : growing) {
      Decision decision = bed.decided(wrong);
      if (joining(decision) > joining(bed.right())) {
        assertThat(bed.after(decision))
            .as("nodes, with %s wrong, %s", wrong, bed.spec())
            .isLessThanOrEqualTo(bed.after(bed.right()) + bed.tolerated());
      }
    }
    assertThat(growing).filteredOn(bed -> joining(bed.right()) > 0).hasSizeGreaterThan(2);
  }

  /** That the others can fail: all that the most used node has goes to its neighbour. */
  @Test
  void aChangeThatIsWorseIsToldToBe() throws Exception {
    Bed bed = beds.get(0);
    InMemoryCluster cluster = HourAfter.begun(bed.spec());
    Map<NodeId, Double> usage = HourAfter.observed(cluster, bed.settings()).usage();
    NodeId hot = usage.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    NodeId other = usage.keySet().stream().filter(n -> !n.equals(hot)).findFirst().orElseThrow();
    for (PartitionState p : cluster.truth().partitions()) {
      if (p.node().filter(hot::equals).isPresent()) {
        cluster.engine().move(p.id(), other, Duration.ofMinutes(1));
      }
    }

    assertThat(HourAfter.cost(cluster, bed.spec(), bed.settings()))
        .isGreaterThan(bed.staying() + bed.tolerated());
  }
}
