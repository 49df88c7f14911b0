package io.trimtab.runtime.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.trimtab.config.UserError;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.ports.FileJournalStore;
import io.trimtab.runtime.ports.JournalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Decisions and actions on one cluster: JSON lines, appended to a {@link JournalStore}, so that a
 * controller that was killed at any moment can be continued. A line that is not an entry is an
 * error. State derived from the entries is kept up to date in memory; the entries themselves are
 * not. Thread-safe.
 */
public final class Journal implements AutoCloseable {
  private static final String ACTS = "journal.jsonl";

  /**
   * Dry runs write to this file, since they may run at the same time as the one controller that
   * acts.
   */
  private static final String DRY = "dry.jsonl";

  private static final ObjectWriter WRITER = EntryJson.MAPPER.writerFor(Entry.class);
  private static final ObjectReader READER = EntryJson.MAPPER.readerFor(Entry.class);

  private final JournalStore store;
  private final List<JournalStore> known;
  private final JournalState state = new JournalState();

  /**
   * Continues the journal in a store.
   *
   * @param others stores of earlier entries, which are only read
   * @throws UserError naming the store and the line, if a line is not an entry
   */
  public Journal(JournalStore store, JournalStore... others) {
    this.store = store;
    this.known = Stream.concat(Stream.of(others), Stream.of(store)).toList();
    try {
      known.forEach(s -> read(s.name(), s.lines(), state::read));
    } catch (UserError e) {
      store.close();
      throw e;
    }
  }

  /**
   * The journal of the controller that acts; there is only one, because it holds the cluster's
   * control lock.
   */
  public static Journal open(Path folder) {
    return new Journal(FileJournalStore.open(folder.resolve(ACTS)));
  }

  /** A journal that reads the entries of acting controllers and writes to a separate file. */
  public static Journal dry(Path folder) {
    return new Journal(
        FileJournalStore.create(folder.resolve(DRY)),
        FileJournalStore.reading(folder.resolve(ACTS)));
  }

  /** All entries about a cluster, in order of time; does not change any file. */
  public static List<Entry> all(Path folder) {
    List<Entry> all = new ArrayList<>();
    for (String name : List.of(ACTS, DRY)) {
      JournalStore file = FileJournalStore.reading(folder.resolve(name));
      read(file.name(), file.lines(), all::add);
    }
    all.sort(Comparator.comparing(Entry::at));
    return all;
  }

  /** Time of the last entry; the epoch if there is none. */
  public static Instant lastWritten(Path folder) {
    return Stream.of(ACTS, DRY)
        .map(name -> folder.resolve(name).toFile().lastModified())
        .max(Comparator.naturalOrder())
        .map(Instant::ofEpochMilli)
        .orElseThrow();
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
    try {
      store.append(WRITER.writeValueAsString(entry));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a journal entry can't be written", e);
    }
    state.read(entry);
  }

  /** Records a reason for doing nothing; repetitions of the same reason are recorded once. */
  public synchronized void hold(Entry.Held held) {
    boolean again =
        state
            .held()
            .filter(last -> last.by().equals(held.by()) && last.setting().equals(held.setting()))
            .isPresent();
    if (!again) {
      append(held);
    }
  }

  /** Reads all entries again, from the store. */
  public synchronized List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    known.forEach(s -> read(s.name(), s.lines(), entries::add));
    return entries;
  }

  /**
   * A plan that was started and has not ended.
   *
   * @param ended steps that were done or skipped
   * @param added nodes by the plan's placeholders
   */
  public record Unfinished(
      Plan plan,
      BalancerState before,
      PolicyState next,
      Instant startedAt,
      Set<Integer> ended,
      Map<NodeId, NodeId> added) {}

  public synchronized Optional<Unfinished> unfinished() {
    return state.unfinished();
  }

  /** The policy's state after the last plan that was completed. */
  public synchronized PolicyState policyState() {
    return state.policyState();
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

  /** The plan with the newest prediction, if its result has not been measured yet. */
  public synchronized Optional<String> unmeasured() {
    return state.ledger().unmeasured();
  }

  /** As of {@link PredictionLedger#recentError}. */
  public synchronized OptionalDouble recentError(String model) {
    return PredictionLedger.recentError(state.ledger().lines(), model);
  }

  @Override
  public synchronized void close() {
    store.close();
  }
}
