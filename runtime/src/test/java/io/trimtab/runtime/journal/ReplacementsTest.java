package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of nodes that were put in the place of others. */
class ReplacementsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final NodeId SLOW = new NodeId("slow:9042");
  private static final NodeId PLANNED = new NodeId("new-1");
  private static final NodeId JOINED = new NodeId("joined:9042");

  private static final PolicyState NEXT =
      new PolicyState(
          3,
          false,
          List.of(),
          List.of(),
          List.of(),
          List.of(new PolicyState.Replaced(SLOW, NOW), new PolicyState.Replaced(PLANNED, NOW)),
          0);

  private static PolicyState after(PlanOutcome outcome, boolean joined) {
    List<PlannedAction> actions =
        List.of(
            new PlannedAction(1, new Action.AddNode(1, Profile.HOMOGENEOUS), "r", "e", "c", "u"),
            new PlannedAction(2, new Action.RemoveNode(SLOW), "r", "e", "c", "u"));
    Plan plan = new Plan("p", "ring", NOW, "autopilot", "s", 1, actions);
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, NEXT));
    if (joined) {
      entries.add(new Entry.NodeAdded(NOW, PLANNED, JOINED));
    }
    entries.add(new Entry.PlanEnded(NOW, "p", outcome, "w"));
    return JournalState.of(entries).policyState();
  }

  @Test
  void theNodeThatHasJoinedIsRememberedByItsName() {
    PolicyState done = after(PlanOutcome.DONE, true);

    assertThat(done.step()).isEqualTo(3);
    assertThat(done.replaced())
        .extracting(PolicyState.Replaced::node)
        .containsExactly(SLOW, JOINED);
  }

  /** Otherwise one that takes too long to leave would be replaced again and again. */
  @Test
  void aReplacementThatWasNotDoneIsRememberedOnceANodeHasJoined() {
    PolicyState part = after(PlanOutcome.ABANDONED, true);

    assertThat(part.step()).isEqualTo(1);
    assertThat(part.replaced()).extracting(PolicyState.Replaced::node).contains(SLOW, JOINED);
    assertThat(after(PlanOutcome.ABANDONED, false)).isEqualTo(PolicyState.INITIAL);
  }

  @Test
  void itIsKeptWithTheStateAndMissingInOlderOnes() throws JsonProcessingException {
    String kept = EntryJson.MAPPER.writeValueAsString(NEXT);
    String without = EntryJson.MAPPER.writeValueAsString(PolicyState.INITIAL);

    assertThat(EntryJson.MAPPER.readValue(kept, PolicyState.class)).isEqualTo(NEXT);
    assertThat(without).doesNotContain("replaced");
    assertThat(EntryJson.MAPPER.readValue(without, PolicyState.class))
        .isEqualTo(PolicyState.INITIAL);
  }
}
