package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Algorithm 1 as the thesis has it, line by line, beside what met-1 makes of the same cluster. */
class MetPolicyTest {
  private static final Settings SETTINGS = Settings.defaults();
  private static final Rates READS = new Rates(100, 0, 0, 0);
  private static final Rates WRITES = new Rates(0, 0, 0, 100);

  private static NodeId node(int i) {
    return new NodeId("node" + i + ":1");
  }

  /** Nodes of one split, each with four partitions that are asked for alike. */
  private static ClusterSnapshot cluster(int nodes) {
    List<NodeState> states = new ArrayList<>();
    List<PartitionState> partitions = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      states.add(RandomCluster.node(node(n), Profile.HOMOGENEOUS, true));
      for (int p = 0; p < 4; p++) {
        partitions.add(
            new PartitionState(
                new PartitionId("t" + p % 2, "p%02d".formatted(4 * n + p)),
                Optional.of(node(n)),
                PartitionCounters.ZERO,
                1 << 20,
                1,
                Profile.HOMOGENEOUS.blockSizeBytes(),
                KeyRange.ALL));
      }
    }
    return RandomCluster.snapshot(states, partitions);
  }

  /** Table t0 is asked for in one way, t1 in another; a node that joined is used like the last. */
  private static Observation.Usable seen(
      ClusterSnapshot snapshot, Rates first, Rates second, double... usage) {
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (PartitionState p : snapshot.partitions()) {
      rates.put(p.id(), p.id().table().equals("t0") ? first : second);
    }
    Map<NodeId, Double> used = new HashMap<>();
    List<NodeState> nodes = snapshot.nodes();
    for (int n = 0; n < nodes.size(); n++) {
      used.put(nodes.get(n).id(), usage[Math.min(n, usage.length - 1)]);
    }
    return new Observation.Usable(snapshot, rates, used, used, List.of());
  }

  private static Decision decide(Policy policy, PolicyState state, double... usage) {
    return policy.decide(seen(cluster(usage.length), READS, WRITES, usage), state, SETTINGS);
  }

  private static <A extends Action> List<A> actions(Decision decision, Class<A> kind) {
    assertThat(decision).isInstanceOf(Decision.Act.class);
    return ((Decision.Act) decision).plan().actions(kind);
  }

  private static PolicyState later(int step) {
    return new PolicyState(step, false, List.of(), List.of());
  }

  @Test
  void whereMostNodesAreOverloadedNodesAreAddedInTheFirstRunToo() {
    Decision decision = decide(Policies.MET, PolicyState.INITIAL, 0.9, 0.9, 0.9, 0.5);

    assertThat(actions(decision, Action.AddNode.class)).hasSize(1);
    // On all nodes partitions are grouped: the new one, too, is for one class.
    assertThat(actions(decision, Action.Reconfigure.class)).hasSize(4);
    assertThat(((Decision.Act) decision).plan().summary())
        .isEqualTo(
            "3 of 4 nodes are overloaded: adding 1; partitions are grouped by access pattern, on"
                + " nodes configured for it");
    assertThat(decision.next().step()).isEqualTo(2);
    assertThat(decision.next().first()).isFalse();

    Decision ours = decide(Policies.MET_1, PolicyState.INITIAL, 0.9, 0.9, 0.9, 0.5);
    assertThat(actions(ours, Action.AddNode.class)).isEmpty();
    assertThat(actions(ours, Action.Reconfigure.class)).hasSize(4);
  }

  /** "More than": half of them is not. */
  @Test
  void whereNoMoreThanHalfAreTheFirstRunReconfigures() {
    Decision decision = decide(Policies.MET, PolicyState.INITIAL, 0.9, 0.9, 0.5, 0.5);

    assertThat(actions(decision, Action.AddNode.class)).isEmpty();
    assertThat(actions(decision, Action.Reconfigure.class)).hasSize(4);
    assertThat(decision.next().step()).isEqualTo(1);
    assertThat(decision.next().first()).isFalse();
  }

  @Test
  void theThresholdIsASetting() {
    Settings low = SETTINGS.with(HealthSettings.builder().suboptimal(0.2).build());
    Observation.Usable seen = seen(cluster(4), READS, WRITES, 0.9, 0.5, 0.5, 0.5);

    assertThat(actions(Policies.MET.decide(seen, PolicyState.INITIAL, low), Action.AddNode.class))
        .hasSize(1);
  }

  @Test
  void laterNodesAreAddedByOneTwoFourUntilAllIsWell() {
    Decision second = decide(Policies.MET, later(2), 0.9, 0.5, 0.5, 0.5);
    assertThat(actions(second, Action.AddNode.class)).hasSize(2);
    Decision third = decide(Policies.MET, second.next(), 0.9, 0.5, 0.5, 0.5);
    assertThat(actions(third, Action.AddNode.class)).hasSize(4);
    assertThat(third.next().step()).isEqualTo(8);

    Decision well = decide(Policies.MET, third.next(), 0.5, 0.5, 0.5, 0.5);
    assertThat(well).isInstanceOf(Decision.Hold.class);
    assertThat(well.next().step()).isEqualTo(1);
  }

  @Test
  void anIdleClusterIsReconfiguredOnceThenLosesOneNodeAtATime() {
    Decision first = decide(Policies.MET, PolicyState.INITIAL, 0.1, 0.1, 0.1, 0.1);
    assertThat(actions(first, Action.RemoveNode.class)).isEmpty();
    assertThat(actions(first, Action.Reconfigure.class)).hasSize(4);

    Decision then = decide(Policies.MET, later(4), 0.1, 0.1, 0.1, 0.5);
    assertThat(actions(then, Action.RemoveNode.class)).hasSize(1);
    // Those that stay are grouped anew at once.
    assertThat(actions(then, Action.Reconfigure.class)).hasSize(3);
    assertThat(then.next().step()).isEqualTo(1);
  }

  @Test
  void everyPlanConfiguresNodesForTheRequestsOfTheDay() {
    Observation.Usable before = seen(cluster(4), READS, WRITES, 0.9, 0.9, 0.5, 0.5);
    Decision.Act grouped =
        (Decision.Act) Policies.MET.decide(before, PolicyState.INITIAL, SETTINGS);
    ClusterSnapshot then = PlanApplier.apply(grouped.plan(), before.snapshot());

    // What was read is written now, and more of it.
    Observation.Usable turned = seen(then, WRITES, WRITES, 0.9, 0.5, 0.5, 0.5);
    Decision thesis = Policies.MET.decide(turned, grouped.next(), SETTINGS);
    Decision ours = Policies.MET_1.decide(turned, grouped.next(), SETTINGS);

    assertThat(actions(thesis, Action.AddNode.class)).hasSize(1);
    assertThat(actions(thesis, Action.Reconfigure.class)).hasSize(2);
    assertThat(actions(ours, Action.AddNode.class)).hasSize(1);
    assertThat(actions(ours, Action.Reconfigure.class)).isEmpty();
  }

  @Test
  void whereNoNodeMayBeAddedAllIsPlacedAgainOrNothingIsDone() {
    Settings full = SETTINGS.with(GuardSettings.builder().maxNodes(4).build());
    Observation.Usable seen = seen(cluster(4), READS, WRITES, 0.9, 0.9, 0.9, 0.9);

    Decision first = Policies.MET.decide(seen, PolicyState.INITIAL, full);
    assertThat(actions(first, Action.AddNode.class)).isEmpty();
    assertThat(actions(first, Action.Reconfigure.class)).hasSize(4);
    Decision again = Policies.MET.decide(seen, later(2), full);
    assertThat(actions(again, Action.Reconfigure.class)).hasSize(4);

    ClusterSnapshot grouped = PlanApplier.apply(((Decision.Act) first).plan(), seen.snapshot());
    Decision.Hold enough =
        (Decision.Hold)
            Policies.MET.decide(
                seen(grouped, READS, WRITES, 0.9, 0.9, 0.9, 0.9), first.next(), full);
    assertThat(enough.reason())
        .isEqualTo(
            "4 nodes are overloaded, the placement is as good as it gets, and 4 nodes are the most"
                + " allowed");
    assertThat(enough.setting()).isEqualTo("guard.maxNodes");
    // Balanced, but of nodes for other requests: configured anew.
    Decision turned =
        Policies.MET.decide(seen(grouped, WRITES, WRITES, 0.9, 0.9, 0.9, 0.9), first.next(), full);
    assertThat(actions(turned, Action.Reconfigure.class)).hasSize(2);
  }

  @Test
  void aHealthyClusterIsReconfiguredOnlyWhereThatIsWanted() {
    Decision.Hold hold = (Decision.Hold) decide(Policies.MET, PolicyState.INITIAL, 0.5, 0.5);
    assertThat(hold.reason()).startsWith("the cluster is healthy");
    assertThat(hold.setting()).isEqualTo("place.whenHealthy");
    assertThat(hold.next().first()).isTrue();

    Settings wanted = SETTINGS.with(PlaceSettings.builder().whenHealthy(true).build());
    Decision done =
        Policies.MET.decide(seen(cluster(2), READS, WRITES, 0.5, 0.5), PolicyState.INITIAL, wanted);
    assertThat(actions(done, Action.Reconfigure.class)).hasSize(2);
    assertThat(done.next().first()).isFalse();
  }

  /** Algorithm 2 alone: no swap out of the fullest node, which met-1 finds. */
  @Test
  void partitionsStayWhereTheAlgorithmPutsThem() {
    ClusterSnapshot two = cluster(2);
    double[] requests = {3, 3, 2, 2, 2, 0, 0, 0};
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int p = 0; p < requests.length; p++) {
      rates.put(two.partitions().get(p).id(), new Rates(requests[p], 0, 0, 0));
    }
    Map<NodeId, Double> used = new HashMap<>();
    two.nodes().forEach(n -> used.put(n.id(), 0.5));
    var seen = new Observation.Usable(two, rates, used, used, List.of());
    Settings anyway = SETTINGS.with(PlaceSettings.builder().whenHealthy(true).build());

    assertThat(fullest(Policies.MET.decide(seen, PolicyState.INITIAL, anyway), seen)).isEqualTo(7);
    assertThat(fullest(Policies.MET_1.decide(seen, PolicyState.INITIAL, anyway), seen))
        .isEqualTo(6);
  }

  private static double fullest(Decision decision, Observation.Usable seen) {
    ClusterSnapshot after = PlanApplier.apply(((Decision.Act) decision).plan(), seen.snapshot());
    Map<NodeId, Double> load = new HashMap<>();
    after
        .partitions()
        .forEach(p -> load.merge(p.node().orElseThrow(), seen.rates(p.id()).total(), Double::sum));
    return load.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
