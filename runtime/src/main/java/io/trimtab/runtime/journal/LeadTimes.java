package io.trimtab.runtime.journal;

import io.trimtab.controller.plan.LeadTime;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How long the node took that a plan has added last; a fold of the journal. */
public final class LeadTimes {
  /** Of the plan that was begun last; a resumed action counts from its first beginning. */
  private final Map<Integer, Instant> requestedByStep = new HashMap<>();

  private Plan plan;
  private String grown = "";
  private Instant requested;
  private LeadTime last;

  LeadTimes() {}

  static LeadTimes of(List<Entry> entries) {
    LeadTimes times = new LeadTimes();
    entries.forEach(times::read);
    return times;
  }

  /** Empty where none was added. */
  public static Optional<LeadTime> last(List<Entry> entries) {
    return of(entries).last();
  }

  /** Empty where none was added. */
  Optional<LeadTime> last() {
    return Optional.ofNullable(last);
  }

  /**
   * The plan that has added a node, while it is not known when caches were full again; empty also
   * where another plan has changed the cluster since, because then it never will be.
   */
  Optional<String> cold() {
    boolean open = last != null && last.warm().isEmpty() && plan != null && plan.id().equals(grown);
    return open ? Optional.of(grown) : Optional.empty();
  }

  /** Goes on with the next entry. */
  void read(Entry entry) {
    if (entry instanceof Entry.PlanStarted start) {
      plan = start.plan();
      requestedByStep.clear();
    } else if (entry instanceof Entry.ActionStarted begun) {
      requestedByStep.putIfAbsent(begun.step(), begun.at());
    } else if (entry instanceof Entry.ActionEnded ended && added(ended)) {
      grown = plan.id();
      requested = requestedByStep.get(ended.step());
      last = new LeadTime(Duration.between(requested, ended.at()), Optional.empty());
    } else if (entry instanceof Entry.Warmed warmed && warmed.planId().equals(grown)) {
      last = new LeadTime(last.served(), Optional.of(Duration.between(requested, warmed.at())));
    }
  }

  private boolean added(Entry.ActionEnded ended) {
    return ended.outcome() == ActionOutcome.DONE
        && requestedByStep.containsKey(ended.step())
        && plan.actions().stream()
            .anyMatch(
                a -> a.step() == ended.step() && a.action().as(Action.AddNode.class).isPresent());
  }
}
