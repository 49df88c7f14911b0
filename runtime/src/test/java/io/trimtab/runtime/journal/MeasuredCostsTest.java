package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.plan.PlanCosts;
import io.trimtab.controller.plan.PlanEffect;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.tenants.TableLevels;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What plans have cost users is part of what later decisions go by. */
class MeasuredCostsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration TOOK = Duration.ofSeconds(50);
  private static final TableLevels LEVELS =
      new TableLevels(List.of(new TableLevels.Level("d", 95, NOW)));

  private static final PolicyState NEXT = new PolicyState(2, false, List.of(), List.of());

  private static List<Entry> plan(String id, PolicyState next, int moves, Double lost) {
    List<PlannedAction> actions = new ArrayList<>();
    for (int i = 1; i <= moves; i++) {
      PartitionId partition = new PartitionId("t", "p" + i);
      Action move = new Action.Move(partition, new NodeId("a:1"), new NodeId("b:1"));
      actions.add(new PlannedAction(i, move, "r", "e", "c", "u"));
    }
    Plan plan = new Plan(id, "c", NOW, "autopilot", "s", 1, actions);
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, next));
    for (int i = 1; i <= moves; i++) {
      entries.add(new Entry.ActionEnded(NOW, i, ActionOutcome.DONE, ""));
    }
    entries.add(new Entry.PlanEnded(NOW.plus(TOOK), id, PlanOutcome.DONE, "", lost));
    return entries;
  }

  @Test
  void theNextDecisionKnowsWhatTheLastPlansHaveCost() throws Exception {
    List<Entry> entries = new ArrayList<>(plan("one", NEXT, 4, 20.0));
    // Decided before the first plan had ended, and so without its costs.
    entries.addAll(plan("two", NEXT, 6, 3.0));

    Memory memory = JournalState.of(entries).memory();

    assertThat(memory.policy().costs()).contains(new PlanCosts(13, 8, 75, NOW.plus(TOOK)));
    String json = EntryJson.MAPPER.writeValueAsString(memory);
    Memory read = EntryJson.MAPPER.readValue(json, Memory.class);
    assertThat(read).isEqualTo(memory);
    JournalState later = JournalState.of(Optional.of(read), Optional.empty());
    assertThat(later.policyState().costs()).contains(new PlanCosts(13, 8, 75, NOW.plus(TOOK)));
  }

  /** A controller that takes over compares it, and believes as much. */
  @Test
  void whatAPlanHasPromisedIsKnownToTheNextController() throws Exception {
    PlanEffect promised = new PlanEffect(0.25, 0.9, 0.7, NOW, LEVELS);
    Memory memory = JournalState.of(plan("one", NEXT.expecting(promised), 4, 20.0)).memory();

    Memory read =
        EntryJson.MAPPER.readValue(EntryJson.MAPPER.writeValueAsString(memory), Memory.class);

    assertThat(read).isEqualTo(memory);
    JournalState later = JournalState.of(Optional.of(read), Optional.empty());
    assertThat(later.policyState().effect()).contains(promised);
  }

  @Test
  void whatAnEarlierVersionHasKeptTellsNothingOfTheTime() throws Exception {
    String kept = "{\"lostSeconds\":13,\"partitions\":8,\"at\":\"2026-01-01T12:00:00Z\"}";

    PlanCosts read = EntryJson.MAPPER.readValue(kept, PlanCosts.class);

    assertThat(read).isEqualTo(new PlanCosts(13, 8, 0, NOW));
    assertThat(read.takes(NOW)).isEmpty();
  }

  @Test
  void aPlanThatWasNotMeasuredChangesNothing() throws Exception {
    JournalState state = JournalState.of(plan("one", NEXT, 4, null));

    assertThat(state.policyState()).isEqualTo(NEXT);
    Entry.PlanEnded ended = new Entry.PlanEnded(NOW, "one", PlanOutcome.DONE, "w");
    String json = EntryJson.MAPPER.writeValueAsString(ended);
    assertThat(json).doesNotContain("usersLost");
    assertThat(EntryJson.MAPPER.readValue(json, Entry.class)).isEqualTo(ended);
  }
}
