package io.trimtab.controller.guard;

import static io.trimtab.controller.health.UnreadCluster.id;
import static io.trimtab.controller.health.UnreadCluster.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.health.UnreadCluster;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.testkit.TestPlans;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of five nodes the first can't be read: whatever involves it is refused, and nothing else is. */
class UnreadNodesTest {
  private static final RowKey KEY = RowKey.of(new byte[] {1});
  private static final Action.ApplyMode ONLINE = Action.ApplyMode.ONLINE;
  private static final Action.ApplyMode RESTART = Action.ApplyMode.RESTART;
  private static final Settings SETTINGS = Settings.defaults();
  private static final ClusterSnapshot ASSIGNED = UnreadCluster.of(Ownership.ASSIGNED, 5, 0.5, 0);
  private static final ClusterSnapshot RING = UnreadCluster.of(Ownership.TOKENS, 5, 0.5, 0);

  private static Action reconfigure(int node, Action.ApplyMode way) {
    return new Action.Reconfigure(id(node), Profile.HOMOGENEOUS, Profile.READ, way);
  }

  /** All kinds of actions about a node and its partition, towards another. */
  private static Stream<Action> about(int node, int other) {
    return Stream.of(
        new Action.Move(partition(node), id(node), id(other)),
        new Action.Split(partition(node), KEY, 0.5, id(node), id(other)),
        new Action.Merge(partition(node), partition(other), KeyRange.ALL, KEY),
        reconfigure(node, ONLINE),
        reconfigure(node, RESTART),
        new Action.SetNode(id(node), NodeSetting.values()[0], 1, 2),
        new Action.SetBlockSize(partition(node).table(), 1, 2),
        new Action.Compact(partition(node), Action.Compact.ALWAYS),
        new Action.Cleanup(id(node)),
        new Action.DrainNode(id(node)),
        new Action.RemoveNode(id(node)));
  }

  static Stream<Action> ofTheUnread() {
    return Stream.concat(
        about(0, 1),
        Stream.of(
            new Action.Move(partition(1), id(1), id(0)),
            new Action.Split(partition(1), KEY, 0.5, id(1), id(0)),
            new Action.Merge(partition(1), partition(0), KeyRange.ALL, KEY)));
  }

  static Stream<Action> ofOthers() {
    return Stream.concat(about(1, 2), Stream.of(new Action.AddNode(1, Profile.READ)));
  }

  static Stream<Action> changesOfTheRing() {
    return Stream.of(
        new Action.AddNode(1, Profile.READ),
        new Action.RemoveNode(id(1)),
        new Action.ReplaceNode(1, id(4), Profile.READ),
        reconfigure(1, RESTART));
  }

  private static Optional<String> refused(ClusterSnapshot seen, Action... actions) {
    return UnreadNodes.touched(TestPlans.steps(actions), seen, Map.of())
        .map(Guard.Verdict.Refuse::reason);
  }

  private static Guard.Verdict check(ClusterSnapshot seen, Settings settings, Action... actions) {
    Plan plan = new Plan("p", "test", RandomCluster.NOW, "met", "s", 1, TestPlans.steps(actions));
    return Guard.check(
        plan, seen, Optional.empty(), Optional.of(NodeCapacity.of(9)), settings, RandomCluster.NOW);
  }

  private static Guard.Verdict.Refuse refusal(Guard.Verdict verdict) {
    assertThat(verdict).isInstanceOf(Guard.Verdict.Refuse.class);
    return (Guard.Verdict.Refuse) verdict;
  }

