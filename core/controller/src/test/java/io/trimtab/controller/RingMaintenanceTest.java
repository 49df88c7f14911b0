package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.maintenance.Busy;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.maintenance.RingChanges;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rings do not change while their nodes repair, for as long as is looked ahead. */
class RingMaintenanceTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);
  private static final Settings AT_ONCE =
      SETTINGS.with(new ChoiceSettings(null, null, null, null, false, null));
  private static final NodeId N0 = new NodeId("n0:9042");
  private static final NodeId N1 = new NodeId("n1:9042");
  private static final Action JOIN = new Action.AddNode(1, Profile.HOMOGENEOUS);
  private static final Action LEAVE = new Action.RemoveNode(N1);

  private static Decision decide(Observation.Usable seen, Settings settings) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings);
  }

  /** The same, of which the first nodes repair. */
  private static Observation.Usable repairing(Observation.Usable seen, int number) {
    List<NodeState> nodes = new ArrayList<>(seen.snapshot().nodes());
    for (int i = 0; i < number; i++) {
      nodes.set(i, nodes.get(i).busyWith(List.of("cleanup", "repair")));
    }
    return Rings.with(seen, nodes, 2);
  }

  /** The same, in which some node has repaired for so long. */
  private static Observation.Usable lasting(Observation.Usable seen, Duration time) {
    return seen.with(new BusyNodes(seen.busy().nodes(), Optional.of(Instant.EPOCH.minus(time))));
  }

  @Test
  void noNodeJoinsWhileOneRepairs() {
    Observation.Usable full = Rings.seen(0.9, 0.9, 0.9);
    Decision.Act free = (Decision.Act) decide(full, SETTINGS);
    Decision.Hold hold = (Decision.Hold) decide(repairing(full, 1), SETTINGS);

    assertThat(free.plan().actions(Action.AddNode.class)).isNotEmpty();
    assertThat(hold.reason())
        .isEqualTo(
            "a node is at 0.90, but n0:9042 is busy with cleanup and repair; no node joins or"
                + " leaves before that has ended, until 1970-01-01T01:00:00Z at the latest (busy"
                + " since 1970-01-01T00:00:00Z)");
    assertThat(hold.setting()).isEqualTo("choice.awaitMaintenance");
    assertThat(decide(repairing(full, 1), AT_ONCE)).isInstanceOf(Decision.Act.class);
  }

  @Test
  void noNodeLeavesWhileSomeRepair() {
    Observation.Usable idle = Rings.seen(0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
    Decision.Act free = (Decision.Act) decide(idle, SETTINGS);
    Decision.Hold hold = (Decision.Hold) decide(repairing(idle, 5), SETTINGS);

    assertThat(free.plan().actions(Action.RemoveNode.class)).hasSize(1);
    assertThat(hold.reason())
        .startsWith("a node could be given back, but n0:9042 is busy with cleanup and repair,")
        .contains("n2:9042 is busy", "as are 2 nodes")
        .doesNotContain("n3:9042");
  }

  @Test
  void whatHasLastedForTheHorizonIsNotWaitedForAnyMore() {
    Observation.Usable full = repairing(Rings.seen(0.9, 0.9, 0.9), 1);

    assertThat(decide(lasting(full, Duration.ofMinutes(59)), SETTINGS))
        .isInstanceOf(Decision.Hold.class);
    Decision.Act act = (Decision.Act) decide(lasting(full, Duration.ofHours(1)), SETTINGS);
    assertThat(act.plan().actions(Action.AddNode.class)).isNotEmpty();
    assertThat(act.plan().summary())
        .endsWith(
            "; not waited for: n0:9042 is busy with cleanup and repair since"
                + " 1969-12-31T23:00:00Z");
  }

  @Test
  void aRingThatIsUsedToItsLimitDoesNotWait() {
    Decision decision = decide(repairing(Rings.seen(0.98, 0.98, 0.98), 1), SETTINGS);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().summary()).contains("; not waited for: n0:9042");
  }

  private static ClusterSnapshot at(Observation.Usable seen, int seconds) {
    return seen.snapshot().at(Instant.EPOCH.plusSeconds(seconds), OptionalLong.empty());
  }

  @Test
  void aRepairGoesOnBetweenItsPhases() {
    Observation.Usable idle = Rings.seen(0.5, 0.5, 0.5);
    Observation.Usable busy = repairing(idle, 1);
    BusyNodes looks =
        BusyNodes.NONE
            .append(at(busy, 0))
            .append(at(idle, 60))
            .append(at(busy, 150))
            .append(at(idle, 200));

    assertThat(looks.nodes())
        .containsExactly(
            new Busy(
                N0, List.of("cleanup", "repair"), Instant.EPOCH, Instant.EPOCH.plusSeconds(150)));
    assertThat(looks.append(at(idle, 269)).nodes()).hasSize(1);
    assertThat(looks.append(at(idle, 270))).isEqualTo(BusyNodes.NONE);
  }

  /** Otherwise one that goes through the whole ring would be waited for at every node anew. */
  @Test
  void workThatGoesFromNodeToNodeHasBegunOnce() {
    Observation.Usable idle = Rings.seen(0.5, 0.5, 0.5);
    List<NodeState> nodes = new ArrayList<>(idle.snapshot().nodes());
    nodes.set(1, nodes.get(1).busyWith(List.of("repair")));
    BusyNodes looks =
        BusyNodes.NONE
            .append(at(repairing(idle, 1), 0))
            .append(at(Rings.with(idle, nodes, 2), 100))
            .append(at(Rings.with(idle, nodes, 2), 200));

    assertThat(looks.nodes()).extracting(Busy::node).containsExactly(N1);
    assertThat(looks.nodes().get(0).since()).isEqualTo(Instant.EPOCH.plusSeconds(100));
    assertThat(looks.since()).contains(Instant.EPOCH);
  }

  @Test
  void aClockThatIsSetBackMakesNoWaitLonger() {
    Observation.Usable busy = repairing(Rings.seen(0.5, 0.5, 0.5), 1);
    BusyNodes looks = BusyNodes.NONE.append(at(busy, 5_000)).append(at(busy, 1_000));

    assertThat(looks.since()).contains(Instant.EPOCH.plusSeconds(1_000));
    assertThat(looks.nodes().get(0).since()).isEqualTo(Instant.EPOCH.plusSeconds(1_000));
  }

  private static Optional<String> awaited(
      Action action, ClusterSnapshot now, BusyNodes busy, Settings settings) {
    PlannedAction planned = new PlannedAction(1, action, "r", "e", "c", "u");
    return RingChanges.awaited(List.of(planned), now, busy, Set.of(), settings);
  }

  /** As the decision has it: what a slow node uses says little of what is asked for. */
  @Test
  void aSlowNodeThatIsUsedToItsLimitIsNoReasonNotToWait() {
    ClusterSnapshot now = repairing(Rings.seen(0.5, 0.98, 0.5), 1).snapshot();
    BusyNodes busy = BusyNodes.NONE.append(now);
    List<PlannedAction> joins = List.of(new PlannedAction(1, JOIN, "r", "e", "c", "u"));

    assertThat(RingChanges.awaited(joins, now, busy, Set.of(), SETTINGS)).isEmpty();
    assertThat(RingChanges.awaited(joins, now, busy, Set.of(N1), SETTINGS)).isPresent();
  }

  @Test
  void theNextControllerDoesNotWaitAnew() {
    Observation.Usable repairs = repairing(Rings.seen(0.5, 0.5, 0.5), 1);
    BusyNodes looks = BusyNodes.NONE.append(at(repairs, 0)).append(at(repairs, 1_200));
    BusyNodes kept = BusyNodes.of(looks.kept());
    Instant soon = Instant.EPOCH.plusSeconds(2_000);
    Instant late = Instant.EPOCH.plusSeconds(2_100);

    assertThat(kept).isEqualTo(looks);
    assertThat(kept.resumed(soon).append(at(repairs, 2_000)).since()).contains(Instant.EPOCH);
    assertThat(kept.resumed(late).append(at(repairs, 2_100)).since())
        .as("it may be another repair")
        .contains(late);
  }

  @Test
  void eachChangeOfARingIsAskedAboutAgain() {
    ClusterSnapshot now = repairing(Rings.seen(0.5, 0.5, 0.5), 1).snapshot();
    BusyNodes busy = BusyNodes.NONE.append(now);

    for (Action action : List.of(JOIN, LEAVE)) {
      assertThat(awaited(action, now, busy, SETTINGS))
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .startsWith("n0:9042 is busy with cleanup and repair; no node joins"));
      assertThat(awaited(action, now, busy, AT_ONCE)).isEmpty();
      assertThat(awaited(action, now, BusyNodes.NONE, SETTINGS)).isEmpty();
      ClusterSnapshot later = now.at(Instant.EPOCH.plusSeconds(3_600), OptionalLong.empty());
      assertThat(awaited(action, later, busy, SETTINGS)).isEmpty();
    }
    assertThat(awaited(new Action.Cleanup(N1), now, busy, SETTINGS)).isEmpty();
  }

  @Test
  void dataAtRiskAndAFullRingDoNotWait() {
    ClusterSnapshot now = repairing(Rings.seen(0.98, 0.5, 0.5), 1).snapshot();
    BusyNodes busy = BusyNodes.NONE.append(now);

    assertThat(awaited(new Action.ReplaceNode(1, N1, Profile.HOMOGENEOUS), now, busy, SETTINGS))
        .isEmpty();
    assertThat(awaited(JOIN, now, busy, SETTINGS)).isEmpty();
    assertThat(awaited(LEAVE, now, busy, SETTINGS)).as("which relieves nobody").isPresent();
  }
}
