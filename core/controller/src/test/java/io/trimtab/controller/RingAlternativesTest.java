package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.agreement.Shop;
import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.ReplicaSignals;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedNodes;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What a ring's decision has weighed, and at which price. */
class RingAlternativesTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(UsageSettings.builder().ringMargin(0.1).build());
  private static final long GB = 1_000_000_000L;
  private static final String STAY = "leave the nodes as they are";
  private static final String CONFIGURE = "configure nodes for their requests";

  private static Decision decide(Observation.Usable seen, Settings settings) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings);
  }

  private static Decision decide(Observation.Usable seen) {
    return decide(seen, SETTINGS);
  }

  private static List<String> kinds(Decision decision) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision)
        .plan().actions().stream().map(planned -> planned.action().kind()).distinct().toList();
  }

  private static Alternative weighed(Decision decision, String title) {
    return decision.weighed().stream()
        .filter(alternative -> alternative.title().equals(title))
        .findFirst()
        .orElseThrow(() -> new AssertionError(title + " is not among " + decision.weighed()));
  }

  private static String verdict(Decision decision, String title) {
    return weighed(decision, title).verdict();
  }

  private static Observation.Usable storing(Observation.Usable seen, long bytesEach) {
    return Rings.storing(seen, node -> true, bytesEach);
  }

  /** Of three at 0.95 five are below 0.7, four are at 0.71. */
  @Test
  void allNumbersOfNodesUpToTheOneThatIsEnoughAreTold() {
    Decision decision = decide(Rings.seen(0.95, 0.95, 0.95));

    assertThat(decision.weighed())
        .extracting(Alternative::title)
        .containsExactly("add 2 nodes", "add a node", STAY, "remove a node");
    assertThat(decision.weighed())
        .extracting(Alternative::verdict)
        .containsExactly(
            "chosen",
            "3 nodes above the target",
            "3 nodes above the target",
            "costs more than it saves");
    Alternative chosen = weighed(decision, "add 2 nodes");
    assertThat(chosen.before()).isEqualTo(0.95);
    assertThat(chosen.most()).isCloseTo(0.57, within(1e-9));
    assertThat(chosen.nodes()).isEqualTo(5);
    assertThat(chosen.over()).isZero();
  }

  /** A table of hundreds of lines would help nobody. */
  @Test
  void manyNumbersAreLeftOut() {
    double[] usage = new double[40];
    Arrays.fill(usage, 0.95);
    Decision decision = decide(Rings.seen(usage), most(100));

    assertThat(decision.weighed()).hasSize(11);
    assertThat(verdict(decision, "add 15 nodes")).isEqualTo("chosen");
    assertThat(verdict(decision, "add 8 nodes")).endsWith(" above the target");
  }

  private static Settings most(int nodes) {
    return SETTINGS.with(GuardSettings.builder().maxNodes(nodes).build());
  }

  @Test
  void whyThereMayBeNoMoreNodesIsTold() {
    Decision full = decide(Rings.seen(0.95, 0.95, 0.95), most(4));

    assertThat(verdict(full, "add a node")).isEqualTo("chosen");
    assertThat(verdict(full, "add 2 nodes")).isEqualTo("refused: 4 nodes are the most allowed");
    Decision none = decide(Rings.seen(0.95, 0.95, 0.95), most(3));
    assertThat(none).isInstanceOf(Decision.Hold.class);
    assertThat(verdict(none, STAY)).isEqualTo("chosen");
    assertThat(verdict(none, "add a node")).isEqualTo("refused: 3 nodes are the most allowed");
  }

  @Test
  void whyNoNodeIsGivenBackIsTold() {
    assertThat(verdict(decide(Rings.seen(0.6, 0.6, 0.6)), "remove a node"))
        .isEqualTo("a node may be above 0.63, which is the target less usage.ringMargin");
    assertThat(verdict(decide(Rings.seen(0.1, 0.1)), "remove a node"))
        .isEqualTo("2 nodes are the fewest allowed: the data have 2 copies");
    Decision given = decide(Rings.seen(0.1, 0.1, 0.1));
    assertThat(verdict(given, "remove a node")).isEqualTo("chosen");
    assertThat(verdict(given, STAY)).isEqualTo("takes more than the chosen one");
  }

  @Test
  void whatAnAgreementNeedsIsTold() {
    Decision decision =
        Policies.AUTOPILOT.decide(
            Rings.seen(0.5, 0.5, 0.5).withServices(List.of(Shop.service(24, 100, 60))),
            PolicyState.INITIAL,
            Shop.SETTINGS);

    assertThat(verdict(decision, "add 2 nodes")).isEqualTo("chosen");
    assertThat(verdict(decision, "add a node")).isEqualTo("agreement shop needs 5 nodes");
    assertThat(verdict(decision, STAY)).isEqualTo("agreement shop needs 5 nodes");
  }

  /** A quarter of 120 GB at 100 MB/s, the cleanups of all of it, and 300 s. */
  @Test
  void aNodeThatJoinsHasThePriceOfItsDataAndOfTheOthersCleanups() {
    Alternative join = weighed(decide(storing(Rings.seen(0.9, 0.9, 0.9), 40 * GB)), "add a node");

    assertThat(join.verdict()).isEqualTo("chosen");
    assertThat(join.bytes()).isCloseTo(30e9, within(1.0));
    assertThat(join.rewritten()).isCloseTo(120e9, within(1.0));
    assertThat(join.seconds()).isCloseTo(1_500, within(0.1));
    assertThat(join.price()).isCloseTo(1_800, within(0.1));
    Alternative free = weighed(decide(Rings.seen(0.9, 0.9, 0.9)), "add a node");
    assertThat(free.gain() - join.gain()).isCloseTo(1_500, within(0.1));
  }

  /** They join one after the other: 3/4 and 3/5 of what a node stores. */
  @Test
  void eachThatJoinsGetsAnEqualShareOfTheNodesThen() {
    Decision decision = decide(storing(Rings.seen(0.95, 0.95, 0.95), 10 * GB));

    assertThat(weighed(decision, "add 2 nodes").bytes()).isCloseTo(13.5e9, within(1.0));
    assertThat(weighed(decision, "add 2 nodes").rewritten()).isCloseTo(30e9, within(1.0));
    assertThat(weighed(decision, "add 2 nodes").price()).isCloseTo(600 + 435, within(0.1));
  }

  /** Three nodes at 0.90 lose what is worth 10,800 s of a node within the hour. */
  @Test
  void aRingThatIsOverloadedGrowsWhateverIsCopied() {
    Decision large = decide(storing(Rings.seen(0.9, 0.9, 0.9), 300 * GB));

    assertThat(kinds(large)).contains("add-node");
    assertThat(verdict(large, "add a node")).isEqualTo("chosen");
    assertThat(weighed(large, "add a node").gain()).isNegative();
  }

  /** An hour of a node, less 300 s, are 330 GB at 100 MB/s. */
  @Test
  void noNodeIsGivenBackIfItTakesMoreToCopyThanItSaves() {
    Observation.Usable idle = Rings.seen(0.1, 0.1, 0.1);
    Decision small = decide(storing(idle, 320 * GB));
    Decision large = decide(storing(idle, 340 * GB));

    assertThat(kinds(small)).containsExactly("remove-node");
    assertThat(weighed(small, "remove a node").bytes()).isCloseTo(320e9, within(1.0));
    assertThat(weighed(small, "remove a node").rewritten()).isZero();
    assertThat(weighed(small, "remove a node").price()).isCloseTo(3_500, within(0.1));
    assertThat(large).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) large).reason())
        .isEqualTo(
            "a node could be given back, but to copy what it stores to the others costs more than"
                + " it saves");
    assertThat(((Decision.Hold) large).setting()).isEqualTo("choice.horizon");
    assertThat(verdict(large, "remove a node")).isEqualTo("costs more than it saves");
  }

  private static Observation.Usable slow(Observation.Usable seen, int minutes) {
    NodeId node = new NodeId("n1:9042");
    Duration lasted = Duration.ofMinutes(minutes);
    return seen.withSlow(List.of(new SlowNode(node, 0.2, lasted, ReplicaSignals.UNKNOWN)));
  }

  @Test
  void aSlowNodesReplacementIsWeighedBesideNodesThatAreAdded() {
    Decision replaced = decide(slow(storing(Rings.seen(0.85, 0.4, 0.85), GB), 30));
    Decision early = decide(slow(Rings.seen(0.85, 0.4, 0.85), 5));

    Alternative instead = weighed(replaced, "replace a slow node");
    assertThat(instead.verdict()).isEqualTo("chosen");
    assertThat(instead.nodes()).isEqualTo(3);
    assertThat(instead.bytes()).isCloseTo(2e9, within(1.0));
    assertThat(instead.rewritten()).isCloseTo(2e9, within(1.0));
    assertThat(instead.price()).isCloseTo(640, within(0.1));
    assertThat(verdict(replaced, "add a node")).isEqualTo("takes more than the chosen one");
    assertThat(verdict(early, "add a node")).isEqualTo("chosen");
    assertThat(verdict(early, "replace a slow node"))
        .isEqualTo("so far it would cost more than it brings to put another in its place");
  }

  /** Nodes with a small cache, whose provider has no say. */
  private static Observation.Usable small(double... usage) {
    Profile profile = new Profile("CUSTOM", 0.03, 0.20, 32 << 10);
    return Rings.seen(Optional.of(profile), new Rates(100, 0, 0, 10), usage);
  }

  /** The same where it is known which share of the rows is missed. */
  private static Observation.Usable missing(Observation.Usable seen, double share) {
    ClusterSnapshot now = seen.snapshot();
    NodeGauges heap =
        new NodeGauges(-1, -1, 1L << 30, -1, -1, -1, -1, -1, -1, -1, -1, -1, Map.of());
    List<NodeState> nodes =
        now.nodes().stream().map(node -> node.with(node.usage(), heap)).toList();
    Map<NodeId, Double> misses = new HashMap<>();
    nodes.forEach(node -> misses.put(node.id(), share));
    return seen.on(now.with(nodes, now.partitions(), now.gaps()))
        .withMisses(misses)
        .with(Rings.learned(0.05));
  }

  /** Fifty misses less are a quarter of a node. */
  @Test
  void nodesAreConfiguredWhereThatIsPredictedToSuffice() {
    Decision decision = decide(missing(small(0.85, 0.85, 0.85), 0.5));

    assertThat(kinds(decision)).containsExactly("reconfigure");
    Alternative configured = weighed(decision, CONFIGURE);
    assertThat(configured.verdict()).isEqualTo("chosen");
    assertThat(configured.most()).isCloseTo(0.6, within(0.02));
    assertThat(configured.over()).isZero();
    assertThat(configured.price()).isCloseTo(3, within(1e-9));
    assertThat(((Decision.Act) decision).plan().summary())
        .startsWith("a node is at 0.85; nodes are configured for their requests; then at 0.");
    assertThat(verdict(decision, "add a node")).isEqualTo("takes more than the chosen one");
  }

  /** Ten misses less leave 0.90. */
  @Test
  void aNodeJoinsWhereToConfigureThemIsPredictedNotToSuffice() {
    Observation.Usable seen = missing(small(0.95, 0.95, 0.95), 0.1);
    Decision decision = decide(seen);
    Decision none = decide(seen, most(3));

    assertThat(kinds(decision)).contains("add-node").doesNotContain("reconfigure");
    assertThat(weighed(decision, CONFIGURE).most()).isCloseTo(0.9, within(0.02));
    assertThat(verdict(decision, CONFIGURE)).isEqualTo("3 nodes above the target");
    assertThat(kinds(none)).as("where none may join").containsExactly("reconfigure");
  }

  @Test
  void nodesThatMissNothingAreNotConfigured() {
    Decision decision = decide(missing(small(0.85, 0.85, 0.85), 0));

    assertThat(kinds(decision)).contains("add-node").doesNotContain("reconfigure");
    assertThat(verdict(decision, CONFIGURE)).isEqualTo("costs more than it saves");
  }

  /** As {@link #costs}, of scans. */
  private static Optional<LearnedNodes> costsOfScans() {
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 400; i++) {
      double scans = 20 + i % 100;
      double rows = scans * (1 + i % 7);
      double misses = scans * (i % 13) / 13;
      double updates = i % 37;
      double cpu = 0.05 + 2e-3 * scans + 1e-3 * updates;
      learner = learner.with(new CostSample(0, scans, rows, misses, updates, cpu, 5e-3 * misses));
    }
    return Optional.of(LearnedNodes.alike(learner.costs()));
  }

  /** No cache of rows answers a range read: a smaller one saves none of its misses. */
  @Test
  void whereRowsAreScannedToConfigureNodesIsPredictedToBringNothing() {
    Profile profile = new Profile("CUSTOM", 0.40, 0.20, 32 << 10);
    Observation.Usable scanned =
        Rings.seen(Optional.of(profile), new Rates(0, 100, 100, 0), 0.85, 0.85, 0.85);
    Decision decision = decide(missing(scanned, 0.5).with(costsOfScans()));

    assertThat(weighed(decision, CONFIGURE).most()).isCloseTo(0.85, within(1e-9));
    assertThat(verdict(decision, CONFIGURE)).isEqualTo("costs more than it saves");
    assertThat(kinds(decision)).contains("add-node").doesNotContain("reconfigure");
  }

  @Test
  void whatItBringsToConfigureNodesIsNotAlwaysKnown() {
    Decision decision = decide(small(0.85, 0.85, 0.85));

    assertThat(kinds(decision)).containsExactly("reconfigure");
    assertThat(verdict(decision, CONFIGURE)).isEqualTo("chosen; what it brings is not known");
    assertThat(verdict(decision, "add a node")).isEqualTo("takes more than the chosen one");
  }

  /** Three restarts take 900 s of a node, one that joins 300 s and its price. */
  @Test
  void whatTakesLeastIsDoneFirst() {
    Observation.Usable seen = small(0.85, 0.85, 0.85);
    Observation.Usable three = Rings.with(seen, seen.snapshot().nodes(), 3);
    Settings restart = SETTINGS.with(PlaceSettings.builder().way(Action.ApplyMode.RESTART).build());
    NodeCapacity cheap =
        new NodeCapacity(
            9,
            OptionalInt.empty(),
            OptionalDouble.of(1),
            Map.of("HOMOGENEOUS", 0.1),
            Optional.empty());
    Decision usual = decide(three, restart);
    Decision offered = decide(three.withOffer(Optional.of(cheap)), restart);

    assertThat(kinds(usual)).containsExactly("reconfigure");
    assertThat(weighed(usual, CONFIGURE).price()).isCloseTo(900, within(1e-9));
    assertThat(kinds(offered)).contains("add-node").doesNotContain("reconfigure");
    assertThat(verdict(offered, CONFIGURE)).isEqualTo("what it brings is not known");
  }
}
