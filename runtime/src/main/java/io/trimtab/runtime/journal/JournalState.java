package io.trimtab.runtime.journal;

import io.trimtab.controller.agreement.Compliance;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.plan.PlanCosts;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.Setbacks;
import io.trimtab.controller.policy.Stability;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** State derived from the entries of a journal, entry by entry. */
public final class JournalState {
  /** Predictions that the next controller is told of; a few are enough to judge a model. */
  private static final int PREDICTIONS_MAX = 4 * PredictionLedger.RECENT;

  private final LeadTimes leadTimes;
  private final PredictionLedger ledger;
  private Journal.Unfinished open;
  private PolicyState pending;
  private PolicyState remembered = PolicyState.INITIAL;
  private Setbacks setbacks = Setbacks.NONE;
  private Stability stability = Stability.NONE;
  private String lastPlan = "";
  private String lastPolicy = "";
  private Instant lastPlanEnded;
  private Map<NodeId, NodeId> added = Map.of();
  private Entry.Held held;
  private final SortedMap<NodeId, Entry.Slow> slow = new TreeMap<>();
  private final SortedMap<NodeId, Entry.Unread> unread = new TreeMap<>();
  private Entry.WaitsFrom waits;
  private final SortedMap<String, Entry.ClientsAbove> above = new TreeMap<>();
  private final SortedMap<String, Double> clientHours = new TreeMap<>();
  private final SortedMap<String, Entry.AgreementSeen> agreements = new TreeMap<>();
  private final SortedMap<String, Instant> missed = new TreeMap<>();

  /** Of a cluster on which nothing was done yet. */
  public JournalState() {
    this(Optional.empty(), Optional.empty());
  }

  private JournalState(Optional<Memory> memory, Optional<Journal.Unfinished> unfinished) {
    leadTimes = new LeadTimes(memory, unfinished);
    ledger = new PredictionLedger(memory.map(Memory::predictions).orElse(List.of()));
    memory.ifPresent(
        m -> {
          remembered = m.policy();
          setbacks = m.setbacks();
          stability = m.stability();
          lastPlan = m.lastPlan();
          lastPolicy = m.lastPolicy();
          lastPlanEnded = m.lastPlanEnded().orElse(null);
          clientHours.putAll(m.clientHours());
          missed.putAll(m.missed());
        });
    unfinished.ifPresent(
        o -> {
          open = copy(o);
          pending = o.next();
          // It began after what is remembered.
          ledger.planBegun();
        });
  }

  /** Derived from entries, the oldest first. */
  public static JournalState of(List<Entry> entries) {
    JournalState state = new JournalState();
    entries.forEach(state::read);
    return state;
  }

  /** As an earlier controller has left it with the cluster. */
  public static JournalState of(Optional<Memory> memory, Optional<Journal.Unfinished> open) {
    return new JournalState(memory, open);
  }

  /** Processes the next entry. */
  void read(Entry entry) {
    leadTimes.read(entry);
    ledger.read(entry);
    if (beside(entry)) {
      return;
    }
    held = entry instanceof Entry.Held hold ? hold : null;
    if (entry instanceof Entry.Took) {
      // The new controller judges for itself, but goes on counting what is to be paid.
      slow.clear();
      unread.clear();
      waits = null;
      above.clear();
    }
    if (entry instanceof Entry.PlanStarted start) {
      pending = start.next();
      open = Journal.Unfinished.of(start);
    } else if (entry instanceof Entry.PlanEnded end) {
      // Told again where it could not be shared with the cluster: then it is known already.
      if (open != null || !end.planId().equals(lastPlan)) {
        ended(end);
      }
    } else if (open != null) {
      progress(entry);
    }
  }

  private void ended(Entry.PlanEnded end) {
    remember(end);
    Optional<PlanCosts> costs = costs(end);
    added = open == null ? Map.of() : Map.copyOf(open.added());
    List<PlannedAction> done = open == null ? List.of() : done(open);
    open = null;
    lastPlan = end.planId();
    lastPlanEnded = end.at();
    remembered = remembered(end, done).with(costs);
  }

  /** Whether it is told beside what is decided: the reason for doing nothing goes on then. */
  private boolean beside(Entry entry) {
    if (entry instanceof Entry.Slow told) {
      slow.remove(told.node());
      if (told.slow()) {
        slow.put(told.node(), told);
      }
      return true;
    }
    if (entry instanceof Entry.Unread told) {
      unread.remove(told.node());
      if (told.unread()) {
        unread.put(told.node(), told);
      }
      return true;
    }
    if (entry instanceof Entry.WaitsFrom from) {
      waits = from;
      return true;
    }
    if (entry instanceof Entry.ClientsAbove told) {
      above.remove(told.tenant());
      clientHours.remove(told.tenant());
      if (told.above()) {
        above.put(told.tenant(), told);
        clientHours.put(told.tenant(), told.clientHours());
      }
      return true;
    }
    if (entry instanceof Entry.AgreementSeen told) {
      note(told);
      return true;
    }
    return false;
  }

  /** What an earlier controller has seen holds until this one has looked. */
  private void note(Entry.AgreementSeen told) {
    agreements.remove(told.tenant());
    if (told.verdict() != Compliance.Verdict.UNKNOWN || told.agreed() == 0) {
      // One that was missed, and of which a part is not measured now, is not known to be kept.
      missed.remove(told.tenant());
    }
    if (told.agreed() > 0) {
      agreements.put(told.tenant(), told);
    }
    if (told.verdict() == Compliance.Verdict.MISSED) {
      missed.put(told.tenant(), told.since());
    }
  }

