package io.trimtab.runtime.journal;

import io.trimtab.controller.policy.PolicyState;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the entries of a journal come to; a fold, entry by entry. */
final class JournalState {
  private final LeadTimes leadTimes = new LeadTimes();
  private final PredictionLedger ledger = new PredictionLedger();
  private Journal.Unfinished open;
  private PolicyState pending;
  private PolicyState remembered = PolicyState.INITIAL;
  private Instant lastPlanEnded;
  private Entry.Held held;

  /** Goes on with the next entry. */
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

  /** A plan that was begun and not ended, as of now: later entries do not change it. */
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

  /** The last entry, where it is a refusal. */
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
