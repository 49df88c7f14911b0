package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTextTest {
  private static List<String> lines(double gain) {
    Action move = new Action.Move(new PartitionId("t", "p"), new NodeId("a:1"), new NodeId("b:1"));
    Plan plan =
        new Plan(
            "p1",
            "c",
            Instant.parse("2026-01-01T00:00:00Z"),
            "somebody",
            "it belongs there",
            gain,
            List.of(new PlannedAction(1, move, "r", "e", "c", "u")));
    return PlanText.table(plan).lines().toList();
  }

  @Test
  void whatAPlanGainsIsToldAfterWhatItIsFor() {
    assertThat(lines(0.426).subList(0, 4))
        .containsExactly("plan p1, policy somebody", "it belongs there", "predicted gain 0.43", "");
  }

  /** A person who takes a node out of service expects no gain of it. */
  @Test
  void whereNoGainIsMeantNoneIsTold() {
    assertThat(lines(0).subList(0, 4))
        .containsExactly(
            "plan p1, policy somebody", "it belongs there", "", "  1  move         t/p a:1 → b:1");
  }
}
