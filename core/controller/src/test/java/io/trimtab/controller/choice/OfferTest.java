package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.AutopilotPolicyTest;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a provider tells of price and time is part of what a node costs. */
class OfferTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);
  private static final int PRESENT = 3;

  /** Three nodes that are used too much, where only another one helps. */
  private static Observation.Usable full() throws Exception {
    TableSpec even = TableSpec.of("t", 24, 64 << 20, Access.reads(34_000));
    return AutopilotPolicyTest.seen(ClusterSpec.assigned(1, PRESENT, even));
  }

  private static Decision decide(Observation.Usable seen) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS);
  }

  private static NodeCapacity offer(double newNode, Duration boot) {
    Map<String, Double> prices = new TreeMap<>();
    Profile.STANDARD.forEach(profile -> prices.put(profile.name(), newNode));
    prices.put("CUSTOM", newNode);
    return new NodeCapacity(
        9, OptionalInt.empty(), OptionalDouble.of(1), prices, Optional.ofNullable(boot));
  }

  private static Alternative adding(Decision decision) {
    return decision.weighed().stream()
        .filter(alternative -> alternative.title().startsWith("add "))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aNodeThatCostsMoreThanTheOthersIsWorthLess() throws Exception {
    Observation.Usable seen = full();
    Alternative usual = adding(decide(seen.withOffer(Optional.of(offer(1, null)))));
    Alternative untold = same(decide(seen), usual);
    Alternative dear = same(decide(seen.withOffer(Optional.of(offer(1.5, null)))), usual);

    assertThat(untold.gain()).isCloseTo(usual.gain(), within(1e-6));
    double more = 0.5 * (usual.nodes() - PRESENT) * SETTINGS.choice().horizon().toSeconds();
    assertThat(more).isPositive();
    assertThat(usual.gain() - dear.gain()).isCloseTo(more, within(1e-3));
  }

  private static Alternative same(Decision decision, Alternative as) {
    return decision.weighed().stream()
        .filter(alternative -> alternative.title().equals(as.title()))
        .findFirst()
        .orElseThrow();
  }

  /** What runs on a machine of twice the usual price saves twice as much by leaving. */
  @Test
  void aNodeThatIsThereCountsByItsOwnPrice() throws Exception {
    TableSpec little = TableSpec.of("t", 24, 64 << 20, Access.reads(3_000));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 2, little));
    Map<NodeId, Double> dear = new TreeMap<>();
    seen.snapshot().nodes().forEach(node -> dear.put(node.id(), 2.0));
    NodeCapacity offer = offer(1, null);

    Alternative usual = removing(decide(seen.withOffer(Optional.of(offer))));
    Alternative twice = removing(decide(seen.withOffer(Optional.of(offer.with(dear)))));
    assertThat(removing(decide(seen)).gain()).isCloseTo(usual.gain(), within(1e-6));
    assertThat(twice.gain() - usual.gain())
        .isCloseTo(SETTINGS.choice().horizon().toSeconds(), within(1e-3));
  }

  private static Alternative removing(Decision decision) {
    return decision.weighed().stream()
        .filter(alternative -> alternative.title().equals("remove a node"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whereNoNodeCanBeAddedTheAlternativesTellWhy() throws Exception {
    NodeCapacity full =
        new NodeCapacity(
            0, OptionalInt.of(PRESENT), OptionalDouble.empty(), Optional.<Duration>empty());
    String why = "no node can be added: quota of 3 machines is used up";
    Decision decision = decide(full().withOffer(Optional.of(full)));

    assertThat(adding(decision).verdict()).isEqualTo("refused: " + why);
    assertThat(
            decision instanceof Decision.Act act
                && !act.plan().actions(Action.AddNode.class).isEmpty())
        .isFalse();
    if (decision instanceof Decision.Hold hold) {
      assertThat(hold.reason()).endsWith(", but " + why);
    }
  }

  @Test
  void aNodeRelievesTheOthersOnlyOnceItHasBooted() throws Exception {
    Observation.Usable seen = full();
    Decision soon = decide(seen.withOffer(Optional.of(offer(1, Duration.ofSeconds(30)))));
    Decision late = decide(seen.withOffer(Optional.of(offer(1, Duration.ofMinutes(20)))));
    Decision half = decide(seen.withOffer(Optional.of(offer(1, Duration.ofMinutes(30)))));

    assertThat(adding(soon).gain()).isGreaterThan(adding(late).gain());
    assertThat(adding(late).gain()).isGreaterThan(adding(half).gain());
    assertThat(((Decision.Act) soon).plan().actions(Action.AddNode.class)).isNotEmpty();
  }

  /** The load may last as long as it takes, and then there is no node in time. */
  @Test
  void oneThatBootsLongerThanTheLoadIsExpectedToLastIsNotForbidden() throws Exception {
    Observation.Usable seen = full();
    Decision half = decide(seen.withOffer(Optional.of(offer(1, Duration.ofMinutes(30)))));
    Decision longer = decide(seen.withOffer(Optional.of(offer(1, Duration.ofHours(2)))));

    assertThat(SETTINGS.choice().horizon()).isEqualTo(Duration.ofHours(1));
    assertThat(adding(longer).gain()).isCloseTo(adding(half).gain(), within(1e-6));
  }
}
