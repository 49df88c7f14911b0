package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.agreement.Shop;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The same on a ring: 100 clients need 5 nodes for 24 ms, and for 21.6, which leave a tenth. */
class RingAgreementsTest {
  private static Decision decide(Settings settings, Service service, double... usage) {
    Observation.Usable seen = Rings.seen(usage).withServices(List.of(service));
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings);
  }

  private static Decision.Act act(Service service, double... usage) {
    Decision decision = decide(Shop.SETTINGS, service, usage);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return (Decision.Act) decision;
  }

  private static Decision.Hold held(Settings settings, Service service, double... usage) {
    Decision decision = decide(settings, service, usage);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    return (Decision.Hold) decision;
  }

  private static int added(Decision.Act act) {
    return act.plan().actions(Action.AddNode.class).size();
  }

  @Test
  void oneThatIsMissedGetsTheNodesOfItsTable() {
    Decision.Act act = act(Shop.service(24, 100, 60), 0.5, 0.5, 0.5);
    assertThat(added(act)).isEqualTo(2);
    assertThat(act.plan().summary())
        .startsWith("shop: mean response time 60.0 ms > 24.0; 100 clients, 60.0 ms")
        .contains("by the tables it takes 5 nodes; the most used of 3 nodes is at 0.50");
    assertThat(act.predicted()).isPresent();
    assertThat(added(act(Shop.service(40, 100, 60), 0.5, 0.5, 0.5)))
        .as("enough by the tables")
        .isEqualTo(1);
  }

  /** It is bought whether or not it pays, so that its price is the more to be told. */
  @Test
  void whatANodeCostsAndHowLongItTakesIsTold() {
    NodeCapacity offer =
        new NodeCapacity(
            9,
            OptionalInt.empty(),
            OptionalDouble.of(1),
            Map.of(),
            Optional.of(Duration.ofMinutes(4)));
    Observation.Usable seen =
        Rings.seen(0.5, 0.5, 0.5)
            .withServices(List.of(Shop.service(24, 100, 60)))
            .withOffer(Optional.of(offer));
    Decision decision = Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, Shop.SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().summary()).contains("; one boots in about 240 s");
  }

  /** By usage alone 3 x 0.95 / 0.7 would be 5 nodes, and 4 x 0.85 / 0.7. */
  @Test
  void whatIsUsedTooMuchGetsTheMoreOfBoth() {
    assertThat(added(act(Shop.service(30, 100, 60), 0.95, 0.95, 0.95))).isEqualTo(2);
    assertThat(added(act(Shop.service(13, 100, 60), 0.85, 0.85, 0.85, 0.85))).isEqualTo(4);
  }

  @Test
  void noMoreNodesThanTheTenantAcceptsOrTheGuardAllows() {
    Service four = Shop.service(24, 4, false, 20, 100, 60);
    assertThat(added(act(four, 0.5, 0.5, 0.5))).isEqualTo(1);
    Decision.Hold full = held(Shop.SETTINGS, four, 0.5, 0.5, 0.5, 0.5);
    assertThat(full.reason())
        .isEqualTo("shop: mean response time 60.0 ms > 24.0, but 4 nodes are the most allowed");
    assertThat(full.setting()).isEqualTo("maxNodes of the agreement");
    assertThat(held(Shop.SETTINGS, four, 0.9, 0.9, 0.9, 0.9).setting())
        .as("nor for what is used too much")
        .isEqualTo("maxNodes of the agreement");
    assertThat(held(Shop.SETTINGS, four, 0.5, 0.5, 0.5, 0.5, 0.5).reason())
        .as("where there are more")
        .endsWith(", but 4 nodes are the most allowed");

    Settings three = Shop.SETTINGS.with(GuardSettings.builder().maxNodes(3).build());
    assertThat(held(three, Shop.service(24, 100, 60), 0.5, 0.5, 0.5).setting())
        .isEqualTo("guard.maxNodes");
  }

  /** It runs, and has its price, until it has left. */
  @Test
  void aNodeThatIsBeingEmptiedIsOneOfThoseThatTheTenantAccepts() {
    Observation.Usable all = Rings.seen(0.5, 0.5, 0.5, 0.5);
    List<NodeState> nodes = new ArrayList<>(all.snapshot().nodes());
    NodeState last = nodes.get(3);
    nodes.set(
        3,
        new NodeState(
            last.id(), 1, true, true, last.profile(), false, last.usage(), last.gauges()));
    Observation.Usable leaving =
        Rings.with(all, nodes, 2).withServices(List.of(Shop.service(24, 4, false, 20, 100, 60)));
    Decision decision = Policies.AUTOPILOT.decide(leaving, PolicyState.INITIAL, Shop.SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .endsWith(", but 4 nodes are the most allowed, with 1 node being emptied or not read");
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("maxNodes of the agreement");
  }

  /** As there are the most nodes that the tenant accepts, though it needs five. */
  @Test
  void whereNoNodeMayJoinNodesAreConfigured() {
    Profile small = new Profile("CUSTOM", 0.03, 0.20, 32 << 10);
    Observation.Usable full =
        Rings.seen(Optional.of(small), new Rates(100, 0, 0, 10), 0.95, 0.95)
            .withServices(List.of(Shop.service(24, 2, false, 20, 100, 60)));
    Decision decision = Policies.AUTOPILOT.decide(full, PolicyState.INITIAL, Shop.SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions())
        .extracting(planned -> planned.action().kind())
        .containsExactly("reconfigure", "reconfigure");
  }

  @Test
  void noNodeIsGivenBackThatAnAgreementNeeds() {
    double[] idle = {0.1, 0.1, 0.1, 0.1, 0.1};
    Decision.Hold held = held(Shop.SETTINGS, Shop.service(24, 100, 20), idle);
    assertThat(held.reason())
        .isEqualTo("a node could be given back, but agreement shop needs 5 nodes");
    assertThat(held.setting()).isEqualTo("slo.margin");
    assertThat(act(Shop.service(40, 100, 20), idle).plan().actions(Action.RemoveNode.class))
        .hasSize(1);
    assertThat(held(Shop.SETTINGS, Shop.service(40, 8, false, 7, 100, 20), idle).setting())
        .as("while clients are silent")
        .isEqualTo("slo.checks");
  }

  @Test
  void clientsThatNobodyPaysForGetNoNode() {
    Service more = Shop.service(40, 8, false, 20, 200, 60);
    assertThat(held(Shop.SETTINGS, more, 0.5, 0.5, 0.5).reason())
        .contains("100 of its 200 clients are more than agreed");
    assertThat(added(act(Shop.service(40, 8, true, 20, 200, 60), 0.5, 0.5, 0.5))).isEqualTo(2);
  }
}
