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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which plans went by requests alone is known to the next controller, too. */
class GuessesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant ENDED = NOW.plusMillis(9_123);
  private static final Action.Move MOVE =
      new Action.Move(new PartitionId("t", "x"), new NodeId("a:1"), new NodeId("b:1"));

  private static final List<Entry> DONE =
      List.of(
          new Entry.ActionEnded(NOW, 1, ActionOutcome.DONE, ""),
          new Entry.PlanEnded(ENDED, "p", PlanOutcome.DONE, ""));

  /** A plan that begins, and what usage after it was predicted from; null if none was. */
  private static Entry.PlanStarted started(Origin from) {
    Plan plan =
        new Plan(
            "p",
            "fake",
            NOW,
            "autopilot",
            "",
            1,
            List.of(new PlannedAction(1, MOVE, "", "", "", "")));
    return new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, PolicyState.INITIAL, null, from);
  }

  /** After a plan that was done; its prediction is not noted, as its controller was killed. */
  private static Memory after(Origin from) {
    List<Entry> entries = new ArrayList<>(List.of(started(from)));
    entries.addAll(DONE);
    return JournalState.of(entries).memory();
  }

  @Test
  void onlyAPlanIsMeantOfWhichNothingElseWasKnown() {
    assertThat(after(Origin.REQUESTS).stability().guesses()).containsExactly(ENDED);
    assertThat(after(Origin.LEARNED).stability().guesses()).isEmpty();
    assertThat(after(Origin.BUILT).stability().guesses()).isEmpty();
    assertThat(after(null).stability().guesses()).isEmpty();
  }

  @Test
  void oneThatTheNextControllerEndsIsMeantToo() throws Exception {
    JournalState first = JournalState.of(List.of(started(Origin.REQUESTS)));
    Journal.Unfinished left = first.unfinished().orElseThrow();
    JournalState next = JournalState.of(Optional.empty(), Optional.of(left));
    DONE.forEach(next::read);
    assertThat(next.stability().guesses()).containsExactly(ENDED);

    String json = EntryJson.MAPPER.writeValueAsString(started(Origin.REQUESTS));
    assertThat(((Entry.PlanStarted) EntryJson.MAPPER.readValue(json, Entry.class)).from())
        .isEqualTo(Origin.REQUESTS);
    assertThat(EntryJson.MAPPER.writeValueAsString(started(null)))
        .as("as earlier versions wrote it")
        .doesNotContain("\"from\":null");
  }

  @Test
  void itsMovesAreFoundByTheirTime() {
    assertThat(after(Origin.REQUESTS).stability().moves())
        .containsExactly(new Stability.Moved(ENDED, MOVE.partition(), MOVE.from(), MOVE.to()));
  }

  @Test
  void theNextControllerKnowsItAndAnOlderOneLeftNone() throws Exception {
    Memory memory = after(Origin.REQUESTS);
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
