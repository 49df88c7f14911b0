package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.agreement.Shop;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.guard.Preconditions;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.ReplicaSignals;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.RingRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A ring gives up a node that coordinators avoid rather than one that works. */
class RingSlowNodeTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(UsageSettings.builder().ringMargin(0.1).build());
  private static final NodeId SLOW = new NodeId("n1:9042");
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final Duration SHORT = Duration.ofMinutes(5);

  /** The same, of which n1 gets a fifth of the reads that its peers get. */
  private static Observation.Usable slow(Observation.Usable seen, Duration lasted) {
    return seen.withSlow(List.of(new SlowNode(SLOW, 0.2, lasted, ReplicaSignals.UNKNOWN)));
  }

  private static Decision decide(Observation.Usable seen) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS);
  }

  private static List<NodeId> removed(Decision decision) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Plan plan = ((Decision.Act) decision).plan();
    return plan.actions(Action.RemoveNode.class).stream().map(Action.RemoveNode::node).toList();
  }

  private static List<Action.AddNode> added(Decision decision) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan().actions(Action.AddNode.class);
  }

  @Test
  void itIsTheOneThatIsGivenBackThoughAnotherIsUsedLess() {
    Observation.Usable idle = Rings.seen(0.1, 0.12, 0.1, 0.1);

    assertThat(removed(decide(idle))).containsExactly(new NodeId("n0:9042"));
    assertThat(removed(decide(slow(idle, SHORT)))).containsExactly(SLOW);
  }

  @Test
  void itIsMissedLessThanOneThatWorks() {
    Observation.Usable seen = Rings.seen(0.5, 0.2, 0.5, 0.5);

    assertThat(decide(seen)).as("four that work").isInstanceOf(Decision.Hold.class);
    assertThat(removed(decide(slow(seen, SHORT)))).containsExactly(SLOW);
    assertThat(added(decide(slow(seen, SHORT)))).isEmpty();
  }

  @Test
  void anotherTakesItsPlaceOnceItHasBeenSlowForLong() {
    Observation.Usable seen = Rings.seen(0.6, 0.3, 0.6);
    Decision decision = decide(slow(seen, LONG));

    assertThat(removed(decision)).containsExactly(SLOW);
    assertThat(added(decision)).hasSize(1);
    assertThat(((Decision.Act) decision).plan().summary())
        .startsWith("n1:9042 gets 20 % of the reads that its peers get, for 30 min")
        .endsWith("; another takes its place");
    Decision.Hold early = (Decision.Hold) decide(slow(seen, SHORT));
    assertThat(early.reason()).contains("it would cost more than it brings");
  }

  @Test
  void anotherTakesItsPlaceOnlyWhereItCanBeGivenBackThen() {
    Observation.Usable seen = slow(Rings.seen(0.6, 0.3, 0.6), LONG);
    String rule = "only the last pod goes";
    NodeCapacity any = NodeCapacity.of(1).with(Removable.only(List.of(SLOW), rule));
    NodeCapacity last = NodeCapacity.of(1).with(Removable.inTurn(List.of(List.of(SLOW)), rule));

    assertThat(removed(decide(seen.withOffer(Optional.of(any))))).containsExactly(SLOW);
    assertThat(((Decision.Hold) decide(seen.withOffer(Optional.of(last)))).reason())
        .endsWith("; it can't be given back when another has joined: " + rule);
    assertThat(((Decision.Hold) decide(seen.withOffer(Optional.of(NodeCapacity.of(0))))).reason())
        .endsWith(
            "; to replace it takes a node more for a while, but no node can be added: the node"
                + " provider has none left");
  }

  /** Its peers lack it for as long as the other boots. */
  @Test
  void anotherThatBootsForLongDoesNotTakeItsPlace() {
    NodeCapacity slowly =
        new NodeCapacity(
            1, OptionalInt.empty(), OptionalDouble.empty(), Optional.of(Duration.ofMinutes(29)));
    Decision decision =
        decide(slow(Rings.seen(0.6, 0.3, 0.6), LONG).withOffer(Optional.of(slowly)));

    assertThat(((Decision.Hold) decision).reason()).contains("it would cost more than it brings");
  }

  @Test
  void thatPlanPassesTheGuardAndItsOwnPreconditions() {
    Observation.Usable seen = slow(Rings.seen(0.6, 0.3, 0.6), LONG);
    Plan plan = ((Decision.Act) decide(seen)).plan();

    assertThat(plan.actions())
        .extracting(planned -> planned.action().kind())
        .as("it joins before the other leaves, and nobody cleans up what comes back")
        .containsExactly("add-node", "remove-node", "cleanup", "cleanup");
    assertThat(
            Guard.check(
                plan,
                seen.snapshot(),
                Optional.empty(),
                Optional.of(NodeCapacity.of(1)),
                SETTINGS,
                Instant.EPOCH))
        .isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(Preconditions.violatedByRest(plan.actions(), seen.snapshot(), Map.of())).isEmpty();
  }

  @Test
  void whereNoMoreNodesAreAllowedThatIsTold() {
    Settings three = SETTINGS.with(GuardSettings.builder().maxNodes(3).build());
    Decision.Hold hold =
        (Decision.Hold)
            Policies.AUTOPILOT.decide(
                slow(Rings.seen(0.6, 0.3, 0.6), LONG), PolicyState.INITIAL, three);

    assertThat(hold.reason())
        .endsWith(" takes a node more for a while, but 3 nodes are the most allowed");
    assertThat(hold.setting()).isEqualTo("guard.maxNodes");
  }

  /** By the table it needs three nodes, and its tenant does not accept one more. */
  @Test
  void anAgreementsMostNodesHoldForAWhileToo() {
    Observation.Usable seen = slow(Rings.seen(0.6, 0.3, 0.6), LONG);
    Service three = Shop.service(40, 3, false, 20, 100, 20);
    Service four = Shop.service(40, 4, false, 20, 100, 20);
    Decision.Hold hold = (Decision.Hold) decide(seen.withServices(List.of(three)));

    assertThat(hold.reason())
        .endsWith(" takes a node more for a while, but 3 nodes are the most allowed");
    assertThat(hold.setting()).isEqualTo("maxNodes of the agreement");
    assertThat(removed(decide(seen.withServices(List.of(four))))).containsExactly(SLOW);
  }

  /** Ten of eleven requests are reads, of which it has a fifth: it does 3/11 of a node's work. */
  @Test
  void whatIsPredictedCountsItAsFarAsItWorks() {
    Decision.Act fewer = (Decision.Act) decide(slow(Rings.seen(0.5, 0.2, 0.5, 0.5), SHORT));
    Decision.Act instead = (Decision.Act) decide(slow(Rings.seen(0.6, 0.3, 0.6), LONG));

    assertThat(fewer.plan().summary()).contains("with 3 at 0.55");
    assertThat(fewer.predicted().orElseThrow().usage()).hasSize(3).doesNotContainKey(SLOW);
    assertThat(fewer.predicted().orElseThrow().most())
        .isCloseTo(0.5 * (3 + 3 / 11.0) / 3, within(1e-9));
    assertThat(instead.predicted().orElseThrow().usage())
        .containsOnlyKeys(new NodeId("n0:9042"), new NodeId("n2:9042"), new NodeId("new-1"))
        .allSatisfy(
            (node, usage) -> assertThat(usage).isCloseTo(0.6 * (2 + 3 / 11.0) / 3, within(1e-9)));
  }

  @Test
  void itsOwnUsageAsksForNoNodes() {
    Observation.Usable seen = Rings.seen(0.6, 0.95, 0.6);

    assertThat(added(decide(seen))).as("one that is not avoided").isNotEmpty();
    assertThat(decide(slow(seen, SHORT))).isInstanceOf(Decision.Hold.class);
  }

  @Test
  void aFullRingGetsAnotherInItsPlaceRatherThanOneMore() {
    Observation.Usable seen = Rings.seen(0.85, 0.4, 0.85);
    Decision decision = decide(slow(seen, LONG));

    assertThat(removed(decision)).containsExactly(SLOW);
    assertThat(added(decision)).hasSize(1);
    assertThat(removed(decide(slow(seen, SHORT)))).as("too early").isEmpty();
    assertThat(added(decide(slow(seen, SHORT)))).isNotEmpty();
  }

  @Test
  void itStaysWhileNodesRepairAndWhereItsReplacementIsRefused() {
    Observation.Usable seen = Rings.seen(0.6, 0.3, 0.6);
    List<NodeState> nodes = new ArrayList<>(seen.snapshot().nodes());
    nodes.set(1, nodes.get(1).busyWith(List.of("repair")));
    Decision.Hold busy = (Decision.Hold) decide(slow(Rings.with(seen, nodes, 2), LONG));
    Policy.Veto never = act -> Optional.of(new Policy.Refused("no machine", "guard.maxNodes"));
    Decision.Hold refused =
        (Decision.Hold)
            Policies.AUTOPILOT
                .heeding(never)
                .decide(slow(seen, LONG), PolicyState.INITIAL, SETTINGS);

    assertThat(busy.setting()).isEqualTo("choice.awaitMaintenance");
    assertThat(refused.reason()).endsWith("to replace it is refused: no machine");
    assertThat(refused.setting()).isEqualTo("guard.maxNodes");
  }

  /** It lacks 8/11 of a node for half an hour, which are 1,309 s, and 600 s are for the change. */
  @Test
  void theCleanupsOfItsPeersHaveTheirPrice() {
    Observation.Usable seen = Rings.seen(0.6, 0.3, 0.6);
    NodeId peer = new NodeId("n0:9042");

    assertThat(removed(decide(slow(Rings.storing(seen, peer::equals, 70_000_000_000L), LONG))))
        .containsExactly(SLOW);
    assertThat(decide(slow(Rings.storing(seen, peer::equals, 72_000_000_000L), LONG)))
        .isInstanceOf(Decision.Hold.class);
  }

  /** The same a while later. */
  private static Observation.Usable later(Observation.Usable seen, Duration time) {
    ClusterSnapshot then = seen.snapshot().at(Instant.EPOCH.plus(time), OptionalLong.empty());
    return new Observation.Usable(then, seen.rates(), seen.usage(), seen.usage(), List.of());
  }

  @Test
  void neitherItNorTheOneInItsPlaceIsReplacedAgainWithinADay() {
    Observation.Usable seen = Rings.seen(0.6, 0.3, 0.6);
    PolicyState next = ((Decision.Act) decide(slow(seen, LONG))).next();
    Duration almost = Duration.ofDays(1).minusSeconds(1);
    NodeId joined = new NodeId("n7:9042");
    PolicyState asTheOther = next.named(Map.of(new NodeId("new-1"), SLOW));

    assertThat(next.named(Map.of(new NodeId("new-1"), joined)).replaced())
        .extracting(PolicyState.Replaced::node)
        .containsExactly(SLOW, joined);
    for (PolicyState state : List.of(next, asTheOther)) {
      Decision.Hold hold =
          (Decision.Hold)
              Policies.AUTOPILOT.decide(slow(later(seen, almost), LONG), state, SETTINGS);
      assertThat(hold.reason()).endsWith("it is not replaced before 1970-01-02T00:00:00Z");
      Duration day = Duration.ofDays(1);
      assertThat(removed(Policies.AUTOPILOT.decide(slow(later(seen, day), LONG), state, SETTINGS)))
          .containsExactly(SLOW);
    }
  }

  @Test
  void whereANewNodeMayComeToAnotherRackItStays() {
    Observation.Usable seen = Rings.seen(0.6, 0.3, 0.6);
    List<NodeState> nodes = new ArrayList<>();
    for (NodeState node : seen.snapshot().nodes()) {
      nodes.add(node.in("dc1", nodes.isEmpty() ? "r1" : "r2"));
    }
    Decision.Hold hold = (Decision.Hold) decide(slow(Rings.with(seen, nodes, 2), LONG));

    assertThat(hold.reason()).contains("a new node may come to another rack or data centre");
  }

  /** Two racks, of which the one with the slow node is the smaller one. */
  private static List<NodeState> racks(Observation.Usable seen) {
    List<NodeState> nodes = new ArrayList<>();
    for (NodeState node : seen.snapshot().nodes()) {
      nodes.add(node.in("dc1", nodes.size() % 2 == 0 ? "r1" : "r2"));
    }
    return nodes;
  }

  @Test
  void whereANewNodeIsAskedForInItsRackAnotherTakesItsPlace() {
    Observation.Usable seen = Rings.seen(0.6, 0.3, 0.6, 0.6, 0.6);
    Decision decision = decide(slow(Rings.with(seen, racks(seen), 2), LONG));

    assertThat(removed(decision)).containsExactly(SLOW);
    assertThat(added(decision)).hasSize(1);
  }

  @Test
  void itDoesNotLeaveWhereTheOtherHasJoinedElsewhere() {
    Observation.Usable seen = Rings.seen(0.6, 0.3, 0.6, 0.6, 0.6);
    List<NodeState> nodes = new ArrayList<>(racks(seen));
    NodeState joined = Rings.seen(0, 0, 0, 0, 0, 0).snapshot().nodes().get(5);
    Map<NodeId, NodeId> added = Map.of(new NodeId("new-1"), joined.id());
    Action leaves = new Action.RemoveNode(SLOW);

    nodes.add(joined.in("dc1", "r2"));
    assertThat(Preconditions.violated(leaves, Rings.with(seen, nodes, 2).snapshot(), added))
        .isEmpty();
    nodes.set(5, joined.in("dc1", "r1"));
    assertThat(Preconditions.violated(leaves, Rings.with(seen, nodes, 2).snapshot(), added))
        .contains(
            "node n5:9042 joined in rack r1 of dc1 and not in rack r2 of dc1, so that it has not"
                + " got the ranges of n1:9042");
    assertThat(Preconditions.violated(leaves, Rings.with(seen, nodes, 2).snapshot(), Map.of()))
        .as("which is given back by another plan")
        .isEmpty();
  }

  /** Whatever else tokens are chosen by. */
  @Test
  void theOneInItsPlaceGetsItsRangesOrDoesNotJoin() {
    Settings settings =
        SETTINGS.with(PlaceSettings.builder().tokens(PlaceSettings.Tokens.ENGINE).build());
    Decider.Context context =
        new Decider.Context(
            slow(Rings.seen(0.6, 0.3, 0.6), LONG),
            new TreeMap<>(),
            PolicyState.INITIAL,
            settings,
            Decider.Past.NONE,
            Optional.of(NodeCapacity.of(1)),
            true,
            Instant.EPOCH);
    Decider.Go go = (Decider.Go) Decider.decide(context);
    Map<Long, NodeId> owners = Map.of(10L, SLOW, 20L, new NodeId("n0:9042"), 30L, SLOW);
    RingRequests known = new RingRequests(new TreeMap<>(owners), new TreeMap<>(), "not sampled");

    assertThat(go.asksRing()).isTrue();
    Decider.Go full = (Decider.Go) Decider.again(go.with(known), context);
    assertThat(full.act().plan().actions(Action.AddNode.class).get(0).tokens())
        .containsExactly(9L, 29L);
    assertThat(Decider.again(go.with(RingRequests.unknown("no driver")), context))
        .isEqualTo(
            new Decider.Refusal(
                "policy autopilot",
                "a new node would not get the ranges of n1:9042: the tokens of the ring are not"
                    + " known",
                ""));
  }
}
