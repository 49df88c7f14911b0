package io.trimtab.controller.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.policy.AutopilotPolicyTest;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.capacity.Objective;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the autopilot does for the agreement of {@link Shop}, where partitions are assigned. */
class AutopilotAgreementsTest {
  private static Decision decide(ClusterSpec spec, Service... services) throws Exception {
    Observation.Usable seen = AutopilotPolicyTest.seen(spec).withServices(List.of(services));
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, Shop.SETTINGS);
  }

  private static Decision.Act act(ClusterSpec spec, Service... services) throws Exception {
    Decision decision = decide(spec, services);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return (Decision.Act) decision;
  }

  private static Decision.Hold held(ClusterSpec spec, Service... services) throws Exception {
    Decision decision = decide(spec, services);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    return (Decision.Hold) decision;
  }

  private static int added(Decision.Act act) {
    return act.plan().actions(Action.AddNode.class).size();
  }

  /** One or two nodes could serve it. */
  private static ClusterSpec little(int nodes) {
    return ClusterSpec.assigned(1, nodes, TableSpec.of("t", 24, 64 << 20, Access.reads(3_000)));
  }

  /** No node is used too much, and none could be given back. */
  private static ClusterSpec well() {
    return ClusterSpec.assigned(1, 2, TableSpec.of("t", 12, 64 << 20, Access.reads(15_000)));
  }

  @Test
  void noNodeIsGivenBackThatAnAgreementNeeds() throws Exception {
    Decision.Act free = act(little(6));
    assertThat(free.plan().actions(Action.RemoveNode.class)).hasSizeGreaterThan(2);

    Decision.Act agreed = act(little(6), Shop.service(30, 100, 20));
    assertThat(agreed.plan().actions(Action.RemoveNode.class)).hasSize(2);
    assertThat(agreed.weighed())
        .filteredOn(alternative -> alternative.nodes() < 4)
        .isNotEmpty()
        .extracting(Alternative::verdict)
        .containsOnly("refused: agreement shop needs 4 nodes");
  }

  /** As all clients may be back in the morning at once. */
  @Test
  void whileFewClientsAskNoMoreThanTheAgreedOnesCanSpareIsGivenBack() throws Exception {
    Decision.Act act = act(little(6), Shop.service(30, 20, 5));
    assertThat(act.plan().actions(Action.RemoveNode.class)).hasSize(2);
    assertThat(act.weighed())
        .filteredOn(alternative -> alternative.nodes() < 4)
        .isNotEmpty()
        .extracting(Alternative::verdict)
        .allMatch(verdict -> verdict.startsWith("refused: only 20 of shop's 100 clients ask now"));
    assertThat(act(little(4), Shop.service(30, 20, 5)).plan().actions(Action.RemoveNode.class))
        .hasSize(1);
  }

  @Test
  void whereItNeedsAllNodesThatIsTheReason() throws Exception {
    Decision.Hold held = held(little(4), Shop.service(30, 100, 25));
    assertThat(held.reason()).contains("to give nodes back is refused: agreement shop needs 4");
    assertThat(held.setting()).contains("slo.margin");
    assertThat(held.weighed())
        .extracting(Alternative::verdict)
        .contains("refused: agreement shop needs 4 nodes");
  }

  @Test
  void whileClientsAreSilentNoNodeIsGivenBack() throws Exception {
    Decision.Hold held = held(little(6), Shop.service(30, 8, false, 0, 1, 1));
    assertThat(held.reason()).contains("0 of 20 checks of what shop's clients report");
  }

  @Test
  void oneThatIsMissedGetsTheNodesOfItsTable() throws Exception {
    assertThat(decide(well())).as("without one").isInstanceOf(Decision.Hold.class);

    Decision.Act act = act(well(), Shop.service(30, 100, 60));
    assertThat(added(act)).isEqualTo(2);
    assertThat(act.plan().actions(Action.Move.class)).isNotEmpty();
    assertThat(act.plan().summary())
        .contains("shop: mean response time 60.0 ms > 30.0; 100 clients, 60.0 ms")
        .contains("by the tables it takes 4 nodes");
    Alternative chosen =
        act.weighed().stream()
            .filter(alternative -> alternative.verdict().equals("chosen"))
            .findFirst()
            .orElseThrow();
    assertThat(chosen.nodes()).isEqualTo(4);
    assertThat(act.weighed())
        .filteredOn(alternative -> alternative.nodes() < 4 && alternative.over() > 0)
        .extracting(Alternative::verdict)
        .allMatch(verdict -> verdict.equals("agreement shop needs 4 nodes"));
  }

  @Test
  void whereTheTablesSayThatThereAreEnoughOneMoreIsTaken() throws Exception {
    assertThat(added(act(well(), Shop.service(60, 100, 70)))).isEqualTo(1);
  }

  /** The same, of which the first node rewrites files. */
  private static Observation.Usable rewriting(Observation.Usable seen, Duration lasting) {
    return rewriting(seen, seen.snapshot().nodes().get(0).id(), lasting);
  }

  private static Observation.Usable rewriting(
      Observation.Usable seen, NodeId node, Duration lasting) {
    ClusterSnapshot all = seen.snapshot();
    List<NodeState> nodes =
        all.nodes().stream()
            .map(n -> n.id().equals(node) ? n.busyWith(List.of("major compaction")) : n)
            .toList();
    ClusterSnapshot busy = all.with(nodes, all.partitions(), all.gaps());
    return seen.on(busy)
        .with(
            new BusyNodes(
                BusyNodes.NONE.append(busy).nodes(), Optional.of(all.takenAt().minus(lasting))));
  }

  /** On nodes that are used little: else each time that files are rewritten there would be more. */
  @Test
  void whatIsMissedWhileFilesAreRewrittenIsWaitedForAndNoNodeIsAdded() throws Exception {
    Observation.Usable seen =
        AutopilotPolicyTest.seen(well()).withServices(List.of(Shop.service(30, 100, 60)));
    Observation.Usable busy = rewriting(seen, Duration.ofMinutes(59));
    Decision decision = Policies.AUTOPILOT.decide(busy, PolicyState.INITIAL, Shop.SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .startsWith("shop: mean response time 60.0 ms > 30.0, but ")
        .contains(" is busy with major compaction; it is waited for until ");
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("choice.awaitMaintenance");

    Settings atOnce = Shop.SETTINGS.with(new ChoiceSettings(null, null, null, null, false, null));
    Decision now = Policies.AUTOPILOT.decide(busy, PolicyState.INITIAL, atOnce);
    Decision later =
        Policies.AUTOPILOT.decide(
            rewriting(seen, Duration.ofHours(1)), PolicyState.INITIAL, Shop.SETTINGS);
    for (Decision then : List.of(now, later)) {
      assertThat(then).as("%s", then).isInstanceOf(Decision.Act.class);
      assertThat(added((Decision.Act) then)).isEqualTo(2);
      assertThat(((Decision.Act) then).plan().summary()).contains("; not waited for: ");
    }
  }

  /** Four nodes are enough by the tables, which were measured on nodes that are used alike. */
  @Test
  void aHotNodeThatExplainsWhatIsMissedIsRelievedFirst() throws Exception {
    Decision.Act act = act(AutopilotPolicyTest.oneHotNode(), Shop.service(30, 100, 60));
    assertThat(added(act)).isZero();
    assertThat(act.plan().actions(Action.Move.class)).isNotEmpty();
  }

  @Test
  void thatItIsMissedIsToldWhereAHotNodeIsWaitedFor() throws Exception {
    Observation.Usable seen =
        AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode())
            .withServices(List.of(Shop.service(30, 100, 60)));
    NodeId hot = Collections.max(seen.usage().entrySet(), Map.Entry.comparingByValue()).getKey();
    Observation.Usable busy = rewriting(seen, hot, Duration.ofMinutes(10));
    Decision decision = Policies.AUTOPILOT.decide(busy, PolicyState.INITIAL, Shop.SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .startsWith("shop: mean response time 60.0 ms > 30.0; the most used node is at 0.");
  }

  /** What relieves it may not be done now, and a node more may. */
  @Test
  void whereAHotNodeMayNotBeRelievedTheAgreementGetsANodeAllTheSame() throws Exception {
    Observation.Usable seen =
        AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode())
            .withServices(List.of(Shop.service(30, 100, 60)));
    for (Policy.Reach reach : List.of(Policy.Reach.ONE, Policy.Reach.UNLESS_OWED)) {
      Policy.Veto onlyNodes =
          act ->
              added(act) > 0
                  ? Optional.empty()
                  : Optional.of(new Policy.Refused("it would go back", "", reach));
      Decision decision =
          Policies.AUTOPILOT.heeding(onlyNodes).decide(seen, PolicyState.INITIAL, Shop.SETTINGS);

      assertThat(decision).as("%s: %s", reach, decision).isInstanceOf(Decision.Act.class);
      assertThat(added((Decision.Act) decision)).as("%s: %s", reach, decision).isEqualTo(1);
    }
  }

  /** Whether the last plan was right shows in minutes; a promise does not wait for that. */
  @Test
  void whereOnePlanHasToWaitAnAgreementGetsWhatElseThereIs() throws Exception {
    Observation.Usable seen =
        AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode())
            .withServices(List.of(Shop.service(24, 100, 60)));
    for (Policy.Reach reach : Policy.Reach.values()) {
      List<Decision.Act> asked = new ArrayList<>();
      Policy.Veto first =
          act -> {
            asked.add(act);
            return asked.size() > 1
                ? Optional.empty()
                : Optional.of(new Policy.Refused("it would go back", "", reach));
          };
      Decision decision =
          Policies.AUTOPILOT.heeding(first).decide(seen, PolicyState.INITIAL, Shop.SETTINGS);

      boolean goesOn = reach != Policy.Reach.ALL;
      assertThat(asked.size() > 1).as("%s: %s", reach, decision).isEqualTo(goesOn);
      assertThat(decision.weighed().stream().anyMatch(a -> a.verdict().equals("chosen")))
          .as("%s: %s", reach, decision)
          .isEqualTo(goesOn);
    }
  }

  /** What keeps a full node from being relieved must not hide that an agreement is missed. */
  @Test
  void whereNothingCanBeDoneBothAreTold() throws Exception {
    ClusterSpec full =
        ClusterSpec.assigned(1, 3, TableSpec.of("t", 24, 64 << 20, Access.reads(34_000)));
    Settings three = Shop.SETTINGS.with(GuardSettings.builder().maxNodes(3).build());
    Observation.Usable seen =
        AutopilotPolicyTest.seen(full).withServices(List.of(Shop.service(24, 100, 60)));
    Decision decision = Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, three);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .startsWith(
            "shop: mean response time 60.0 ms > 24.0, but 3 nodes are the most allowed; the most"
                + " used node is at ");
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("guard.maxNodes, choice.horizon");
  }

  /** They are not why its clients wait. */
  @Test
  void whereNodesDoNextToNothingNoneIsAdded() throws Exception {
    Observation.Usable seen = AutopilotPolicyTest.seen(little(2));
    Map<NodeId, Double> idle = new HashMap<>();
    seen.snapshot().nodes().forEach(node -> idle.put(node.id(), 0.005));
    Observation.Usable byRequests =
        new Observation.Usable(seen.snapshot(), seen.rates(), idle, idle, List.of())
            .withServices(List.of(Shop.service(60, 100, 70)));
    Decision decision = Policies.AUTOPILOT.decide(byRequests, PolicyState.INITIAL, Shop.SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .isEqualTo(
            "shop: mean response time 70.0 ms > 60.0, but nothing that could be done would help");
  }

  @Test
  void demandThatFallsIsNotMissed() throws Exception {
    double any = Double.NaN;
    Objective promised = new Objective("zipf", 100, any, any, any, 0.8, 8);
    // Half of the clients, who are answered as fast as two nodes can, have half of it.
    Service half =
        Shop.service(
            "shop",
            promised,
            false,
            Collections.nCopies(Shop.CHECKS, Shop.check(50, 25, 0.4 * 50 / 25)));
    assertThat(decide(well(), half)).isInstanceOf(Decision.Hold.class);
    Service slow =
        Shop.service(
            "shop",
            promised,
            false,
            Collections.nCopies(Shop.CHECKS, Shop.check(50, 120, 0.4 * 50 / 120)));
    assertThat(added(act(well(), slow))).isPositive();
  }

  @Test
  void clientsAboveTheAgreedNumberGetNodesOnlyIfTheyPay() throws Exception {
    Decision.Hold unpaid = held(little(4), Shop.service(30, 8, false, Shop.CHECKS, 200, 60));
    assertThat(unpaid.reason())
        .contains("100 of its 200 clients are more than agreed, and no node is added for these");
    assertThat(added(act(little(4), Shop.service(30, 8, true, Shop.CHECKS, 200, 60)))).isEqualTo(3);
  }

  /** Two nodes, of which one serves a partition whose files are on the other. */
  private static Observation.Usable oneFar() throws Exception {
    TableSpec table = TableSpec.of("t", 8, 1_600L << 20, Access.reads(1_600));
    Observation.Usable near = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 2, table));
    List<PartitionState> all = near.snapshot().partitions();
    PartitionState one =
        all.stream()
            .filter(p -> all.stream().filter(q -> q.node().equals(p.node())).count() > 1)
            .findFirst()
            .orElseThrow();
    PartitionState far =
        new PartitionState(
            one.id(),
            one.node(),
            one.counters(),
            one.sizeBytes(),
            0,
            one.blockSizeBytes(),
            one.range());
    List<PartitionState> partitions =
        all.stream().map(p -> p.id().equals(one.id()) ? far : p).toList();
    return near.on(
        near.snapshot().with(near.snapshot().nodes(), partitions, near.snapshot().gaps()));
  }

  /** Every plan begins the checks anew, so that compactions in a row would leave it unjudged. */
  @Test
  void nothingIsCompactedWhileAnAgreementIsBeingJudged() throws Exception {
    Settings two = Shop.SETTINGS.with(GuardSettings.builder().minNodes(2).build());
    Observation.Usable far = oneFar();
    for (int checks : new int[] {0, 1, Shop.CHECKS - 1, Shop.CHECKS}) {
      Service kept = Shop.service(60, 8, false, checks, 100, 20);
      Decision decision =
          Policies.AUTOPILOT.decide(far.withServices(List.of(kept)), PolicyState.INITIAL, two);
      // While nobody reports nothing is waited for.
      boolean judging = checks > 0 && checks < Shop.CHECKS;
      assertThat(decision instanceof Decision.Act)
          .as("%s checks: %s", checks, decision)
          .isEqualTo(!judging);
    }
  }

  /** It would be more of what is waited for, and each plan begins the checks anew. */
  @Test
  void nothingIsCompactedWhileAMissedAgreementWaitsForMaintenance() throws Exception {
    Settings two = Shop.SETTINGS.with(GuardSettings.builder().minNodes(2).build());
    Observation.Usable far = oneFar();
    List<NodeId> nodes = far.snapshot().nodes().stream().map(NodeState::id).toList();
    boolean first =
        far.snapshot().partitions().stream()
            .filter(p -> p.locality() == 0)
            .anyMatch(p -> p.node().orElseThrow().equals(nodes.get(0)));
    Observation.Usable busy = rewriting(far, nodes.get(first ? 1 : 0), Duration.ofMinutes(10));

    Decision kept =
        Policies.AUTOPILOT.decide(
            busy.withServices(List.of(Shop.service(60, 100, 20))), PolicyState.INITIAL, two);
    assertThat(kept).as("%s", kept).isInstanceOf(Decision.Act.class);
    Decision missed =
        Policies.AUTOPILOT.decide(
            busy.withServices(List.of(Shop.service(60, 100, 70))), PolicyState.INITIAL, two);
    assertThat(missed).as("%s", missed).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) missed).setting()).isEqualTo("choice.awaitMaintenance");
  }

  @Test
  void clientsAreListenedToWhereAnAgreementIsNamed() {
    assertThat(Policies.AUTOPILOT.uses(Shop.SETTINGS)).contains(Need.SERVICE);
    assertThat(Policies.AUTOPILOT.uses(Settings.defaults())).doesNotContain(Need.SERVICE);
    assertThat(Shop.SETTINGS.agreementNotKept()).isEmpty();
  }
}
