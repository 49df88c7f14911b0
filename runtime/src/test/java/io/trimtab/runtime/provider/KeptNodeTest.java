package io.trimtab.runtime.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a cluster whose provider gives back one of its nodes only, like the last pod of a pool. */
@Timeout(60)
class KeptNodeTest {
  private static final String RULE = "only the last pod of a pool is given back";

  /** Decisions after which a loop ends that has made no plan. */
  private static final int HELD_MAX = 50;

  private static final Settings SETTINGS =
      Settings.defaults()
          .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(2).build())
          .with(Policies.TIRAMOLA);

  private final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(1, 3, TableSpec.of("t", 6, 64L << 20, Access.reads(30)))
              .withReplication(2));
  private final MemoryState state = new MemoryState();

  private Optional<NodeProvider> only(NodeId last) {
    return Optional.of(
        new BoundProvider(cluster.provider(), Removable.inTurn(List.of(List.of(last)), RULE)));
  }

  private Ports ports() {
    return SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> state);
  }

  /** Whichever it is: of two of them another one does less. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void anIdleClusterGivesThatNodeBack(int number) throws Exception {
    NodeId last = cluster.engine().snapshot().nodes().get(number).id();
    List<Plan> begun = new ArrayList<>();
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          private int held;

          @Override
          public void planned(Plan plan, boolean act) {
            begun.add(plan);
          }

          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            loop[0].stop();
          }

          @Override
          public void held(String by, String reason, String setting) {
            held++;
            if (held > HELD_MAX) {
              loop[0].stop();
            }
          }
        };
    loop[0] =
        new ControlLoop(
            cluster.engine(), only(last), SETTINGS, listener, ports(), FaultPoints.NONE);
    loop[0].run(true, 0, false);

    assertThat(begun).hasSize(1);
    assertThat(begun.get(0).actions(Action.RemoveNode.class))
        .extracting(Action.RemoveNode::node)
        .containsExactly(last);
    assertThat(cluster.engine().snapshot().node(last)).isEmpty();
  }

  /** It would be drained first, and only then be refused by the provider. */
  @Test
  void aSavedPlanThatRemovesAnotherIsRefusedBeforeAnythingIsDone() throws Exception {
    ClusterSnapshot now = cluster.engine().snapshot();
    NodeId first = now.nodes().get(0).id();
    Plan plan = TestPlans.of("p1", now, new Action.DrainNode(first), new Action.RemoveNode(first));
    LoopContext context =
        new LoopContext(
            cluster.engine(),
            only(now.nodes().get(1).id()),
            SETTINGS,
            LoopListener.SILENT,
            ports(),
            FaultPoints.NONE);

    assertThatThrownBy(
            () ->
                OperatorPlan.carryOut(
                    context,
                    "run --plan",
                    new Decision.Act(plan, PolicyState.INITIAL),
                    UnaryOperator.identity(),
                    () -> false))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "the plan removes node %s, which the node provider can't give back: %s"
                .formatted(first, RULE));
    assertThat(cluster.engine().snapshot().nodes()).noneMatch(NodeState::draining);
  }
}
