package io.trimtab.runtime.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.StabilitySettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.journal.Why;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A policy that moves a partition to and fro is stopped, whoever is in charge, and not for ever.
 */
class OscillationTest extends SafetyFixture {
  /** There, back, and there again: two returns, which is the default limit. */
  private static final int MOVES_MAX = 3;

  /** Moves the first partition to the first node, or away from it. */
  private record Pendulum() implements Policy {
    @Override
    public String name() {
      return "pendulum";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      ClusterSnapshot now = seen.snapshot();
      List<NodeId> nodes = now.nodes().stream().map(NodeState::id).toList();
      PartitionState first = now.partitions().get(0);
      NodeId from = first.node().orElseThrow();
      NodeId to = from.equals(nodes.get(0)) ? nodes.get(1) : nodes.get(0);
      Action move = new Action.Move(first.id(), from, to);
      List<PlannedAction> actions = List.of(new PlannedAction(1, move, "r", "e", "c", "u"));
      return new Decision.Act(
          new Plan("at-" + now.takenAt(), now.clusterId(), now.takenAt(), name(), "s", 1, actions),
          state);
    }
  }

  /** Gives the first node another profile every time. */
  private record Fickle() implements Policy {
    @Override
    public String name() {
      return "fickle";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      NodeState first = seen.snapshot().nodes().get(0);
      Profile from = first.profile().orElseThrow();
      Profile to = from.equals(Profile.READ) ? Profile.WRITE : Profile.READ;
      Action change = new Action.Reconfigure(first.id(), from, to, Action.ApplyMode.ONLINE);
      List<PlannedAction> actions = List.of(new PlannedAction(1, change, "r", "e", "c", "u"));
      ClusterSnapshot now = seen.snapshot();
      return new Decision.Act(
          new Plan("at-" + now.takenAt(), now.clusterId(), now.takenAt(), name(), "s", 1, actions),
          state);
    }
  }

  @BeforeEach
  void pendulum() {
    settings =
        settings
            .with(GuardSettings.builder().maxNodes(3).cooldown(Duration.ZERO).build())
            .with(new Pendulum());
    plansMax = 100;
  }

  @Test
  void aPartitionThatGoesToAndFroIsLeftWhereItIsUntilTheWindowHasPassed() throws Exception {
    run(here, FaultPoints.NONE);
    assertThat(moves()).isEqualTo(MOVES_MAX);
    assertThat(held)
        .singleElement()
        .asString()
        .startsWith("guard: partition t/")
        .contains("came back to a node 2 times");
    Clock now = Clock.fixed(cluster.clock().instant(), ZoneOffset.UTC);
    assertThat(Why.explain(here.recorded(), now))
        .contains("came back to a node 2 times", "stability.returns");

    // Another controller, on another host, knows it.
    run(elsewhere, FaultPoints.NONE);
    assertThat(moves()).isEqualTo(MOVES_MAX);
    assertThat(held).hasSize(2);

    cluster.clock().advance(settings.stability().window());
    run(elsewhere, FaultPoints.NONE);
    assertThat(moves()).isEqualTo(2 * MOVES_MAX);
    assertThat(held).hasSize(3);
  }

  @Test
  void aProfileThatGoesToAndFroIsLeftAsItIsUntilTheWindowHasPassed() throws Exception {
    settings = settings.with(new Fickle());
    run(here, FaultPoints.NONE);
    // From the first profile to another, to a third, and back to that twice.
    assertThat(cluster.faults().calls(Verb.APPLY_PROFILE)).isEqualTo(4);
    assertThat(held)
        .singleElement()
        .asString()
        .startsWith("guard: node ")
        .contains("came back to a profile 2 times; it is not reconfigured before ");
    Clock now = Clock.fixed(cluster.clock().instant(), ZoneOffset.UTC);
    assertThat(Why.explain(here.recorded(), now)).contains("stability.returns");

    run(elsewhere, FaultPoints.NONE);
    assertThat(cluster.faults().calls(Verb.APPLY_PROFILE)).isEqualTo(4);

    cluster.clock().advance(settings.stability().window());
    run(elsewhere, FaultPoints.NONE);
    assertThat(cluster.faults().calls(Verb.APPLY_PROFILE)).isGreaterThan(4);
  }

  @Test
  void theLimitIsASetting() throws Exception {
    settings = settings.with(new StabilitySettings(null, null, 1));
    run(here, FaultPoints.NONE);
    assertThat(moves()).isEqualTo(2);
  }
}
