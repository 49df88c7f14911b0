package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.PolicyState.Boundary;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** What is remembered of what a plan split, merged and compacted before it was ended. */
class PartlyDoneTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final NodeId NODE = new NodeId("a:16020");
  private static final KeyRange ALL = new KeyRange(RowKey.EMPTY, RowKey.EMPTY);
  private static final RowKey FIRST = RowKey.of(new byte[] {1});
  private static final RowKey SECOND = RowKey.of(new byte[] {2});
  private static final RowKey THIRD = RowKey.of(new byte[] {3});

  private static final Plan PLAN =
      new Plan(
          "p",
          "c",
          NOW,
          "autopilot",
          "s",
          1,
          List.of(
              planned(1, new Action.Split(partition("p1"), FIRST, 0.5, NODE, NODE)),
              planned(2, new Action.Split(partition("p2"), SECOND, 0.5, NODE, NODE)),
              planned(3, new Action.Merge(partition("p3"), partition("p4"), ALL, THIRD)),
              planned(4, new Action.Compact(partition("p5"), 0.5)),
              planned(5, new Action.Compact(partition("p6"), 0.5))));

  private static PlannedAction planned(int step, Action action) {
    return new PlannedAction(step, action, "r", "e", "c", "u");
  }

  private static PartitionId partition(String name) {
    return new PartitionId("t", name);
  }

  /**
   * What is known after it.
   *
   * @param next what would be known if all had been done
   * @param begun steps that began and did not end
   */
  private static PolicyState after(
      PolicyState next, PlanOutcome outcome, List<Integer> begun, Integer... ended) {
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry.PlanStarted(NOW, PLAN, BalancerState.PAUSED, next));
    begun.forEach(step -> entries.add(new Entry.ActionStarted(NOW, step)));
    for (int step : ended) {
      entries.add(new Entry.ActionStarted(NOW, step));
      entries.add(new Entry.ActionEnded(NOW, step, ActionOutcome.DONE, "w"));
    }
    entries.add(new Entry.PlanEnded(NOW.plusSeconds(60), "p", outcome, "w"));
    return JournalState.of(entries).policyState();
  }

  private static PolicyState whole() {
    return PolicyState.INITIAL.after(PLAN.actions(), NOW);
  }

  /** Otherwise what was split would stay so for good, and be compacted again the same day. */
  @Test
  void whatWasDoneIsKnownOfAPlanThatWasAbandoned() {
    PolicyState part = after(whole(), PlanOutcome.ABANDONED, List.of(), 1, 3, 4);

    assertThat(part.boundaries())
        .extracting(Boundary::key, Boundary::split)
        .containsExactly(Tuple.tuple(FIRST, true), Tuple.tuple(THIRD, false));
    assertThat(part.rewrittenLately(NOW.plusSeconds(90))).containsExactly(partition("p5"));
    PolicyState all = after(whole(), PlanOutcome.DONE, List.of(), 1, 2, 3, 4, 5);
    assertThat(all.boundaries()).isEqualTo(whole().boundaries());
    assertThat(all.rewrites()).isEqualTo(whole().rewrites());
  }

  /** HBase may have split it, though its right half was not moved. */
  @Test
  void aSplitThatWasBegunCountsAsMade() {
    PolicyState part = after(whole(), PlanOutcome.ABANDONED, List.of(2, 5));

    assertThat(part.boundaries()).extracting(Boundary::key).containsExactly(SECOND);
    assertThat(part.rewrittenLately(NOW.plusSeconds(90))).isEmpty();
  }

  /** A policy does not merge what a person has split. */
  @Test
  void whatAnOperatorOrderedIsNotTheAutopilots() {
    PolicyState part = after(PolicyState.INITIAL, PlanOutcome.ABANDONED, List.of(), 1, 2, 3, 4);

    assertThat(part.boundaries()).isEmpty();
    assertThat(part.rewrites()).isEmpty();
  }
}
