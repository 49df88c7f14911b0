package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.Stability;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which plans went by requests alone is known to the next controller, too. */
class GuessesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant ENDED = NOW.plusMillis(9_123);
  private static final Action.Move MOVE =
      new Action.Move(new PartitionId("t", "x"), new NodeId("a:1"), new NodeId("b:1"));

  /** After a plan that was done, and the prediction that was noted then. */
  private static Memory after(String predicted, Origin from) {
    Plan plan =
        new Plan(
            "p",
            "fake",
            NOW,
            "autopilot",
            "",
            1,
            List.of(new PlannedAction(1, MOVE, "", "", "", "")));
    List<Entry> entries =
        List.of(
            new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, PolicyState.INITIAL),
            new Entry.ActionEnded(NOW, 1, ActionOutcome.DONE, ""),
            new Entry.PlanEnded(ENDED, "p", PlanOutcome.DONE, ""),
            new Entry.Predicted(ENDED, predicted, "", List.of("move"), 0.5, from, Map.of()));
    return JournalState.of(entries).memory();
  }

  @Test
  void onlyTheLastPlanIsMeantAndOnlyWhereNothingElseWasKnown() {
    assertThat(after("p", Origin.REQUESTS).stability().guesses()).containsExactly(ENDED);
    assertThat(after("earlier", Origin.REQUESTS).stability().guesses()).isEmpty();
    assertThat(after("p", Origin.LEARNED).stability().guesses()).isEmpty();
    assertThat(after("p", Origin.BUILT).stability().guesses()).isEmpty();
  }

  @Test
  void itsMovesAreFoundByTheirTime() {
    assertThat(after("p", Origin.REQUESTS).stability().moves())
        .containsExactly(new Stability.Moved(ENDED, MOVE.partition(), MOVE.from(), MOVE.to()));
  }

  @Test
  void theNextControllerKnowsItAndAnOlderOneLeftNone() throws Exception {
    Memory memory = after("p", Origin.REQUESTS);
    ObjectNode json = EntryJson.MAPPER.valueToTree(memory);
    Memory read = EntryJson.MAPPER.treeToValue(json, Memory.class);

    assertThat(read.stability()).isEqualTo(memory.stability());
    assertThat(JournalState.of(Optional.of(read), Optional.empty()).stability())
        .isEqualTo(memory.stability());
    ((ObjectNode) json.get("stability")).remove("guesses");
    assertThat(EntryJson.MAPPER.treeToValue(json, Memory.class).stability())
        .isEqualTo(new Stability(memory.stability().moves(), List.of(), List.of()));
  }
}
