package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanEffect;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.controller.tenants.TableLevels;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What nodes are asked for that are used so fully that they don't tell. */
class FullNodesTest {
  /** As a longer horizon would help nobody where it is the limit of nodes that is in the way. */
  @Test
  void whereNoMoreNodesAreAllowedThatIsTold() {
    ByHand cluster = new ByHand();
    for (int n = 0; n < 3; n++) {
      NodeId node = cluster.node("n" + n, Profile.HOMOGENEOUS, 0.9);
      for (int i = 0; i < 4; i++) {
        cluster.reads(node, "t", 100);
      }
    }
    Settings three =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(GuardSettings.builder().minNodes(3).maxNodes(3).build());

    Decision decision = Policies.AUTOPILOT.decide(cluster.seen(), PolicyState.INITIAL, three);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    Decision.Hold hold = (Decision.Hold) decision;
    assertThat(hold.reason()).contains("3 nodes are the most allowed");
    assertThat(hold.setting()).isEqualTo("choice.horizon, guard.maxNodes");
    Settings four = three.with(GuardSettings.builder().minNodes(3).maxNodes(4).build());
    assertThat(Policies.AUTOPILOT.decide(cluster.seen(), PolicyState.INITIAL, four))
        .isInstanceOf(Decision.Act.class);
  }

  /** As by a backup of the machine: its requests do not explain it, and go where they like. */
  @Test
  void aNodeThatIsBusyBesidesTheDatabaseGetsNoLoad() {
    ByHand cluster = new ByHand();
    NodeId hot = cluster.node("hot", Profile.HOMOGENEOUS, 0.9);
    NodeId busy = cluster.node("busy", Profile.HOMOGENEOUS, 0.65);
    NodeId free = cluster.node("free", Profile.HOMOGENEOUS, 0.1);
    for (int i = 0; i < 10; i++) {
      cluster.reads(hot, "t", 100);
    }
    cluster.reads(busy, "t", 0);
    cluster.reads(free, "t", 100);
    Settings three =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(GuardSettings.builder().minNodes(3).maxNodes(3).build());

    Decision decision = Policies.AUTOPILOT.decide(cluster.seen(), PolicyState.INITIAL, three);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Decision.Act act = (Decision.Act) decision;
    assertThat(act.plan().actions(Action.Move.class))
        .isNotEmpty()
        .extracting(Action.Move::to)
        .containsOnly(free);
    assertThat(act.predicted().orElseThrow().usage().get(busy)).isCloseTo(0.65, within(0.01));
  }

  /** Where its partitions will go is not known. */
  @Test
  void whatANodeServesThatIsBeingEmptiedCountsOnTheOthers() {
    ByHand cluster = new ByHand();
    NodeId more = cluster.node("more", Profile.HOMOGENEOUS, 0.4);
    NodeId less = cluster.node("less", Profile.HOMOGENEOUS, 0.2);
    NodeId closed = cluster.node("closed", Profile.HOMOGENEOUS, 0.6);
    cluster.reads(more, "t", 200);
    cluster.reads(less, "t", 100);
    cluster.close(closed);
    Settings settings = Settings.defaults();
    ClusterLoad empty = ByHand.load(cluster.seen(), settings);
    cluster.reads(closed, "t", 300);
    ClusterLoad load = ByHand.load(cluster.seen(), settings);

    assertThat(usage(empty, more)).isCloseTo(0.4, within(1e-6));
    assertThat(empty.more()).isEmpty();
    assertThat(usage(load, more)).isCloseTo(0.7, within(1e-6));
    assertThat(usage(load, less)).isCloseTo(0.5, within(1e-6));
    // When it comes is not known, so that what is measured is not compared with it.
    assertThat(Layout.now(load).usageByLoadOfNow().get(more)).isCloseTo(0.4, within(1e-6));
    assertThat(load.more())
        .isEqualTo(
            "; closed:1 is being emptied and still serves 1 partition: its load is expected on the"
                + " others, in equal parts");
  }

  private static double usage(ClusterLoad load, NodeId node) {
    Layout now = Layout.now(load);
    return now.usage(ByHand.index(now, node));
  }

  @Test
  void whatWasInVainIsForgottenOnceANodeIsRelieved() {
    ByHand cluster = new ByHand();
    NodeId node = cluster.node("n0", Profile.HOMOGENEOUS, 0.5);
    NodeId still = cluster.node("n1", Profile.HOMOGENEOUS, 0.75);
    cluster.reads(node, "t", 100);
    cluster.reads(still, "t", 100);
    PolicyState once = PolicyState.INITIAL.after(Set.of(node, still));
    Settings settings =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(HealthSettings.builder().high(0.7).build());

    PolicyState next = once.relieved(id -> cluster.seen().usage().get(id) <= 0.7);

    assertThat(next.fullFor(node)).isZero();
    assertThat(next.fullFor(still)).isEqualTo(1);
    Settings two = settings.with(GuardSettings.builder().minNodes(2).maxNodes(2).build());
    Decision decision = Policies.AUTOPILOT.decide(cluster.seen(), once, two);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    assertThat(((Decision.Hold) decision).next().fullFor(node)).isZero();
    assertThat(((Decision.Hold) decision).next().fullFor(still)).isEqualTo(1);
  }

