package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.ports.FileJournalStore;
import io.trimtab.runtime.ports.JournalFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeadTimesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final List<Entry> entries = new ArrayList<>();

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }

  private static Plan plan(String id, Action... actions) {
    List<PlannedAction> steps = new ArrayList<>();
    for (Action action : actions) {
      steps.add(new PlannedAction(steps.size() + 1, action, "why", "effect", "cost", "undo"));
    }
    return new Plan(id, "ring", START, "slo", "", 1, steps);
  }

  private static Plan growing(String id) {
    return plan(id, new Action.AddNode(1, Profile.READ), new Action.Cleanup(new NodeId("n0:9042")));
  }

  private void begun(int second, Plan plan) {
    entries.add(new Entry.PlanStarted(at(second), plan, BalancerState.PAUSED, PolicyState.INITIAL));
  }

  private void action(int step, int from, int to, ActionOutcome outcome) {
    entries.add(new Entry.ActionStarted(at(from), step));
    entries.add(new Entry.ActionEnded(at(to), step, outcome, ""));
  }

  private static Optional<LeadTime> seconds(int served, Integer warm) {
    return Optional.of(
        new LeadTime(
            Duration.ofSeconds(served), Optional.ofNullable(warm).map(Duration::ofSeconds)));
  }

  /** Old files of a journal are deleted: the first that is left may begin within a plan. */
  @Test
  void aPlanWhoseBeginningIsGoneTellsNothing() {
    action(1, 10, 50, ActionOutcome.DONE);

    assertThat(LeadTimes.last(entries)).isEmpty();
    assertThat(JournalState.of(entries).lastPlanEnded()).isEmpty();
  }

  @Test
  void aNodeTakesFromTheWishUntilItServesAndOnUntilCachesAreFull() {
    assertThat(LeadTimes.last(entries)).isEmpty();
    begun(0, growing("p1"));
    action(1, 10, 85, ActionOutcome.DONE);
    assertThat(LeadTimes.last(entries)).isEqualTo(seconds(75, null));
    action(2, 85, 95, ActionOutcome.DONE);
    entries.add(new Entry.PlanEnded(at(96), "p1", PlanOutcome.DONE, ""));
    assertThat(LeadTimes.of(entries).cold()).contains("p1");

    entries.add(new Entry.Warmed(at(210), "p1"));

    assertThat(LeadTimes.last(entries)).isEqualTo(seconds(75, 200));
    assertThat(LeadTimes.of(entries).cold()).isEmpty();
  }

  @Test
  void whatAKilledControllerBeganCountsFromThere() {
    begun(0, growing("p1"));
    entries.add(new Entry.ActionStarted(at(10), 1));
    action(1, 60, 90, ActionOutcome.DONE);

    assertThat(LeadTimes.last(entries)).isEqualTo(seconds(80, null));
  }

  @Test
  void anotherPlanLeavesItUnknownWhenCachesWereFull() {
    begun(0, growing("p1"));
    action(1, 10, 85, ActionOutcome.DONE);
    begun(100, plan("p2", new Action.RemoveNode(new NodeId("n0:9042"))));
    action(1, 101, 102, ActionOutcome.DONE);

    assertThat(LeadTimes.of(entries).cold()).isEmpty();
    assertThat(LeadTimes.last(entries)).isEqualTo(seconds(75, null));
    // A request that failed tells nothing.
    begun(200, growing("p3"));
    action(1, 201, 500, ActionOutcome.FAILED);
    assertThat(LeadTimes.last(entries)).isEqualTo(seconds(75, null));
  }

  @Test
  void itIsToldWithEachNodeThatAPlanAdds() {
    assertThat(told(seconds(75, 200), Optional.empty()))
        .contains("cost     cost; the last one served after 75 s, and caches were full after 200 s")
        .containsOnlyOnce("the last one");
    assertThat(told(seconds(75, null), Optional.empty()))
        .contains("the last one served after 75 s, the time until caches were full is unknown");
  }

  private static String told(Optional<LeadTime> last, Optional<NodeCapacity> offer) {
    return PlanText.table(LeadTime.annotate(growing("p1"), last, offer));
  }

  @Test
  void untilOneIsMeasuredTheProviderTellsHowLongANodeTakesAndAlwaysWhatItCosts() {
    Optional<NodeCapacity> offer =
        Optional.of(
            new NodeCapacity(
                3,
                OptionalInt.empty(),
                OptionalDouble.of(0.2),
                Map.of("READ", 0.38),
                Optional.of(Duration.ofSeconds(90))));
    assertThat(told(Optional.empty(), offer))
        .contains("cost; one boots in about 90 s; it costs 0.38")
        .containsOnlyOnce("one boots");
    assertThat(told(seconds(75, 200), offer))
        .contains("the last one served after 75 s")
        .contains("it costs 0.38")
        .doesNotContain("boots");
    assertThat(told(Optional.empty(), Optional.of(NodeCapacity.of(3))))
        .isEqualTo(PlanText.table(growing("p1")));
  }

  @Test
  void theJournalKeepsIt(@TempDir Path folder) {
    Entry warmed = new Entry.Warmed(at(210), "p1");
    try (Journal journal = new Journal(FileJournalStore.open(folder.resolve("journal.jsonl")))) {
      journal.append(warmed);
    }
    assertThat(new JournalFiles(folder).all()).containsExactly(warmed);
  }
}