  @ParameterizedTest
  @MethodSource("ofTheUnread")
  void whatInvolvesTheNodeIsRefusedByItsName(Action action) {
    assertThat(refused(ASSIGNED, action).orElseThrow())
        .contains(id(0) + ", which could not be read")
        .contains("has not answered in 15 s");
    assertThat(refused(UnreadCluster.of(Ownership.ASSIGNED, 5, 0.5), action)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("ofOthers")
  void whatDoesNotIsPermitted(Action action) {
    assertThat(refused(ASSIGNED, action)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("changesOfTheRing")
  void noNodeOfARingComesOrGoesSinceThatChangesTheUnreadNodesRanges(Action action) {
    assertThat(refused(RING, action)).isPresent();
    assertThat(refused(UnreadCluster.of(Ownership.TOKENS, 5, 0.5), action)).isEmpty();
  }

  @Test
  void anotherDataCentresNodesMayGo() {
    List<NodeState> nodes = new ArrayList<>(RING.nodes());
    nodes.replaceAll(n -> n.in(n.id().equals(id(0)) ? "dc1" : "dc2", "r1"));
    ClusterSnapshot two = RING.with(nodes, RING.partitions(), RING.gaps());
    assertThat(refused(two, new Action.RemoveNode(id(1)))).isEmpty();
    assertThat(refused(two, new Action.AddNode(1, Profile.READ))).as("anywhere").isPresent();
    assertThat(UnreadNodes.involved(two, id(1))).isEmpty();
    assertThat(UnreadNodes.involved(RING, id(1))).isPresent();
  }

  @Test
  void thePlanOfOthersPassesTheGuardAndThatOfTheNodeDoesNot() {
    Action others = new Action.Move(partition(1), id(1), id(2));
    assertThat(check(ASSIGNED, SETTINGS, others)).isInstanceOf(Guard.Verdict.Pass.class);
    Action its = new Action.Move(partition(0), id(0), id(2));
    assertThat(refusal(check(ASSIGNED, SETTINGS, others, its)).reason()).contains(id(0).name());
  }

  @Test
  void aGapThatIsNoNodesStillStopsEverything() {
    ClusterSnapshot partial =
        ASSIGNED.with(
            ASSIGNED.nodes(),
            ASSIGNED.partitions(),
            List.of(ASSIGNED.gaps().get(0), "the keyspaces can't be read"));
    assertThat(Guard.unsafe(ASSIGNED, SETTINGS, RandomCluster.NOW, Set.of())).isEmpty();
    assertThat(Guard.unsafe(partial, SETTINGS, RandomCluster.NOW, Set.of()))
        .hasValueSatisfying(
            refuse ->
                assertThat(refuse.reason())
                    .isEqualTo("the snapshot is partial: the keyspaces can't be read"));
  }

  @Test
  void beyondTheLimitEverythingStopsAndTheReasonIsTold() {
    ClusterSnapshot two = UnreadCluster.of(Ownership.ASSIGNED, 5, 0.5, 0, 1);
    Action others = new Action.Move(partition(2), id(2), id(3));
    Guard.Verdict.Refuse refuse = refusal(check(two, SETTINGS, others));
    assertThat(refuse.setting()).isEqualTo("guard.badNodesMax");
    assertThat(refuse.reason())
        .isEqualTo(
            "2 of 5 nodes look unhealthy at the same time; 2 could not be read: node n0:1 has not"
                + " answered in 15 s");
    Settings half = SETTINGS.with(GuardSettings.builder().badNodesMax(0.5).build());
    assertThat(check(two, half, others)).isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(UnreadNodes.blind(two, Set.of(), SETTINGS.guard())).isPresent();
    assertThat(UnreadNodes.blind(two, Set.of(), half.guard())).isEmpty();
  }

  @Test
  void deadAndUnreadableNodesCountTogetherAndAreNotTheSame() {
    List<NodeState> nodes = new ArrayList<>(ASSIGNED.nodes());
    NodeState alive = nodes.get(4);
    nodes.set(
        4,
        new NodeState(
            alive.id(), 1, false, false, alive.profile(), true, alive.usage(), alive.gauges()));
    ClusterSnapshot both = ASSIGNED.with(nodes, ASSIGNED.partitions(), ASSIGNED.gaps());
    assertThat(both.unreadNodes()).extracting(NodeState::id).containsExactly(id(0));
    assertThat(both.node(id(0)).orElseThrow().alive()).isTrue();
    assertThat(both.node(id(4)).orElseThrow().readable()).isTrue();
    assertThat(Guard.unsafe(both, SETTINGS, RandomCluster.NOW, Set.of())).isPresent();
    assertThat(Guard.unsafe(both, SETTINGS, RandomCluster.NOW, Set.of(id(4)))).isEmpty();
  }

  @Test
  void noNodeLeavesWhereTheUnreadOnesLoadMayBeTooMuchForTheRest() {
    Action leave = new Action.RemoveNode(id(1));
    ClusterSnapshot known = readAgo(0.5, 0);
    assertThat(check(known, SETTINGS, leave))
        .as("2.5 / 3 > 0.8")
        .isInstanceOf(Guard.Verdict.Refuse.class);
    assertThat(check(readAgo(0.4, 0), SETTINGS, leave))
        .as("2.0 / 3 < 0.8")
        .isInstanceOf(Guard.Verdict.Pass.class);
    Guard.Verdict.Refuse later = refusal(check(readAgo(0.4, 600), SETTINGS, leave));
    assertThat(later.setting()).isEqualTo("health.unreadGrowth");
    assertThat(later.reason()).contains("counts as 0.90 used").contains("0.83");
    Settings steady = SETTINGS.with(HealthSettings.builder().unreadGrowth(0.0).build());
    assertThat(check(readAgo(0.4, 600), steady, leave)).isInstanceOf(Guard.Verdict.Pass.class);
  }

  @Test
  void aNodeOfWhichNothingIsKnownCountsAsFull() {
    ClusterSnapshot never = UnreadCluster.of(Ownership.ASSIGNED, 5, 0.4, 0);
    assertThat(refusal(check(never, SETTINGS, new Action.RemoveNode(id(1)))).reason())
        .contains("counts as 1.00 used");
  }

  /** As it was last seen some seconds ago. */
  private static ClusterSnapshot readAgo(double usage, double seconds) {
    ClusterSnapshot unread = UnreadCluster.of(Ownership.ASSIGNED, 5, usage, 0);
    NodeState whole = UnreadCluster.of(Ownership.ASSIGNED, 5, usage).nodes().get(0);
    NodeRead failed = unread.nodes().get(0).read().since(seconds);
    List<NodeState> nodes = new ArrayList<>(unread.nodes());
    nodes.set(0, whole.with(failed));
    // Two copies of everything, so that one node may go.
    return unread.with(nodes, unread.partitions(), unread.gaps()).with(Copies.alike(2));
  }

  @Test
  void thatNoNodeCouldBeReadIsToldWithTheFirstOnesReason() {
    assertThat(UnreadNodes.all(ASSIGNED)).isEmpty();
    ClusterSnapshot alone = UnreadCluster.of(Ownership.ASSIGNED, 1, 0.5, 0);
    String why = alone.unreadNodes().get(0).read().failure().orElseThrow();
    assertThat(UnreadNodes.all(alone)).contains("no node could be read; " + why);
  }
}
