package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.PartitionItems;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.place.UsagePackingTest;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.PlaceSettings.Balance;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Cruz 2016, §6.2: with the same groups and profiles, what is balanced is requests or usage. Two of
 * four partitions that are read alike have nearly as many blocks as the cache of a READ node holds:
 * by requests they may share a node, by usage they must not.
 */
class MetBalancerTest {
  private static final int CACHE_BLOCKS = 1_000;
  private static final int[] BLOCKS = {900, 20, 900, 20};

  /** A heap of which a READ node's cache holds so many blocks. */
  private static final long HEAP =
      (long) (CACHE_BLOCKS * UsagePackingTest.BLOCK / Profile.READ.cacheFraction());

  private static final Settings SETTINGS = Settings.defaults();

  private static Settings balancing(Balance what) {
    return SETTINGS.with(PlaceSettings.builder().whenHealthy(true).balancer(what).build());
  }

  private static PartitionId id(int p) {
    return new PartitionId("t", "p" + p);
  }

  private static List<BlockHistogram> blocks() {
    List<BlockHistogram> blocks = new ArrayList<>();
    for (int p = 0; p < BLOCKS.length; p++) {
      var bin = new BlockHistogram.Bin(500, BLOCKS[p]);
      blocks.add(BlockHistogram.ofReads(id(p), List.of(bin), UsagePackingTest.BLOCK));
    }
    return blocks;
  }

  /** Two homogeneous nodes, of which the first has all partitions. */
  private static Observation.Usable seen(long heap) {
    return seen(heap, Profile.HOMOGENEOUS, 0, 0, 0, 0);
  }