  /** Actions that have ended, and splits that were begun: their right half may not have moved. */
  private static List<PlannedAction> done(Journal.Unfinished plan) {
    return plan.plan().actions().stream()
        .filter(
            planned ->
                plan.ended().contains(planned.step())
                    || (plan.begun().containsKey(planned.step())
                        && planned.action().as(Action.Split.class).isPresent()))
        .toList();
  }

  /** What the policy knows after a plan of which a part may have been done. */
  private PolicyState remembered(Entry.PlanEnded end, List<PlannedAction> done) {
    if (pending == null) {
      return remembered;
    }
    if (end.outcome() == PlanOutcome.DONE) {
      return pending.named(added);
    }
    PolicyState part = added.isEmpty() ? remembered : remembered.afterPart(pending.named(added));
    return part.afterActions(pending, done, end.at());
  }

  /** What partitions cost users by this plan, too, whoever ordered it and however it ended. */
  private Optional<PlanCosts> costs(Entry.PlanEnded end) {
    if (open == null) {
      return remembered.costs();
    }
    int disturbed = PlanCosts.disturbed(open.plan(), open.ended());
    Duration took = Duration.between(open.startedAt(), end.at());
    return PlanCosts.after(remembered.costs(), end.lost(), disturbed, took, end.at());
  }

  /** A plan that was stopped says nothing about the next one like it. */
  private void remember(Entry.PlanEnded end) {
    if (open == null) {
      return;
    }
    stability = stability.after(open.plan(), open.ended(), open.added(), end.at());
    if (open.from().filter(Origin.REQUESTS::equals).isPresent()) {
      // Whoever ends it, and whether it was done or not: nobody has measured what it went by.
      stability = stability.guessed(end.at());
    }
    // Not those that an operator has ordered, or that replace what is dead.
    if (Policies.ALL.names().contains(open.plan().policy())) {
      lastPolicy = open.plan().policy();
    }
    if (end.outcome() == PlanOutcome.DONE) {
      setbacks = setbacks.done(open.plan());
    } else if (end.outcome() == PlanOutcome.ABANDONED) {
      setbacks = setbacks.abandoned(open.plan(), end.at());
    }
  }

  private void progress(Entry entry) {
    if (entry instanceof Entry.ActionStarted begun) {
      open.begun().putIfAbsent(begun.step(), begun.at());
    } else if (entry instanceof Entry.ActionEnded end && end.outcome().ended()) {
      open.begun().remove(end.step());
      open.ended().add(end.step());
    } else if (entry instanceof Entry.NodeAdded added) {
      open.added().put(added.placeholder(), added.node());
    }
  }

  /** A plan that was started and has not ended; later entries do not change the returned value. */
  public Optional<Journal.Unfinished> unfinished() {
    return Optional.ofNullable(open).map(JournalState::copy);
  }

  private static Journal.Unfinished copy(Journal.Unfinished o) {
    return new Journal.Unfinished(
        o.plan(),
        o.before(),
        o.next(),
        o.startedAt(),
        new TreeSet<>(o.ended()),
        new TreeMap<>(o.begun()),
        new TreeMap<>(o.added()),
        o.users(),
        o.from());
  }

  /** What the next controller needs to know of plans that have ended. */
  Memory memory() {
    List<PredictionLedger.PredictionResult> lines = ledger.lines();
    return new Memory(
        remembered,
        lastPlan,
        Optional.ofNullable(lastPlanEnded),
        leadTimes.last(),
        leadTimes.grown(),
        leadTimes.requested(),
        lines.subList(Math.max(0, lines.size() - PREDICTIONS_MAX), lines.size()),
        setbacks,
        stability,
        clientHours,
        lastPolicy,
        missed);
  }

  PolicyState policyState() {
    return remembered;
  }

  /** As of {@link Journal#remember}. */
  void remember(PolicyState next) {
    remembered = next;
  }

  Setbacks setbacks() {
    return setbacks;
  }

  Stability stability() {
    return stability;
  }

  /** As of {@link Memory#lastPolicy()}. */
  String lastPolicy() {
    return lastPolicy;
  }

  Optional<Instant> lastPlanEnded() {
    return Optional.ofNullable(lastPlanEnded);
  }

  /** As of {@link Journal#added}. */
  Map<NodeId, NodeId> added() {
    return added;
  }

  /** The last entry, if it is a reason for doing nothing. */
  Optional<Entry.Held> held() {
    return Optional.ofNullable(held);
  }

  /** Nodes that are slow, by name, with what was told of them last. */
  public SortedMap<NodeId, Entry.Slow> slow() {
    return new TreeMap<>(slow);
  }

  /** Nodes that can't be read, by name. */
  public SortedMap<NodeId, Entry.Unread> unread() {
    return new TreeMap<>(unread);
  }

  /** What the I/O wait in nodes' usage was last computed from. */
  public Optional<Entry.WaitsFrom> waits() {
    return Optional.ofNullable(waits);
  }

  /** What was told last of clients above the agreed number, by tenant, while there are any. */
  public SortedMap<String, Entry.ClientsAbove> above() {
    return new TreeMap<>(above);
  }

  /** As of {@link Memory#clientHours()}, also of earlier controllers. */
  SortedMap<String, Double> clientHours() {
    return new TreeMap<>(clientHours);
  }

  /** How agreements are kept, by tenant, as it was told last. */
  SortedMap<String, Entry.AgreementSeen> agreements() {
    return new TreeMap<>(agreements);
  }

  /** As of {@link Memory#missed()}. */
  SortedMap<String, Instant> missed() {
    return new TreeMap<>(missed);
  }

  LeadTimes leadTimes() {
    return leadTimes;
  }

  PredictionLedger ledger() {
    return ledger;
  }
}
