package io.trimtab.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.testkit.provider.PassingProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a cluster must be between the steps of a plan, and after it. */
class StateOracleTest extends PlanFixture {
  @Test
  void aStateIsWhatTheEndedStepsMakeOfIt() throws EngineException {
    ClusterSnapshot before = now();
    Plan plan = plan(move(0, B), new Action.AddNode(1, Profile.READ), move(1, NEW));
    cluster.engine().setBalancer(io.trimtab.engineapi.BalancerState.PAUSED);
    assertThat(state(plan, before, Set.of(), Map.of())).isEmpty();
    assertThat(state(plan, before, Set.of(1), Map.of()))
        .singleElement()
        .asString()
        .contains("is on Optional[node001:16020], not on node002:16020");
    cluster.engine().move(part(0).id(), B, LIMIT);
    assertThat(state(plan, before, Set.of(1), Map.of())).isEmpty();
    assertThat(state(plan, before, Set.of(1, 2), Map.of())).contains("node new-1 is missing");
    NodeId added = cluster.provider().add("a", Profile.READ, List.of(), LIMIT);
    cluster.engine().awaitNode(added, 0, LIMIT);
    assertThat(state(plan, before, Set.of(1), Map.of()))
        .containsExactly("node " + added + " should not be there");
    assertThat(state(plan, before, Set.of(1, 2), Map.of(NEW, added))).isEmpty();
    cluster.engine().applyProfile(A, Profile.WRITE, LIMIT);
    assertThat(state(plan, before, Set.of(1, 2), Map.of(NEW, added)))
        .singleElement()
        .asString()
        .contains("name=WRITE");
    cluster.kill(added);
    assertThat(state(plan, before, Set.of(1, 2), Map.of(NEW, added)))
        .contains("node " + added + " is dead");
  }

  private List<String> state(
      Plan plan, ClusterSnapshot before, Set<Integer> ended, Map<NodeId, NodeId> added) {
    return PlanVerifier.state(plan, before, ended, added, now());
  }

  @Test
  void unservedKeysAndNodesThatWereLeftDrainingAreTold() throws EngineException {
    ClusterSnapshot before = now();
    cluster.engine().setDraining(C, true);
    assertThat(PlanVerifier.tidied(before, now()))
        .containsExactly("node " + C + " was left draining");
    cluster.engine().setDraining(C, false);
    cluster.kill(C);
    assertThat(PlanVerifier.tidied(before, now()))
        .contains("2 partitions are in transition")
        .anyMatch(t -> t.endsWith("is served by no live node"));
    ClusterSnapshot now = before;
    ClusterSnapshot hole =
        new ClusterSnapshot(
            now.takenAt(),
            now.clusterId(),
            now.engine(),
            now.ownership(),
            now.version(),
            now.replication(),
            now.nodes(),
            now.partitions().subList(1, now.partitions().size()),
            0,
            List.of(),
            now.balancer(),
            List.of());
    assertThat(PlanVerifier.tidied(before, hole)).singleElement().asString().contains("nobody's");
  }

  @Test
  void aPlanCarriedOutTwiceEndsTheSame() throws EngineException {
    ClusterSnapshot before = now();
    Plan plan = plan(new Action.AddNode(1, Profile.READ), move(0, NEW), split(1, "3a"));
    assertThat(new PlanRunner(cluster.engine(), cluster.provider()).violations(plan, before))
        .isEmpty();
    assertThat(
            new PlanRunner(cluster.engine(), forgetful())
                .violations(plan(new Action.AddNode(1, Profile.WRITE)), now()))
        .anyMatch(t -> t.startsWith("carried out again it ends otherwise"));
  }

  /** Starts another node at every request. */
  private NodeProvider forgetful() {
    return new PassingProvider(cluster.provider()) {
      private int number;

      @Override
      public NodeId add(String request, Profile profile, List<Long> tokens, Duration limit)
          throws EngineException {
        return super.add(request + number++ + "again", profile, tokens, limit);
      }
    };
  }
}
