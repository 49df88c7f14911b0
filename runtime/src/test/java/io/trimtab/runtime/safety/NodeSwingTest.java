package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A policy that adds and removes a node by turns is stopped at the greater number of nodes. */
class NodeSwingTest extends SafetyFixture {
  private static final int NODES = 4;

  NodeSwingTest() {
    super(ClusterSpec.ring(1, NODES, 2, TableSpec.of("k.t", 3, 1L << 30, Access.reads(100))));
  }

  /** Adds a node where there are as many as at first, and removes one otherwise. */
  private record Tides() implements Policy {
    @Override
    public String name() {
      return "tides";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      ClusterSnapshot now = seen.snapshot();
      int nodes = now.liveNodes().size();
      Action action =
          nodes == NODES
              ? new Action.AddNode(1, Profile.READ)
              : new Action.RemoveNode(now.liveNodes().get(nodes - 1).id());
      List<PlannedAction> actions = List.of(new PlannedAction(1, action, "r", "e", "c", "u"));
      return new Decision.Act(
          new Plan("at-" + now.takenAt(), now.clusterId(), now.takenAt(), name(), "s", 1, actions),
          state);
    }
  }

  @Test
  void theNumberOfNodesStopsGoingUpAndDown() throws Exception {
    settings =
        settings
            .with(GuardSettings.builder().maxNodes(8).cooldown(Duration.ZERO).build())
            .with(new Tides());
    plansMax = 100;

    run(here, FaultPoints.NONE);

    // Up and down twice, and up again.
    assertThat(cluster.faults().calls(Verb.ADD)).isEqualTo(3);
    assertThat(cluster.engine().snapshot().liveNodes()).hasSize(NODES + 1);
    assertThat(held)
        .singleElement()
        .asString()
        .startsWith("guard: the number of nodes went up and down 2 times");

    run(elsewhere, FaultPoints.NONE);
    assertThat(held).hasSize(2);
    assertThat(cluster.engine().snapshot().liveNodes()).hasSize(NODES + 1);

    cluster.clock().advance(settings.stability().window());
    plansMax = ended.size() + 1;
    run(elsewhere, FaultPoints.NONE);
    assertThat(cluster.engine().snapshot().liveNodes()).hasSize(NODES);
  }
}
