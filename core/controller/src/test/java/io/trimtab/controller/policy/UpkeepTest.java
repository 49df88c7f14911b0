package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.maintenance.Busy;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What nodes do beside serving: as a reason to wait, and as something to be done. */
class UpkeepTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(UsageSettings.builder().margin(0.1).build())
          .with(GuardSettings.builder().minNodes(2).build());

  private static Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    return Policies.AUTOPILOT.decide(seen, state, settings);
  }

  private static Decision decide(Observation.Usable seen) {
    return decide(seen, PolicyState.INITIAL, SETTINGS);
  }

  private static Observation.Usable copy(
      Observation.Usable seen, List<NodeState> nodes, List<PartitionState> partitions) {
    ClusterSnapshot other = seen.snapshot().with(nodes, partitions, seen.snapshot().gaps());
    return seen.on(other).with(BusyNodes.NONE.append(other));
  }

  private static Observation.Usable busy(Observation.Usable seen, NodeId node) {
    List<String> work = List.of("major compaction of 2 regions");
    List<NodeState> nodes =
        seen.snapshot().nodes().stream()
            .map(n -> n.id().equals(node) ? n.busyWith(work) : n)
            .toList();
    return copy(seen, nodes, seen.snapshot().partitions());
  }

  private static Observation.Usable far(
      Observation.Usable seen, Predicate<PartitionState> partitions) {
    List<PartitionState> changed =
        seen.snapshot().partitions().stream()
            .map(
                p ->
                    partitions.test(p)
                        ? new PartitionState(
                            p.id(),
                            p.node(),
                            p.counters(),
                            p.sizeBytes(),
                            0,
                            p.blockSizeBytes(),
                            p.range())
                        : p)
            .toList();
    return copy(seen, seen.snapshot().nodes(), changed);
  }

  private static NodeId mostUsed(Observation.Usable seen) {
    return seen.usage().entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .orElseThrow()
        .getKey();
  }

  /** Two nodes that have eight partitions, and about half of them in their caches. */
  private static Observation.Usable halfCached(double reads) throws Exception {
    TableSpec table = TableSpec.of("t", 8, 1_600L << 20, Access.reads(reads));
    return AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 2, table));
  }

  /** A partition on the node that has most of them, so that others are there. */
  private static PartitionState one(Observation.Usable seen) {
    Map<NodeId, List<PartitionState>> on =
        seen.snapshot().partitions().stream()
            .collect(Collectors.groupingBy(p -> p.node().orElseThrow()));
    return on.values().stream().max(Comparator.comparingInt(List::size)).orElseThrow().get(0);
  }

  @Test
  void aFullNodeThatIsBusyWithSomethingElseIsWaitedFor() throws Exception {
    Observation.Usable seen = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode());
    NodeId full = mostUsed(seen);
    Decision decision = decide(busy(seen, full));

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .contains(full + " is busy with major compaction of 2 regions; it is waited for until ")
        .endsWith(" at the latest (busy since " + seconds(seen.snapshot().takenAt()) + ")");
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("choice.awaitMaintenance");
    Settings atOnce = SETTINGS.with(new ChoiceSettings(null, null, null, null, false, null));
    assertThat(decide(busy(seen, full), PolicyState.INITIAL, atOnce))
        .isInstanceOf(Decision.Act.class);
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  @Test
  void workThatDoesNotEndIsPlannedAround() throws Exception {
    Observation.Usable seen = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode());
    NodeId full = mostUsed(seen);
    Observation.Usable busy = busy(seen, full);
    Instant now = seen.snapshot().takenAt();
    Instant begun = now.minus(Duration.ofHours(1));
    Busy all = new Busy(full, busy.busy().nodes().get(0).work(), begun, now);
    Decision decision = decide(busy.with(new BusyNodes(List.of(all), Optional.of(begun))));

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().summary())
        .endsWith(
            "; not waited for: %s is busy with major compaction of 2 regions since %s"
                .formatted(full, seconds(begun)));
  }

  @Test
  void workOnANodeThatIsNotFullHoldsUpNothing() throws Exception {
    Observation.Usable seen = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode());
    NodeId other =
        seen.snapshot().nodes().stream()
            .map(NodeState::id)
            .filter(n -> !n.equals(mostUsed(seen)))
            .findFirst()
            .orElseThrow();

    assertThat(decide(busy(seen, other))).isInstanceOf(Decision.Act.class);
  }

  @Test
  void noNodeIsGivenBackWhileAnotherIsBeingEmptied() throws Exception {
    TableSpec little = TableSpec.of("t", 24, 64 << 20, Access.reads(3_000));
    Observation.Usable seen = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 6, little));
    NodeState left = seen.snapshot().node(one(seen).node().orElseThrow()).orElseThrow();
    NodeState closed =
        new NodeState(
            left.id(),
            left.incarnation(),
            true,
            true,
            left.profile(),
            left.onlineProfile(),
            left.usage(),
            left.gauges());
    List<NodeState> nodes =
        seen.snapshot().nodes().stream().map(n -> n.id().equals(left.id()) ? closed : n).toList();
    Decision decision = decide(copy(seen, nodes, seen.snapshot().partitions()));

    assertThat(decide(seen)).as("without").isInstanceOf(Decision.Act.class);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .startsWith(left.id() + " is being emptied and still serves ");
  }

  @Test
  void aPartitionWhoseFilesAreFarIsCompacted() throws Exception {
    Observation.Usable near = halfCached(1_600);
    PartitionState one = one(near);
    Observation.Usable seen = far(near, p -> p.id().equals(one.id()));
    Decision decision = decide(seen);

    assertThat(decide(near)).as("while all is near").isInstanceOf(Decision.Hold.class);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Decision.Act act = (Decision.Act) decision;
    assertThat(act.plan().actions())
        .extracting(PlannedAction::action)
        .containsExactly(new Action.Compact(one.id(), 0.90));
    assertThat(act.plan().actions().get(0).reason()).startsWith("its files are on other nodes");
    assertThat(act.weighed())
        .filteredOn(alternative -> alternative.verdict().equals("chosen"))
        .singleElement()
        .satisfies(
            compaction -> {
              assertThat(compaction.bytes()).isZero();
              assertThat(compaction.rewritten()).isEqualTo(one.sizeBytes());
            });
    assertThat(act.plan().gain()).isBetween(0.1, 1.0);
    assertThat(decide(seen, act.next(), SETTINGS))
        .as("what did not help is not done again at once")
        .isInstanceOf(Decision.Hold.class);
  }

  /** As of a load that has changed since the node started. */
  @Test
  void whatIsNotMissedAnyMoreIsNoReasonToCompact() throws Exception {
    Observation.Usable near = halfCached(1_600);
    PartitionState one = one(near);
    Observation.Usable seen = far(near, p -> p.id().equals(one.id()));
    Map<NodeId, Double> none = new HashMap<>();
    seen.snapshot().nodes().forEach(node -> none.put(node.id(), 0.0));

    assertThat(decide(seen.withMisses(none))).isInstanceOf(Decision.Hold.class);
  }

  /** What is kept with the cluster must not grow with everything that was ever compacted. */
  @Test
  void whatWasCompactedIsForgottenAfterADay() {
    PartitionId old = new PartitionId("t", "old");
    PartitionId young = new PartitionId("t", "young");
    PolicyState first = PolicyState.INITIAL.after(compaction(old), Instant.EPOCH);
    Instant later = Instant.EPOCH.plus(Duration.ofDays(1));

    assertThat(first.rewrittenLately(later.minusSeconds(1))).containsExactly(old);
    assertThat(first.rewrittenLately(later)).isEmpty();
    assertThat(first.after(compaction(young), later).rewrites())
        .containsExactly(new PolicyState.Rewrite(young, later));
  }

  private static List<PlannedAction> compaction(PartitionId partition) {
    return List.of(new PlannedAction(1, new Action.Compact(partition, 0.9), "", "e", "c", "u"));
  }

  @Test
  void aCompactionThatDoesNotPayBackIsNotDone() throws Exception {
    Observation.Usable near = halfCached(1_600);
    PartitionState one = one(near);
    var aMinute = new ChoiceSettings(Duration.ofMinutes(1), null, null, null, null, null);
    Settings shortly = SETTINGS.with(aMinute);
    Observation.Usable seen = far(near, p -> p.id().equals(one.id()));

    assertThat(decide(seen, PolicyState.INITIAL, shortly)).isInstanceOf(Decision.Hold.class);
  }

  /** The same, in which every partition has so many bytes. */
  private static Observation.Usable sized(Observation.Usable seen, long bytes) {
    List<PartitionState> changed =
        seen.snapshot().partitions().stream()
            .map(
                p ->
                    new PartitionState(
                        p.id(),
                        p.node(),
                        p.counters(),
                        bytes,
                        p.locality(),
                        p.blockSizeBytes(),
                        p.range()))
            .toList();
    return copy(seen, seen.snapshot().nodes(), changed);
  }

  /** All but one of each node, where that pays back within a week. */
  private static Decision compacting(long bytes, PolicyState state) throws Exception {
    Observation.Usable near = halfCached(1_600);
    Map<NodeId, PartitionId> stays = new HashMap<>();
    near.snapshot().partitions().forEach(p -> stays.put(p.node().orElseThrow(), p.id()));
    var aWeek = SETTINGS.with(new ChoiceSettings(Duration.ofDays(7), null, null, null, null, null));
    return decide(sized(far(near, p -> !stays.containsValue(p.id())), bytes), state, aWeek);
  }

  private static List<PartitionId> compacted(Decision decision) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Plan plan = ((Decision.Act) decision).plan();
    return plan.actions(Action.Compact.class).stream().map(Action.Compact::partition).toList();
  }

  /** What runs for hours does not see that the load rises meanwhile. */
  @Test
  void onePlanCompactsForTenMinutesAndTheNextGoesOn() throws Exception {
    Decision first = compacting(25_000_000_000L, PolicyState.INITIAL);
    Decision second = compacting(25_000_000_000L, ((Decision.Act) first).next());

    assertThat(compacted(first)).as("50 of at most 60 GB").hasSize(2);
    assertThat(compacted(second)).hasSize(2).doesNotContainAnyElementsOf(compacted(first));
    assertThat(compacted(compacting(61_000_000_000L, PolicyState.INITIAL)))
        .as("one that is larger than that")
        .hasSize(1);
  }

  @Test
  void whereNoFileIsEverNearNothingIsCompacted() throws Exception {
    assertThat(decide(far(halfCached(1_600), p -> true))).isInstanceOf(Decision.Hold.class);
  }

  @Test
  void aNodeThatIsBusyIsNotGivenMoreToDo() throws Exception {
    Observation.Usable near = halfCached(1_600);
    PartitionState one = one(near);
    Observation.Usable seen = far(near, p -> p.id().equals(one.id()));

    assertThat(decide(busy(seen, one.node().orElseThrow()))).isInstanceOf(Decision.Hold.class);
  }

  /** Three nodes, of which two would do, and a partition whose files are on other nodes. */
  private static Observation.Usable spareAndFar() throws Exception {
    TableSpec table = TableSpec.of("t", 12, 2_400L << 20, Access.reads(2_000));
    Observation.Usable near = AutopilotPolicyTest.seen(ClusterSpec.assigned(1, 3, table));
    PartitionState one = one(near);
    return far(near, p -> p.id().equals(one.id()));
  }

  private static Decision decide(Observation.Usable seen, String removing, String compacting) {
    Policy.Veto veto =
        act ->
            Optional.of(
                    act.plan().actions(Action.RemoveNode.class).isEmpty() ? compacting : removing)
                .filter(why -> !why.isEmpty())
                .map(why -> new Policy.Refused(why, "key." + why.replace(' ', '-')));
    return Policies.AUTOPILOT.heeding(veto).decide(seen, PolicyState.INITIAL, SETTINGS);
  }

  @Test
  void whatMayNotBeGivenBackDoesNotKeepTheRestFromBeingDone() throws Exception {
    Decision decision = decide(spareAndFar(), "no node leaves today", "");

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.Compact.class)).hasSize(1);
  }

  @Test
  void ofTwoRefusalsBothAreTold() throws Exception {
    Decision decision = decide(spareAndFar(), "no node leaves today", "no file is written");

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).reason())
        .isEqualTo(
            "to give nodes back is refused: no node leaves today; to compact is refused: no file"
                + " is written");
    assertThat(((Decision.Hold) decision).setting())
        .isEqualTo("key.no-node-leaves-today, key.no-file-is-written");
    assertThat(decision.weighed())
        .extracting(Alternative::verdict)
        .containsExactly("refused: no node leaves today", "refused: no file is written");
  }

  @Test
  void whatRefusesBothIsToldOnce() throws Exception {
    Decision decision = decide(spareAndFar(), "not now", "not now");

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.RemoveNode.class)).hasSize(1);
    assertThat(decision.weighed())
        .extracting(Alternative::title)
        .containsExactly("remove a node", "compact partitions whose files are on other nodes");
  }

  @Test
  void whereNoPlanMayBeginTheRestIsNotWeighed() throws Exception {
    Policy.Veto resting = act -> Optional.of(new Policy.Refused("not now", "", Policy.Reach.ALL));
    Decision decision =
        Policies.AUTOPILOT.heeding(resting).decide(spareAndFar(), PolicyState.INITIAL, SETTINGS);

    assertThat(decision.weighed()).extracting(Alternative::title).containsExactly("remove a node");
  }

  @Test
  void compactionIsWeighedAgainstMovesAndNodes() throws Exception {
    Observation.Usable near = halfCached(5_000);
    PartitionState one = one(near);
    Decision decision = decide(far(near, p -> p.id().equals(one.id())));

    assertThat(decision.weighed())
        .extracting(Alternative::title)
        .contains("compact partitions whose files are on other nodes");
  }
}
