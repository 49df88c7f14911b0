package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is remembered of nodes that were put in the place of others, and of what left slow ones. */
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
          List.of(),
          List.of(),
          Optional.empty(),
          Optional.empty());

  private static PolicyState after(PlanOutcome outcome, boolean joined) {
    return after(outcome, joined, false);
  }

  private static PolicyState after(PlanOutcome outcome, boolean joined, boolean toldTwice) {
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
    if (toldTwice) {
      entries.add(new Entry.PlanEnded(NOW, "p", outcome, "w"));
    }
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

  /** The end of a plan is told again where the cluster could not be told at first. */
  @Test
  void anEndThatIsToldTwiceIsTheSameEnd() {
    for (PlanOutcome outcome : PlanOutcome.values()) {
      assertThat(after(outcome, true, true)).as("%s", outcome).isEqualTo(after(outcome, true));
    }
  }

  /** Otherwise one that takes too long to leave would be replaced again and again. */
  @Test
  void aReplacementThatWasNotDoneIsRememberedOnceANodeHasJoined() {
    PolicyState part = after(PlanOutcome.ABANDONED, true);

    assertThat(part.step()).isEqualTo(1);
    assertThat(part.replaced()).extracting(PolicyState.Replaced::node).contains(SLOW, JOINED);
    assertThat(after(PlanOutcome.ABANDONED, false)).isEqualTo(PolicyState.INITIAL);
  }

  private static PolicyState afterMoves(PlanOutcome outcome, int done) {
    List<PlannedAction> actions = new ArrayList<>();
    List<PolicyState.LeftSlow> left = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      PartitionId partition = new PartitionId("t", "p" + i);
      Action move = new Action.Move(partition, SLOW, JOINED);
      actions.add(new PlannedAction(i, move, "r", "e", "c", "u"));
      left.add(new PolicyState.LeftSlow(partition, SLOW, NOW));
    }
    PolicyState next =
        new PolicyState(
            1,
            false,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            left,
            List.of(),
            Optional.empty(),
            Optional.empty());
    Plan plan = new Plan("p", "c", NOW, "autopilot", "s", 1, actions);
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry.PlanStarted(NOW, plan, BalancerState.PAUSED, next));
    for (int i = 1; i <= done; i++) {
      entries.add(new Entry.ActionEnded(NOW, i, ActionOutcome.DONE, "w"));
    }
    entries.add(new Entry.PlanEnded(NOW, "p", outcome, "w"));
    return JournalState.of(entries).policyState();
  }

  /** Otherwise what slows any node would be moved again after every plan that is stopped. */
  @Test
  void whatHasLeftASlowNodeIsRememberedAlsoOfAPlanThatWasNotDone() {
    assertThat(afterMoves(PlanOutcome.DONE, 3).left()).hasSize(3);
    PolicyState part = afterMoves(PlanOutcome.ABANDONED, 2);

    assertThat(part.first()).isTrue();
    assertThat(part.leftLately(NOW.plusSeconds(60)))
        .containsOnlyKeys(new PartitionId("t", "p1"), new PartitionId("t", "p2"))
        .containsValue(SLOW);
    assertThat(part.leftLately(NOW.plus(Duration.ofDays(1)))).isEmpty();
    assertThat(afterMoves(PlanOutcome.ABANDONED, 0)).isEqualTo(PolicyState.INITIAL);
  }

  @Test
  void itIsKeptWithTheStateAndMissingInOlderOnes() throws JsonProcessingException {
    String kept = EntryJson.MAPPER.writeValueAsString(NEXT);
    String without = EntryJson.MAPPER.writeValueAsString(PolicyState.INITIAL);

    PolicyState left = afterMoves(PlanOutcome.DONE, 3);
    String moved = EntryJson.MAPPER.writeValueAsString(left);

    assertThat(EntryJson.MAPPER.readValue(kept, PolicyState.class)).isEqualTo(NEXT);
    assertThat(EntryJson.MAPPER.readValue(moved, PolicyState.class)).isEqualTo(left);
    assertThat(without).doesNotContain("replaced").doesNotContain("left");
    assertThat(EntryJson.MAPPER.readValue(without, PolicyState.class))
        .isEqualTo(PolicyState.INITIAL);
  }
}
