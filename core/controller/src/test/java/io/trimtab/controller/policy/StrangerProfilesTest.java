package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Nodes that their provider can't restart with another profile keep theirs. */
class StrangerProfilesTest {
  private static final String RULE = "it restarts only what it has started";
  private static final int SEEDS = 60;

  private static Decider.NextStep decide(long seed, Policy policy, NodeCapacity offer) {
    RandomCluster cluster = new RandomCluster(seed);
    return Decider.decide(
        new Decider.Context(
            new Observation.Usable(
                cluster.snapshot, cluster.rates, cluster.usage, cluster.usage, List.of()),
            new TreeMap<NodeId, Duration>(),
            PolicyState.INITIAL,
            Settings.defaults()
                .with(GuardSettings.builder().maxMovedGiB(10_000).minGain(0.0).build())
                .with(policy),
            Decider.Past.NONE,
            Optional.of(offer),
            false,
            RandomCluster.NOW));
  }

  /** Every second node is the provider's. */
  private static List<NodeId> own(long seed) {
    List<NodeState> nodes = new RandomCluster(seed).snapshot.nodes();
    List<NodeId> own = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i += 2) {
      own.add(nodes.get(i).id());
    }
    return own;
  }

  private static NodeCapacity only(List<NodeId> own) {
    return NodeCapacity.of(100).with(NodeCapacity.Reconfigurable.only(own, RULE));
  }

  private static List<Action.Reconfigure> changes(Decider.NextStep step, Action.ApplyMode way) {
    return step instanceof Decider.Go go
        ? go.act().plan().actions(Action.Reconfigure.class).stream()
            .filter(change -> change.way() == way)
            .toList()
        : List.of();
  }

  private static long strangers(List<Action.Reconfigure> changes, List<NodeId> own) {
    return changes.stream().filter(change -> !own.contains(change.node())).count();
  }

  @Test
  void noPolicyRestartsThemAndOnlineChangesGoOn() {
    long restarts = 0;
    long online = 0;
    for (Policy policy : List.of(Policies.MET_1, Policies.MET, Policies.AUTOPILOT)) {
      for (long seed = 0; seed < SEEDS; seed++) {
        List<NodeId> own = own(seed);
        Decider.NextStep free = decide(seed, policy, NodeCapacity.of(100));
        restarts += strangers(changes(free, Action.ApplyMode.RESTART), own);
        Decider.NextStep bound = decide(seed, policy, only(own));

        assertThat(strangers(changes(bound, Action.ApplyMode.RESTART), own))
            .as("%s, seed %d", policy.name(), seed)
            .isZero();
        if (bound instanceof Decider.Refusal refusal) {
          assertThat(refusal.reason()).doesNotContain("with another profile");
        }
        online += strangers(changes(bound, Action.ApplyMode.ONLINE), own);
      }
    }
    assertThat(restarts).as("without this").isGreaterThan(10);
    assertThat(online).isGreaterThan(10);
  }

  @Test
  void whereAllAreTheProvidersEveryDecisionIsAsIfItSaidNothing() {
    for (Policy policy : List.of(Policies.MET_1, Policies.MET, Policies.AUTOPILOT)) {
      for (long seed = 0; seed < SEEDS; seed++) {
        List<NodeId> all =
            new RandomCluster(seed).snapshot.nodes().stream().map(NodeState::id).toList();
        assertThat(text(decide(seed, policy, only(all))))
            .as("%s, seed %d", policy.name(), seed)
            .isEqualTo(text(decide(seed, policy, NodeCapacity.of(100))));
      }
    }
  }

  private static String text(Decider.NextStep step) {
    return step instanceof Decider.Go go
        ? go.act().plan().summary() + go.act().plan().actions()
        : ((Decider.Refusal) step).reason();
  }

  private static Guard.Verdict judged(Action action, NodeCapacity offer) {
    ClusterSnapshot snapshot = new RandomCluster(1, 4, 8).snapshot;
    Plan plan =
        new Plan(
            "p",
            snapshot.clusterId(),
            RandomCluster.NOW,
            "met",
            "s",
            1,
            List.of(new PlannedAction(1, action, "r", "e", "c", "u")));
    return Guard.checkOrdered(
        plan,
        snapshot,
        Optional.empty(),
        Optional.of(offer),
        Settings.defaults(),
        RandomCluster.NOW);
  }

  @Test
  void aPlanThatRestartsOneIsRefusedBeforeItBegins() {
    NodeState node = new RandomCluster(1, 4, 8).snapshot.nodes().get(1);
    Profile now = node.profile().orElseThrow();
    Action restart = new Action.Reconfigure(node.id(), now, Profile.READ, Action.ApplyMode.RESTART);
    Action online = new Action.Reconfigure(node.id(), now, Profile.READ, Action.ApplyMode.ONLINE);
    NodeCapacity others = only(List.of(new NodeId("node000:16020")));

    assertThat(judged(restart, others))
        .isEqualTo(
            new Guard.Verdict.Refuse(
                "the plan restarts node node001:16020 with another profile, which the node"
                    + " provider can't do: "
                    + RULE,
                "place.way"));
    assertThat(judged(restart, only(List.of(node.id())))).isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(judged(restart, NodeCapacity.untold("the cloud is away")))
        .isInstanceOfSatisfying(
            Guard.Verdict.Refuse.class,
            refuse -> assertThat(refuse.reason()).endsWith("can't do: the cloud is away"));
    assertThat(judged(online, others)).isInstanceOf(Guard.Verdict.Pass.class);
  }
}
