package io.trimtab.runtime.journal;

import io.trimtab.controller.policy.PolicyState;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** State derived from the entries of a journal, entry by entry. */
final class JournalState {
  private final LeadTimes leadTimes = new LeadTimes();
  private final PredictionLedger ledger = new PredictionLedger();
  private Journal.Unfinished open;
  private PolicyState pending;
  private PolicyState remembered = PolicyState.INITIAL;
  private Instant lastPlanEnded;
  private Entry.Held held;

  /** Processes the next entry. */
  void read(Entry entry) {
    leadTimes.read(entry);
    ledger.read(entry);
    held = entry instanceof Entry.Held hold ? hold : null;
    if (entry instanceof Entry.PlanStarted start) {
      pending = start.next();
      open =
          new Journal.Unfinished(
              start.plan(),
              start.before(),
              start.next(),
              start.at(),
              new TreeSet<>(),
              new TreeMap<>());
    } else if (entry instanceof Entry.PlanEnded end) {
      open = null;
      lastPlanEnded = end.at();
      remembered = end.outcome() == PlanOutcome.DONE && pending != null ? pending : remembered;
    } else if (open != null && entry instanceof Entry.ActionEnded end && end.outcome().ended()) {
      open.ended().add(end.step());
    } else if (open != null && entry instanceof Entry.NodeAdded added) {
      open.added().put(added.placeholder(), added.node());
    }
  }

  /** A plan that was started and has not ended; later entries do not change the returned value. */
  Optional<Journal.Unfinished> unfinished() {
    return Optional.ofNullable(open)
        .map(
            o ->
                new Journal.Unfinished(
                    o.plan(),
                    o.before(),
                    o.next(),
                    o.startedAt(),
                    new TreeSet<>(o.ended()),
                    new TreeMap<>(o.added())));
  }

  PolicyState policyState() {
    return remembered;
  }

  Optional<Instant> lastPlanEnded() {
    return Optional.ofNullable(lastPlanEnded);
  }

  /** The last entry, if it is a reason for doing nothing. */
  Optional<Entry.Held> held() {
    return Optional.ofNullable(held);
  }

  LeadTimes leadTimes() {
    return leadTimes;
  }

  PredictionLedger ledger() {
    return ledger;
  }
}