  /**
   * Two nodes.
   *
   * @param at the node of each partition
   */
  private static Observation.Usable seen(long heap, Profile profile, int... at) {
    List<NodeState> nodes = new ArrayList<>();
    Map<NodeId, Double> usage = new HashMap<>();
    for (int n = 0; n < 2; n++) {
      NodeId node = new NodeId("node" + n + ":1");
      usage.put(node, 0.5);
      long cache = (long) (profile.cacheFraction() * HEAP);
      nodes.add(
          new NodeState(
              node,
              1,
              true,
              false,
              Optional.of(profile),
              true,
              NodeUsage.UNKNOWN,
              new NodeGauges(-1, -1, heap, -1, -1, -1, cache, -1, -1, -1, -1, -1, Map.of())));
    }
    List<PartitionState> partitions = new ArrayList<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int p = 0; p < BLOCKS.length; p++) {
      partitions.add(
          new PartitionState(
              id(p),
              Optional.of(nodes.get(at[p]).id()),
              PartitionCounters.ZERO,
              1 << 20,
              1,
              Profile.READ.blockSizeBytes(),
              KeyRange.ALL));
      rates.put(id(p), new Rates(55, 0, 0, 0));
    }
    ClusterSnapshot snapshot = RandomCluster.snapshot(nodes, partitions);
    return new Observation.Usable(snapshot, rates, usage, usage, List.of());
  }

  private static Decision.Act decide(Observation.Usable seen, Balance what) {
    Decision decision =
        Policies.MET.decide(seen, PolicyState.INITIAL, balancing(what).with(Policies.MET));
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return (Decision.Act) decision;
  }

  private static boolean theLargeShareANode(Decision.Act act, Observation.Usable seen) {
    ClusterSnapshot after = PlanApplier.apply(act.plan(), seen.snapshot());
    return after
        .partition(id(0))
        .orElseThrow()
        .node()
        .equals(after.partition(id(2)).orElseThrow().node());
  }

  @Test
  void whatSpoilsEachOthersCacheIsPutApartByUsageOnly() {
    Observation.Usable seen = seen(HEAP).with(blocks(), UsagePackingTest.model());

    Decision.Act byRequests = decide(seen, Balance.REQUESTS);
    Decision.Act byUsage = decide(seen, Balance.USAGE);

    assertThat(theLargeShareANode(byRequests, seen)).isTrue();
    assertThat(theLargeShareANode(byUsage, seen)).isFalse();
    assertThat(byRequests.plan().summary()).doesNotContain("balanced");
    assertThat(byUsage.plan().summary())
        .endsWith("; balanced by usage, predicted from the built model");
    // As many partitions on both nodes, and the same profiles.
    assertThat(byUsage.plan().actions(Action.Move.class)).hasSize(2);
    assertThat(byUsage.plan().actions(Action.Reconfigure.class)).hasSize(2);
  }

  @Test
  void theUsageOfEveryNodeIsPredictedWhereItIsBalanced() {
    Observation.Usable seen = seen(HEAP).with(blocks(), UsagePackingTest.model());

    Decision.Act act = decide(seen, Balance.USAGE);

    UsagePrediction predicted = act.predicted().orElseThrow();
    assertThat(predicted.from()).isEqualTo(UsagePrediction.Origin.BUILT);
    var items = PartitionItems.of(seen, SETTINGS.usage());
    ClusterSnapshot after = PlanApplier.apply(act.plan(), seen.snapshot());
    assertThat(predicted.usage()).hasSameSizeAs(after.nodes());
    for (NodeState node : after.nodes()) {
      List<UsagePacking.Item> held =
          after.partitions().stream()
              .filter(p -> p.node().equals(Optional.of(node.id())))
              .map(p -> items.get(p.id()))
              .toList();
      double cache = node.profile().orElseThrow().cacheFraction() * HEAP;
      assertThat(predicted.usage().get(node.id()))
          .as("%s", node.id())
          .isCloseTo(
              UsagePacking.usage(new UsagePredictor(UsagePackingTest.model()), held, cache),
              within(1e-6));
    }
    assertThat(decide(seen, Balance.REQUESTS).predicted()).isEmpty();
  }

  /** What reads and misses cost, of samples that differ. */
  private static LearnedCosts learned() {
    Random random = new Random(1);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      double reads = 400 * random.nextDouble();
      double misses = reads * random.nextDouble();
      learner =
          learner.with(new CostSample(reads, 0, 0, misses, 0, 0.03 + 1e-4 * reads, 4e-3 * misses));
    }
    return learner.costs();
  }

  @Test
  void whatUsageIsPredictedFromGoesWithThePrediction() {
    Observation.Usable seen =
        seen(HEAP).withBlocks(blocks()).with(Optional.of(LearnedNodes.alike(learned())));

    assertThat(decide(seen, Balance.USAGE).predicted().map(UsagePrediction::from))
        .contains(UsagePrediction.Origin.LEARNED);
  }

  /** Without the plug-in partitions have parts of what their nodes' caches hit. */
  @Test
  void withoutAccessesOfBlocksTheHitRatiosOfNodesDo() {
    Observation.Usable told =
        seen(HEAP)
            .with(Optional.of(LearnedNodes.alike(learned())))
            .withMisses(Map.of(new NodeId("node0:1"), 0.2));

    Decision.Act act = decide(told, Balance.USAGE);

    assertThat(act.predicted().map(UsagePrediction::from)).contains(UsagePrediction.Origin.LEARNED);
    assertThat(act.plan().summary())
        .endsWith(
            "; balanced by usage, predicted from what requests cost so far, with hit ratios of"
                + " nodes, as no block accesses are known");
    CacheLoad.Sum all = new CacheLoad.Sum();
    PartitionItems.of(told, SETTINGS.usage()).values().forEach(item -> all.add(item.cache()));
    double cache = told.snapshot().nodes().get(0).gauges().cacheMaxBytes();
    assertThat(all.total().hitRatio(cache)).as("on the node as now").isCloseTo(0.8, within(0.005));

    fallsBack(
        seen(HEAP).with(Optional.of(LearnedNodes.alike(learned()))), "no block accesses are known");
    LearnedNodes little = LearnedNodes.alike(CostLearner.NOTHING.costs());
    fallsBackFor(
        seen(HEAP).with(Optional.of(little)).withMisses(Map.of(new NodeId("node0:1"), 0.9)),
        "too little variation: misses between 0.0 and 0.0/s lately");
  }

  private static void fallsBackFor(Observation.Usable seen, String why) {
    Decision.Act act = decide(seen, Balance.USAGE);
    assertThat(theLargeShareANode(act, seen)).isTrue();
    assertThat(act.plan().summary())
        .contains("; balanced by requests, as usage can't be predicted: ", why);
  }

  /** By requests it would be none, and the guard would refuse what the plan is made for. */
  @Test
  void theGainOfAPlanIsThatOfWhatIsBalanced() {
    Observation.Usable seen =
        seen(HEAP, Profile.READ, 0, 1, 0, 1).with(blocks(), UsagePackingTest.model());

    Decision byRequests =
        Policies.MET.decide(seen, PolicyState.INITIAL, balancing(Balance.REQUESTS));
    Decision.Act byUsage = decide(seen, Balance.USAGE);

    assertThat(byRequests).isInstanceOf(Decision.Hold.class);
    assertThat(byUsage.plan().actions(Action.Move.class)).hasSize(2);
    assertThat(byUsage.plan().gain()).isGreaterThan(0.5);
  }

  private static void fallsBack(Observation.Usable seen, String why) {
    Decision.Act act = decide(seen, Balance.USAGE);
    assertThat(theLargeShareANode(act, seen)).isTrue();
    assertThat(act.plan().summary())
        .endsWith("; balanced by requests, as usage can't be predicted: " + why);
  }

  @Test
  void whereUsageIsNotKnownRequestsAreBalancedAndThePlanSaysWhy() {
    fallsBack(seen(HEAP), "no block accesses are known");
    fallsBack(
        seen(HEAP).with(blocks().subList(0, 3), UsagePackingTest.model()),
        "the block accesses of t/p3 are unknown");
    fallsBack(
        seen(HEAP).withBlocks(blocks()),
        "no usage model counts (usage.model), and too little was seen to learn one");
    fallsBack(
        seen(-1).with(blocks(), UsagePackingTest.model()), "the size of a node's heap is unknown");

    Observation.Usable scans = seen(HEAP).with(blocks(), UsagePackingTest.model());
    Map<PartitionId, Rates> rates = new HashMap<>(scans.rates());
    rates.replaceAll((id, r) -> new Rates(r.pointReads(), 1, 10, 0));
    fallsBack(
        new Observation.Usable(scans.snapshot(), rates, scans.usage(), scans.cpu(), List.of())
            .with(blocks(), UsagePackingTest.model()),
        "the built model: the model has no scans; build it with them");
  }

  @Test
  void whatUsageIsPredictedFromIsAskedForOnlyToBalanceIt() {
    assertThat(Policies.MET.needs()).isEmpty();
    assertThat(Policies.MET.uses(balancing(Balance.REQUESTS))).isEmpty();
    assertThat(Policies.MET.uses(balancing(Balance.USAGE)))
        .containsExactlyInAnyOrder(Need.HISTOGRAMS, Need.MODEL, Need.RECORD);
  }
}
