package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.ForeseenTest;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedNodes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * How many nodes the autopilot gives a ring: as many as bring the most used one to {@code
 * usage.target}, 0.70; one fewer where that leaves the margin, a tenth of it, free.
 */
class RingChoiceTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(UsageSettings.builder().ringMargin(0.1).build());

  private static Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    return Policies.AUTOPILOT.decide(seen, state, settings);
  }

  private static Decision.Act act(Observation.Usable seen, PolicyState state) {
    Decision decision = decide(seen, state, SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return (Decision.Act) decision;
  }

  private static int added(Observation.Usable seen, PolicyState state) {
    return act(seen, state).plan().actions(Action.AddNode.class).size();
  }

  private static Decision.Hold held(Observation.Usable seen, Settings settings) {
    Decision decision = decide(seen, PolicyState.INITIAL, settings);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    return (Decision.Hold) decision;
  }

  private static Settings most(int nodes) {
    return SETTINGS.with(GuardSettings.builder().maxNodes(nodes).build());
  }

  private static Observation.Usable foreseen(Observation.Usable seen, double low, double high) {
    Outlook outlook = new Outlook(low, (low + high) / 2, high, "it goes on", Optional.empty());
    return seen.with(
        new Ahead(within -> Map.of("k.t", outlook), Optional.empty(), Optional.empty()));
  }

  @Test
  void asManyNodesJoinAsBringTheMostUsedToTheTarget() {
    assertThat(added(Rings.seen(0.9, 0.9, 0.9), PolicyState.INITIAL)).isEqualTo(1);
    assertThat(added(Rings.seen(0.95, 0.95, 0.95, 0.95, 0.95), PolicyState.INITIAL)).isEqualTo(2);
    assertThat(held(Rings.seen(0.6, 0.6, 0.6), SETTINGS).setting()).isEqualTo("health.high");
  }

  /** By equal shares the first ring needs 7 nodes, the second 9 and the last 8. */
  @Test
  void whereOnlySomeAreUsedTooMuchNoMoreJoinThanAllNeedInTheMean() {
    Observation.Usable hot = Rings.seen(0.95, 0.3, 0.3, 0.3, 0.3);
    assertThat(added(hot, PolicyState.INITIAL)).isEqualTo(1);
    assertThat(act(hot, PolicyState.INITIAL).plan().summary())
        .startsWith(
            "nodes are at 0.43 on average; the most used of 5 nodes is at 0.95, with 6 at 0.79"
                + " (target: 0.70)");
    assertThat(added(Rings.seen(0.95, 0.95, 0.95, 0.95, 0.95, 0.4), PolicyState.INITIAL))
        .as("6 x 0.86 / 0.7 are 8 nodes")
        .isEqualTo(2);
    assertThat(added(Rings.seen(1, 0.3, 0.3, 0.3, 0.3), PolicyState.INITIAL))
        .as("nobody knows how much more the first is asked for")
        .isEqualTo(3);
  }

  @Test
  void noMoreThanTheGuardAllows() {
    Observation.Usable five = Rings.seen(0.95, 0.95, 0.95, 0.95, 0.95);
    Decision six = decide(five, PolicyState.INITIAL, most(6));
    assertThat(((Decision.Act) six).plan().actions(Action.AddNode.class)).hasSize(1);

    Decision.Hold full = held(five, most(5));
    assertThat(full.reason()).isEqualTo("a node is at 0.95, but 5 nodes are the most allowed");
    assertThat(full.setting()).isEqualTo("guard.maxNodes");
    assertThat(held(five, most(4)).reason())
        .as("there are more than are allowed by now")
        .isEqualTo("a node is at 0.95, but 4 nodes are the most allowed");
  }

  /** 3 / 0.7 are 5 nodes, 3 x 1.2 / 0.7 are 6, and 3 x 1.2 x 1.2 / 0.7 are 7. */
  @Test
  void aRingThatStaysSaturatedGetsMoreEachTime() {
    Observation.Usable full = Rings.seen(1, 1, 1);
    PolicyState once = act(full, PolicyState.INITIAL).next();
    PolicyState twice = act(full, once).next();

    assertThat(added(full, PolicyState.INITIAL)).isEqualTo(2);
    assertThat(added(full, once)).isEqualTo(3);
    assertThat(added(full, twice)).isEqualTo(4);
    assertThat(twice.full()).hasSize(3).extracting(PolicyState.Full::plans).containsOnly(2);
    assertThat(twice.step()).as("nodes that met would add").isEqualTo(1);
    assertThat(act(Rings.seen(0.9, 0.9, 0.9), twice).next().full())
        .as("while they are used too much")
        .hasSize(3);
    Decision.Hold relieved = (Decision.Hold) decide(Rings.seen(0.6, 0.6, 0.6), twice, SETTINGS);
    assertThat(relieved.next().full()).isEmpty();
  }

  @Test
  void nodesJoinBeforeTheyAreNeededAndStayForAPeak() {
    Observation.Usable well = Rings.seen(0.6, 0.6, 0.6);
    assertThat(added(foreseen(well, 1.5, 1.6), PolicyState.INITIAL)).isEqualTo(1);

    Observation.Usable idle = Rings.seen(0.2, 0.1, 0.3);
    assertThat(act(idle, PolicyState.INITIAL).plan().actions(Action.RemoveNode.class)).hasSize(1);
    assertThat(held(foreseen(idle, 1, 2), SETTINGS).reason()).contains("can be spared");
  }

  /** Costs on nodes that use 0.3 for being awake. */
  private static Optional<LearnedNodes> awake() {
    return awake(0.3, 2e-3);
  }

  private static Optional<LearnedNodes> awake(double idle, double read) {
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 400; i++) {
      double reads = 20 + i % 250;
      double updates = i % 37;
      double used = idle + read * reads + read / 2 * updates;
      learner = learner.with(new CostSample(reads, 0, 0, 0, updates, used, 0));
    }
    return Optional.of(LearnedNodes.alike(learner.costs()));
  }

  /** By shares alone 3/4 of 0.9 would do, and 3/2 of 0.45 would not. */
  @Test
  void whatNodesUseForBeingAwakeIsNotShared() {
    Decision.Act more = act(Rings.seen(0.9, 0.9, 0.9).with(awake()), PolicyState.INITIAL);
    // 0.3 + 3/5 of 0.6.
    assertThat(more.plan().actions(Action.AddNode.class)).hasSize(2);
    UsagePrediction predicted = more.predicted().orElseThrow();
    assertThat(predicted.from()).isEqualTo(UsagePrediction.Origin.LEARNED);
    assertThat(predicted.usage().values()).allMatch(usage -> Math.abs(usage - 0.66) < 0.01);

    assertThat(
            act(Rings.seen(0.45, 0.45, 0.45).with(awake()), PolicyState.INITIAL)
                .plan()
                .actions(Action.RemoveNode.class))
        .hasSize(1);
  }

  /** Or all that the guard allows would join, as something else on the machines is busy. */
  @Test
  void whereNoNumberOfNodesSufficesOneJoins() {
    Observation.Usable seen = Rings.seen(0.9, 0.9, 0.9).with(awake(0.75, 5e-4));

    assertThat(added(seen, PolicyState.INITIAL)).isEqualTo(1);
    assertThat(act(seen, PolicyState.INITIAL).predicted().orElseThrow().from())
        .isEqualTo(UsagePrediction.Origin.LEARNED);
  }

  @Test
  void whereCostsAreNotCertainItSaysWhatWouldChangeThat() {
    Observation.Usable busy =
        Rings.seen(Optional.empty(), new Rates(2_000, 0, 0, 10), 0.9, 0.9, 0.9)
            .with(Optional.of(LearnedNodes.alike(CostLearner.NOTHING.costs())));

    Decision.Act more = act(busy, PolicyState.INITIAL);
    assertThat(more.plan().actions(Action.AddNode.class)).hasSize(1);
    assertThat(more.predicted().orElseThrow().from()).isEqualTo(UsagePrediction.Origin.REQUESTS);
    assertThat(more.plan().summary())
        .contains(
            "; by shares alone, as what requests cost on n0:9042 is not certain enough (± ",
            "points, too little variation: reads between 0.0 and 0.0/s lately, 2,000/s now; it"
                + " takes some minutes of about so many)");
  }

  /** Of half a load nothing is foreseen again: neither a node is added for it, nor one kept. */
  @Test
  void aLoadThatHasFallenIsOver() {
    Ahead fallen = ForeseenTest.fallen("k.t");

    assertThat(held(Rings.seen(0.5, 0.5, 0.5).with(fallen), SETTINGS).setting())
        .isEqualTo("health.high");
    assertThat(
            act(Rings.seen(0.3, 0.3, 0.3).with(fallen), PolicyState.INITIAL)
                .plan()
                .actions(Action.RemoveNode.class))
        .hasSize(1);
  }

  /** With two of three nodes 1.5 times as much, and a tenth more as shares differ. */
  @Test
  void aNodeIsGivenBackOnlyWhereTheMarginStaysFree() {
    assertThat(
            act(Rings.seen(0.38, 0.38, 0.38), PolicyState.INITIAL)
                .plan()
                .actions(Action.RemoveNode.class))
        .hasSize(1);
    assertThat(held(Rings.seen(0.39, 0.39, 0.39), SETTINGS).reason()).contains("can be spared");
    // By default 0.55 of the target.
    Settings defaults = Settings.defaults().with(Policies.AUTOPILOT);
    assertThat(
            Policies.AUTOPILOT.decide(Rings.seen(0.18, 0.18, 0.18), PolicyState.INITIAL, defaults))
        .isInstanceOf(Decision.Act.class);
    assertThat(held(Rings.seen(0.20, 0.20, 0.20), defaults).reason()).contains("can be spared");
  }

  /** Nodes of the usual price cost 1; those of the profile that joins cost {@code price}. */
  private static Observation.Usable offered(Observation.Usable seen, double price, Duration boot) {
    Map<String, Double> prices = new HashMap<>();
    Profile.STANDARD.forEach(profile -> prices.put(profile.name(), price));
    prices.put("CUSTOM", price);
    return seen.withOffer(
        Optional.of(
            new NodeCapacity(
                9, OptionalInt.empty(), OptionalDouble.of(1), prices, Optional.ofNullable(boot))));
  }

  private static String summary(Observation.Usable seen) {
    return act(seen, PolicyState.INITIAL).plan().summary();
  }

  /**
   * Of three at 0.95 the surplus is worth 3.9 nodes; with one more 0.7, with two nothing is left.
   */
  @Test
  void aNodeThatIsDearJoinsOnlyIfItIsWorthItsPrice() {
    Observation.Usable full = Rings.seen(0.95, 0.95, 0.95);
    assertThat(added(full, PolicyState.INITIAL)).isEqualTo(2);
    assertThat(added(offered(full, 1, null), PolicyState.INITIAL)).isEqualTo(2);
    assertThat(summary(offered(full, 1, null))).isEqualTo(summary(full));
    assertThat(added(offered(full, 1.5, null), PolicyState.INITIAL)).isEqualTo(2);
    assertThat(added(offered(full, 3, null), PolicyState.INITIAL)).isEqualTo(1);
    assertThat(summary(offered(full, 3, null)))
        .endsWith("; one costs as much as 3.0 of the usual ones");

    Decision.Hold held = held(offered(full, 4, null), SETTINGS);
    assertThat(held.reason())
        .isEqualTo(
            "a node is at 0.95, but another costs more than it brings; one costs as much as 4.0 of"
                + " the usual ones");
    assertThat(held.setting()).isEqualTo("choice.horizon");
  }

  @Test
  void aNodeIsWorthLessTheLaterItServes() {
    Observation.Usable full = Rings.seen(0.95, 0.95, 0.95);
    Duration soon = Duration.ofMinutes(20);
    assertThat(added(offered(full, 1, soon), PolicyState.INITIAL)).isEqualTo(2);
    assertThat(summary(offered(full, 1, soon))).endsWith("; one boots in about 1200 s");
    assertThat(added(offered(full, 1, Duration.ofMinutes(35)), PolicyState.INITIAL)).isEqualTo(1);
    assertThat(held(offered(full, 1, Duration.ofHours(2)), SETTINGS).reason())
        .isEqualTo(
            "a node is at 0.95, but another costs more than it brings; one boots in about 7200 s");
  }

  private static Observation.Usable given(Observation.Usable seen, Removable removable) {
    return seen.withOffer(Optional.of(NodeCapacity.of(9).with(removable)));
  }

  @Test
  void onlyANodeThatCanBeGivenBackLeaves() {
    Observation.Usable idle = Rings.seen(0.2, 0.1, 0.3);
    NodeId last = new NodeId("n2:9042");
    Removable row = Removable.inTurn(List.of(List.of(last)), "only the last pod goes");
    Decision.Act act = act(given(idle, row), PolicyState.INITIAL);

    assertThat(act.plan().actions(Action.RemoveNode.class))
        .extracting(Action.RemoveNode::node)
        .containsExactly(last);
    assertThat(act.plan().summary())
        .endsWith("; n1:9042 would go first, but only the last pod goes");
    Removable none = Removable.only(List.of(), "only the last pod goes");
    assertThat(held(given(idle, none), SETTINGS).reason())
        .endsWith("none of 3 nodes can be given back: only the last pod goes");
  }

  @Test
  void whereNoNodeCanBeAddedTheReasonIsTold() {
    NodeCapacity offer =
        new NodeCapacity(0, OptionalInt.of(3), OptionalDouble.empty(), Optional.empty());
    Decision.Hold held = held(Rings.seen(0.9, 0.9, 0.9).withOffer(Optional.of(offer)), SETTINGS);

    assertThat(held.reason())
        .isEqualTo("a node is at 0.90, but no node can be added: quota of 3 machines is used up");
    assertThat(held.setting()).isEmpty();
  }

  /** Not even where nothing is read, and its model would predict something. */
  @Test
  void aPolicyThatPlacesPartitionsSaysThatItPlacesNone() {
    Rates writes = new Rates(0, 0, 0, 900);
    Decision decision =
        Policies.USAGE.decide(
            Rings.seen(Optional.empty(), writes, 0.9, 0.9, 0.9),
            PolicyState.INITIAL,
            SETTINGS
                .with(UsageSettings.builder().model("model.json").build())
                .with(Policies.USAGE));
    assertThat(decision).isInstanceOf(Decision.Hold.class);
    Decision.Hold held = (Decision.Hold) decision;
    assertThat(held.reason()).startsWith("tokens place the data, and this policy places");
    assertThat(held.setting()).isEqualTo("policy");
  }

  @Test
  void nodesAreConfiguredBeforeOneJoins() {
    Profile small = new Profile("CUSTOM", 0.03, 0.20, 32 << 10);
    Rates reads = new Rates(100, 0, 0, 10);
    Decision.Act act = act(Rings.seen(Optional.of(small), reads, 0.95, 0.95), PolicyState.INITIAL);

    assertThat(act.plan().actions(Action.Reconfigure.class)).hasSize(2);
    assertThat(act.plan().actions()).hasSize(2);
    assertThat(act.next()).isEqualTo(PolicyState.INITIAL);
  }
}
