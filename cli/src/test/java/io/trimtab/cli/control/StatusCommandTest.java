package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.control.EmptiedNode;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who keeps the balancer off, and what restores it. */
class StatusCommandTest {
  private static final BalancerState ON = new BalancerState(true, true);

  private static Optional<Journal.Unfinished> open(BalancerState before) {
    Instant at = Instant.EPOCH;
    return Optional.of(
        new Journal.Unfinished(
            new Plan("p", "c", at, "met", "s", 1, List.of()),
            before,
            PolicyState.INITIAL,
            at,
            Set.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void anOpenPlanKeepsItOff() {
    assertThat(StatusCommand.kept(Optional.empty(), open(ON), true))
        .isEqualTo("; kept off by the open plan until it ends, before: on, normalizer on");
    assertThat(StatusCommand.kept(Optional.empty(), open(ON), false))
        .endsWith("no autopilot is left to restore it: trimtab release --abandon");
    assertThat(StatusCommand.kept(Optional.of(ON), open(BalancerState.PAUSED), false))
        .startsWith("; kept off by the autopilot")
        .endsWith("trimtab release --abandon");
  }

  @Test
  void aSlowNodeIsToldWithItsTime() {
    Instant at = Instant.parse("2026-01-01T00:00:00.123Z");
    assertThat(
            StatusCommand.above(
                new Entry.ClientsAbove(at, "shop", true, 0, "shop has 9 clients, 1 more")))
        .startsWith("shop has 9 clients, 1 more; as of 2");
    assertThat(StatusCommand.slow(new Entry.Slow(at, new NodeId("a:1"), true, "a:1 gets few")))
        .isEqualTo("a:1 gets few; as of 2026-01-01T00:00:00Z");
  }

  @Test
  void withoutAPlanTheAutopilotDoes() {
    assertThat(StatusCommand.kept(Optional.of(ON), Optional.empty(), false))
        .startsWith("; kept off by the autopilot")
        .endsWith("trimtab release");
    assertThat(StatusCommand.kept(Optional.empty(), Optional.empty(), false)).isEmpty();
    assertThat(StatusCommand.kept(Optional.empty(), open(BalancerState.PAUSED), false)).isEmpty();
  }

  @Test
  void aNodeThatIsOutOfServiceIsToldAndHowItIsPutBack() {
    EmptiedNode out =
        new EmptiedNode(
            new NodeId("n1:1"),
            Instant.EPOCH,
            "model build of somebody",
            List.of(new PartitionId("t", "p")),
            List.of("trimtab_model_1_m", "trimtab_model_1_b"));
    String what =
        "node n1:1 was taken out of service at 1970-01-01T00:00:00Z by model build of somebody:"
            + " 1 partition is to be moved back, 2 tables to be deleted";

    assertThat(StatusCommand.emptied(out, true)).isEqualTo(what);
    assertThat(StatusCommand.emptied(out, false))
        .startsWith(what)
        .contains("trimtab model build --put-back", "trimtab run --act");
  }
}
