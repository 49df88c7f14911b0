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

/** Lead time of the node that was added last, derived from the entries of a journal. */
public final class LeadTimes {
  /** Of the plan that was started last; for a resumed action the first start counts. */
  private final Map<Integer, Instant> requestedByStep = new HashMap<>();

  private Plan plan;
  private String lastPlan = "";
  private String grown = "";
  private Instant requested;
  private LeadTime last;

  LeadTimes() {}

  /** Continues from what is remembered and, within a plan, from its steps that were begun. */
  LeadTimes(Optional<Memory> memory, Optional<Journal.Unfinished> open) {
    memory.ifPresent(
        m -> {
          lastPlan = m.lastPlan();
          grown = m.grown();
          requested = m.requested().orElse(null);
          last = m.lastAdded().orElse(null);
        });
    open.ifPresent(
        o -> {
          plan = o.plan();
          lastPlan = plan.id();
          requestedByStep.putAll(o.begun());
        });
  }

  String grown() {
    return grown;
  }

  Optional<Instant> requested() {
    return Optional.ofNullable(requested);
  }

  static LeadTimes of(List<Entry> entries) {
    LeadTimes times = new LeadTimes();
    entries.forEach(times::read);
    return times;
  }

  /** Empty if no node was added. */
  public static Optional<LeadTime> last(List<Entry> entries) {
    return of(entries).last();
  }

  /** Empty if no node was added. */
  Optional<LeadTime> last() {
    return Optional.ofNullable(last);
  }

  /**
   * The plan that added a node, until caches are full again; empty also if another plan has changed
   * the cluster since, because the time then remains unknown.
   */
  Optional<String> cold() {
    boolean open = last != null && last.warm().isEmpty() && lastPlan.equals(grown);
    return open ? Optional.of(grown) : Optional.empty();
  }

  /** Processes the next entry. */
  void read(Entry entry) {
    if (entry instanceof Entry.PlanStarted start) {
      plan = start.plan();
      lastPlan = plan.id();
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
    // The beginning of the oldest plan may be in a file that was deleted.
    return plan != null
        && ended.outcome() == ActionOutcome.DONE
        && requestedByStep.containsKey(ended.step())
        && plan.actions().stream()
            .anyMatch(
                a -> a.step() == ended.step() && a.action().as(Action.AddNode.class).isPresent());
  }
}
