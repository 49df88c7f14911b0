package io.trimtab.runtime.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.trimtab.config.UserError;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.Setbacks;
import io.trimtab.controller.policy.Stability;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.ports.JournalStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decisions and actions on one cluster: JSON lines, appended to a {@link JournalStore}, so that a
 * controller that was killed at any moment can be continued. A line that is not an entry is an
 * error. State derived from the entries is kept up to date in memory; the entries themselves are
 * not. Thread-safe.
 */
public final class Journal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

  private static final ObjectWriter WRITER = EntryJson.MAPPER.writerFor(Entry.class);
  private static final ObjectReader READER = EntryJson.MAPPER.readerFor(Entry.class);

  /** Reasons often differ only in a number of seconds. */
  private static final Duration HELD_CHANGED = Duration.ofMinutes(1);

  private static final Duration HELD_AGAIN = Duration.ofMinutes(10);

  private final JournalStore store;
  private final JournalState state;

  /** Of the lines; 0 of a dry run. */
  private final long epoch;

  /** The reason that holds now, with all its repetitions. */
  private Entry.Held holding;

  /** Whether repetitions of it were counted that are not recorded. */
  private boolean counted;

  /**
   * Continues the journal in a store.
   *
   * @throws UserError naming the store and the line, if a line is not an entry
   */
  public Journal(JournalStore store) {
    this(store, new JournalState());
    try {
      read(store).forEach(state::read);
    } catch (UserError e) {
      store.close();
      throw e;
    }
  }

  /**
   * Begins a journal in an empty store.
   *
   * @param known the state that earlier entries, which are kept elsewhere, have led to
   */
  public Journal(JournalStore store, JournalState known) {
    this(store, known, 0);
  }

  /**
   * The same for a controller that acts.
   *
   * @param epoch of its lock, which each line tells
   */
  public Journal(JournalStore store, JournalState known, long epoch) {
    this.store = store;
    this.state = known;
    this.epoch = epoch;
  }

  /**
   * All entries in a store.
   *
   * @throws UserError naming the store and the line, if a line is not an entry
   */
  public static List<Entry> read(JournalStore store) {
    List<Entry> entries = new ArrayList<>();
    read(store.name(), store.lines(), entries::add);
    return entries;
  }

  private static void read(String name, List<String> lines, Consumer<Entry> to) {
    for (int i = 0; i < lines.size(); i++) {
      Entry entry;
      try {
        entry = READER.readValue(lines.get(i));
      } catch (ValueInstantiationException e) {
        throw new UserError(name + ":" + (i + 1) + ": " + e.getCause().getMessage(), e);
      } catch (IOException e) {
        throw new UserError(
            name
                + ":"
                + (i + 1)
                + ": is not a journal entry; to start a new journal, move the file away",
            e);
      }
      to.accept(entry);
    }
  }

  public synchronized void append(Entry entry) {
    recordCount();
    write(entry);
  }

  /** Otherwise the last repetitions of a reason would be lost when something else follows. */
  private void recordCount() {
    if (counted) {
      counted = false;
      write(holding);
    }
  }

  private void write(Entry entry) {
    try {
      String line = WRITER.writeValueAsString(entry);
      store.append(
          epoch == 0 || EntryJson.tellsEpoch(entry)
              ? line
              : line.substring(0, line.length() - 1) + ",\"epoch\":" + epoch + "}");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a journal entry can't be written", e);
    }
    state.read(entry);
  }

  /** Takes note of an entry that could not be written. */
  public synchronized void follow(Entry entry) {
    state.read(entry);
  }

  /**
   * Records a reason for doing nothing. Repetitions are counted, and recorded when the reason
   * changes, something else is recorded, the journal is closed, or every {@link #HELD_AGAIN}.
   */
  public synchronized void hold(Entry.Held held) {
    Optional<Entry.Held> last = Optional.ofNullable(holding).or(state::held);
    if (last.isEmpty() || state.held().isEmpty() || !last.get().same(held)) {
      append(held);
      holding = held;
      return;
    }
    Entry.Repeated repeated = new Entry.Repeated(last.get().first(), last.get().count() + 1);
    holding = new Entry.Held(held.at(), held.by(), held.reason(), held.setting(), repeated);
    Entry.Held written = state.held().get();
    Duration since = Duration.between(written.at(), held.at());
    boolean changed = !written.reason().equals(held.reason());
    counted = true;
    if (since.compareTo(changed ? HELD_CHANGED : HELD_AGAIN) >= 0) {
      recordCount();
    }
  }

  /** Reads all entries again, from the store. */
  public synchronized List<Entry> entries() {
    return read(store);
  }

  /** What the next controller needs to know of plans that have ended. */
  public synchronized Memory memory() {
    return state.memory();
  }

  /**
   * A plan that was started and has not ended.
   *
   * @param ended steps that were done or skipped
   * @param begun steps that were begun and have not ended, with the time of their first begin
   * @param added nodes by the plan's placeholders
   * @param users the level of users' requests before it; empty if it is not known
   * @param from what usage after it was predicted from; empty if none was
   */
  public record Unfinished(
      Plan plan,
      BalancerState before,
      PolicyState next,
      Instant startedAt,
      Set<Integer> ended,
      Map<Integer, Instant> begun,
      Map<NodeId, NodeId> added,
      Optional<UsersBefore> users,
      Optional<Origin> from) {
    /** Of which nothing was done yet. */
    public static Unfinished of(Entry.PlanStarted start) {
      return new Unfinished(
          start.plan(),
          start.before(),
          start.next(),
          start.at(),
          new TreeSet<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          Optional.ofNullable(start.users()),
          Optional.ofNullable(start.from()));
    }
  }

  public synchronized Optional<Unfinished> unfinished() {
    return state.unfinished();
  }

  /**
   * Takes note of the policy's state after a decision to do nothing. It is not written: the next
   * controller decides for itself.
   */
  public synchronized void remember(PolicyState next) {
    state.remember(next);
  }

  /** The policy's state after its last decision to do nothing, or plan that was completed. */
  public synchronized PolicyState policyState() {
    return state.policyState();
  }

  /** Plans that were abandoned, also by earlier controllers. */
  public synchronized Setbacks setbacks() {
    return state.setbacks();
  }

  /** What plans have moved, also of earlier controllers. */
  public synchronized Stability stability() {
    return state.stability();
  }

  /** Nodes that are slow, by name, with what was told of them last. */
  public synchronized SortedMap<NodeId, Entry.Slow> slow() {
    return state.slow();
  }

  /** Nodes that can't be read, by name. */
  public synchronized SortedMap<NodeId, Entry.Unread> unread() {
    return state.unread();
  }

  /** What the I/O wait in nodes' usage was last computed from. */
  public synchronized Optional<Entry.WaitsFrom> waits() {
    return state.waits();
  }

  /** What was told last of clients above the agreed number, by tenant, while there are any. */
  public synchronized SortedMap<String, Entry.ClientsAbove> above() {
    return state.above();
  }

  /** As of {@link Memory#clientHours()}, also of earlier controllers. */
  public synchronized SortedMap<String, Double> clientHours() {
    return state.clientHours();
  }

  /** Name of the policy whose plan ended last; empty if there was none. */
  public synchronized String lastPolicy() {
    return state.lastPolicy();
  }

  /** How agreements are kept, by tenant, as it was told last. */
  public synchronized SortedMap<String, Entry.AgreementSeen> agreements() {
    return state.agreements();
  }

  /** As of {@link Memory#missed()}, also of earlier controllers. */
  public synchronized SortedMap<String, Instant> missed() {
    return state.missed();
  }

  public synchronized Optional<Instant> lastPlanEnded() {
    return state.lastPlanEnded();
  }

  /** Lead time of the node that was added last; empty if none was. */
  public synchronized Optional<LeadTime> lastAdded() {
    return state.leadTimes().last();
  }

  /** As of {@link LeadTimes#cold()}. */
  public synchronized Optional<String> cold() {
    return state.leadTimes().cold();
  }

  /** As of {@link PredictionLedger#due}. */
  public synchronized Optional<String> due(Instant now, boolean filled) {
    return state.ledger().due(now, filled);
  }

  /** Nodes that the plan that ended last has added, by its placeholders. */
  public synchronized Map<NodeId, NodeId> added() {
    return state.added();
  }

  /**
   * What decisions go by.
   *
   * @param model identifies the built model; empty if there is none
   */
  public synchronized Decider.Past past(String model) {
    return new Decider.Past(
        lastPlanEnded(), lastAdded(), recentError(model), setbacks(), stability(), lastPolicy());
  }

  /** As of {@link PredictionLedger#recentError}. */
  public synchronized OptionalDouble recentError(String model) {
    return PredictionLedger.recentError(state.ledger().lines(), model);
  }

  @Override
  public synchronized void close() {
    try {
      recordCount();
    } catch (RuntimeException e) {
      LOG.warn("the journal lacks the last repetitions of a reason", e);
    } finally {
      store.close();
    }
  }
}