  /** One that fills up after three plans about another is asked for what it serves. */
  @Test
  void plansThatLeaveANodeFullCountForThatNodeAlone() {
    RandomCluster cluster = new RandomCluster(3, 4, 40);
    Map<NodeId, Double> used = new HashMap<>();
    cluster.usage.keySet().forEach(node -> used.put(node, 1.0));
    Observation.Usable seen =
        new Observation.Usable(cluster.snapshot, cluster.rates, used, used, List.of());
    NodeId node = cluster.snapshot.nodes().get(0).id();
    PolicyState thrice = PolicyState.INITIAL;
    for (int i = 0; i < 3; i++) {
      thrice = thrice.after(Set.of(node));
    }
    ClusterLoad before = load(seen, PolicyState.INITIAL, Settings.defaults());
    ClusterLoad after = load(seen, thrice, Settings.defaults());

    int there = 0;
    int elsewhere = 0;
    for (int p = 0; p < before.partitions().size(); p++) {
      double asked = before.demand(p).corrected();
      boolean here = before.nodes().get(before.at(p)).id().equals(node);
      double times = here ? 1.2 * 1.2 * 1.2 : 1;
      assertThat(after.demand(p).corrected()).isCloseTo(times * asked, within(1e-9));
      there += here && asked > 0 ? 1 : 0;
      elsewhere += !here && asked > 0 ? 1 : 0;
    }
    assertThat(there).isPositive();
    assertThat(elsewhere).isPositive();
  }

  /** Clients that wait for answers fill any node again: it is not asked for more by that. */
  @Test
  void whereThereIsNoRoomAnywhereNodesAreAskedForWhatTheyServe() {
    RandomCluster cluster = new RandomCluster(3, 4, 40);
    List<NodeId> nodes = cluster.snapshot.nodes().stream().map(NodeState::id).toList();
    PolicyState once = PolicyState.INITIAL.after(Set.of(nodes.get(0)));
    Settings noMore =
        Settings.defaults()
            .with(GuardSettings.builder().minNodes(1).maxNodes(nodes.size()).build());

    assertThat(asked(cluster, 1.0, once, noMore)).isCloseTo(1, within(1e-9));
    // Others could take it.
    assertThat(asked(cluster, 0.3, once, noMore)).isCloseTo(1.2, within(1e-9));
  }

  /** Of a partition of the first node, in times of what it is asked for before any plan. */
  private static double asked(
      RandomCluster cluster, double others, PolicyState state, Settings settings) {
    NodeId full = cluster.snapshot.nodes().get(0).id();
    Map<NodeId, Double> used = new HashMap<>();
    cluster.usage.keySet().forEach(node -> used.put(node, node.equals(full) ? 1.0 : others));
    Observation.Usable seen =
        new Observation.Usable(cluster.snapshot, cluster.rates, used, used, List.of());
    ClusterLoad before = load(seen, PolicyState.INITIAL, settings);
    ClusterLoad after = load(seen, state, settings);
    for (int p = 0; p < before.partitions().size(); p++) {
      boolean here = before.nodes().get(before.at(p)).id().equals(full);
      if (here && before.demand(p).corrected() > 0) {
        return after.demand(p).corrected() / before.demand(p).corrected();
      }
    }
    throw new AssertionError("nothing is asked of " + full);
  }

  /** Clients that ask for more once they are served faster are no reason to add none. */
  @Test
  void whereAllAreFullOneIsAdded() {
    ByHand cluster = new ByHand();
    for (int n = 0; n < 12; n++) {
      NodeId node = cluster.node("n" + n, Profile.READ, 1.0);
      for (int i = 0; i < 12; i++) {
        cluster.reads(node, "t", 100);
      }
    }
    Settings more = settings(GuardSettings.builder().maxNodes(13).build());

    assertThat(plan(cluster, more).actions(Action.AddNode.class)).isNotEmpty();
  }

