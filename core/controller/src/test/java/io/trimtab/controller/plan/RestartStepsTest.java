package io.trimtab.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.testkit.oracle.PlanVerifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No node restarts while it serves. */
class RestartStepsTest {
  private static final long SEEDS = 100;

  /** The added one is all that could take them. */
  @Test
  void theOnlyNodeRestartsOnceTheNodeThatIsAddedServesItsPartitions() {
    int restarts = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomCluster cluster = new RandomCluster(seed, 1, 20);
      ClusterSnapshot one = withoutOnlineProfile(cluster.snapshot);
      List<PlannedAction> actions = plan(one, cluster);
      assertThat(PlanVerifier.violations(plan(actions), one)).as("seed %s", seed).isEmpty();
      restarts += actions.stream().anyMatch(RestartStepsTest::isRestart) ? 1 : 0;
    }
    assertThat(restarts).isGreaterThan((int) SEEDS / 2);
  }

  private static boolean isRestart(PlannedAction action) {
    return action
        .action()
        .as(Action.Reconfigure.class)
        .filter(change -> change.way() == Action.ApplyMode.RESTART)
        .isPresent();
  }

  private static ClusterSnapshot withoutOnlineProfile(ClusterSnapshot of) {
    NodeId only = of.nodes().get(0).id();
    return of.with(
        List.of(RandomCluster.node(only, Profile.HOMOGENEOUS, false)), of.partitions(), of.gaps());
  }

  private static List<PlannedAction> plan(ClusterSnapshot one, RandomCluster cluster) {
    Settings settings =
        Settings.defaults().with(PlaceSettings.builder().way(Action.ApplyMode.RESTART).build());
    Observation.Usable seen =
        new Observation.Usable(one, cluster.rates, cluster.usage, cluster.usage, List.of());
    PlacementInput in =
        new PlacementInput(
            one,
            Classifier.classify(seen, PolicyState.INITIAL, settings),
            List.of(one.nodes().get(0).id(), new NodeId("new-1")),
            settings.place(),
            settings.tables());
    return new PlanBuilder(TargetState.fromScratch(in), List.of()).build();
  }

  private static Plan plan(List<PlannedAction> actions) {
    return new Plan("p", "test", RandomCluster.NOW, "met-1", "s", 1, actions);
  }
}
