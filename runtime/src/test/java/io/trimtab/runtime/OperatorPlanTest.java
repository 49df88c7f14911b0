package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.StateDir;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class OperatorPlanTest extends LoopFixture {
  private static Plan moves() {
    return new Plan(
        "ordered",
        "fake",
        FakeEngine.NOW,
        "ordered",
        "",
        1,
        List.of(move(1, "p0", "n0:1", "n1:1"), move(2, "p1", "n1:1", "n2:1")));
  }

  private static PlannedAction move(int step, String name, String from, String to) {
    PartitionId partition = new PartitionId("t", name);
    return new PlannedAction(
        step, new Action.Move(partition, new NodeId(from), new NodeId(to)), "", "", "", "");
  }

  @Test
  void anInterruptEndsThePlanAndRestoresTheBalancer() throws Exception {
    AtomicBoolean interrupted = new AtomicBoolean();
    FaultPoints ctrlC =
        point -> {
          if (point.equals("balancer-paused")) {
            interrupted.set(true);
          }
        };
    LoopContext context =
        new LoopContext(engine, Optional.empty(), SETTINGS, heard, ports, ctrlC);

    Executor.Outcome outcome =
        OperatorPlan.carryOut(
            context,
            new Decision.Act(moves(), PolicyState.INITIAL),
            UnaryOperator.identity(),
            interrupted::get);

    assertThat(outcome.how()).isEqualTo(PlanOutcome.STOPPED);
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
    assertThat(journal()).anyMatch(Entry.PlanEnded.class::isInstance);
    assertThat(engine.placement.get(new PartitionId("t", "p1"))).isEqualTo(new NodeId("n1:1"));
    assertThat(engine.verbs).doesNotContain("move");
    assertThat(StateDir.of("fake").runningController()).isEmpty();
  }
}