  /** As in a live test (AutopilotPoliciesIT): the rest of it was left on the full node. */
  @Test
  void oneIsRelievedWhereOthersCouldServeMoreThanIsAskedFor() {
    ByHand cluster = new ByHand();
    NodeId full = cluster.node("full", Profile.READ, 0.99);
    for (int i = 0; i < 4; i++) {
      cluster.reads(full, "t", 250);
    }
    for (String name : List.of("one", "another")) {
      NodeId node = cluster.node(name, Profile.READ, 0.5);
      cluster.reads(node, "t", 250);
      cluster.reads(node, "t", 250);
    }
    Settings three =
        settings(GuardSettings.builder().minNodes(3).maxNodes(3).build())
            .with(UsageSettings.builder().target(0.55).build());

    assertThat(plan(cluster, three).actions(Action.Move.class))
        .isNotEmpty()
        .allSatisfy(move -> assertThat(move.from()).isEqualTo(full));
  }

  /**
   * As in RIVALS: a small table beside one whose clients take all that they can get. That it is
   * served half as much as before the last plan is all that tells how full its node is.
   */
  @Test
  void whatATableHasLostOnAFullNodeSinceTheLastPlanIsAskedForStill() {
    ByHand cluster = new ByHand();
    NodeId full = cluster.node("full", Profile.READ, 0.99);
    PartitionId small = cluster.reads(full, "small", 50);
    cluster.reads(full, "greedy", 3_000);
    NodeId other = cluster.node("other", Profile.READ, 0.75);
    cluster.reads(other, "greedy", 2_000);
    Settings two = settings(GuardSettings.builder().minNodes(2).maxNodes(2).build());
    Observation.Usable seen = cluster.seen();
    Instant now = seen.snapshot().takenAt();
    PolicyState lost = after(Map.of("small", 95.0, "greedy", 2_000.0), now.minusSeconds(600));
    PolicyState had = after(Map.of("small", 52.0, "greedy", 2_000.0), now.minusSeconds(600));

    Decision decision = Policies.AUTOPILOT.decide(seen, lost, two);

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    Plan plan = ((Decision.Act) decision).plan();
    assertThat(plan.actions(Action.Move.class))
        .extracting(Action.Move::partition, Action.Move::to)
        .containsExactly(tuple(small, other));
    assertThat(plan.summary()).contains("before the last plans (small: 0.53 of it)");
    assertThat(Policies.AUTOPILOT.decide(seen, had, two)).isInstanceOf(Decision.Hold.class);
  }

  /** It has a partition on each node, and next to all of its requests go to another one. */
  @Test
  void aTableThatIsHardlyAskedForOnANodeSaysNothingOfIt() {
    ByHand cluster = new ByHand();
    NodeId full = cluster.node("full", Profile.READ, 0.99);
    cluster.reads(full, "lost", 1);
    PartitionId greedy = cluster.reads(full, "greedy", 3_000);
    NodeId other = cluster.node("other", Profile.READ, 0.75);
    cluster.reads(other, "lost", 49);
    Observation.Usable seen = cluster.seen();
    PolicyState lost = after(Map.of("lost", 95.0), seen.snapshot().takenAt().minusSeconds(600));

    ClusterLoad load = load(seen, lost, Settings.defaults());

    assertThat(load.more()).isEmpty();
    assertThat(load.demand(ByHand.index(load, greedy)).corrected())
        .isEqualTo(
            load(seen, PolicyState.INITIAL, Settings.defaults())
                .demand(ByHand.index(load, greedy))
                .corrected());
  }

  /** What was in vain there, and what tables lack, are two signs of the same. */
  @Test
  void aNodeIsAskedForTwiceWhatItServesAtMost() {
    ByHand cluster = new ByHand();
    NodeId full = cluster.node("full", Profile.READ, 0.99);
    PartitionId small = cluster.reads(full, "small", 10);
    cluster.node("free", Profile.READ, 0.1);
    Observation.Usable seen = cluster.seen();
    PolicyState lost = after(Map.of("small", 95.0), seen.snapshot().takenAt().minusSeconds(600));
    for (int i = 0; i < 3; i++) {
      lost = lost.after(Set.of(full));
    }
    ClusterLoad load = load(seen, lost, Settings.defaults());
    ClusterLoad before = load(seen, PolicyState.INITIAL, Settings.defaults());
    int at = ByHand.index(load, small);

    assertThat(load.demand(at).corrected() / before.demand(at).corrected())
        .isCloseTo(2, within(1e-9));
  }

  private static PolicyState after(Map<String, Double> served, Instant at) {
    TableLevels levels = TableLevels.NONE.after(served, at, Duration.ofHours(1));
    return PolicyState.INITIAL.expecting(PlanEffect.unknown(at).with(levels));
  }

  private static Settings settings(GuardSettings guard) {
    return Settings.defaults().with(Policies.AUTOPILOT).with(guard);
  }

  private static Plan plan(ByHand cluster, Settings settings) {
    Decision decision = Policies.AUTOPILOT.decide(cluster.seen(), PolicyState.INITIAL, settings);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan();
  }

  private static ClusterLoad load(Observation.Usable seen, PolicyState state, Settings settings) {
    return new ClusterLoad(new DecisionContext(seen, state, settings));
  }
}
