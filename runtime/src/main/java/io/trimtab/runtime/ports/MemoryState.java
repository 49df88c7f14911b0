package io.trimtab.runtime.ports;

import io.trimtab.controller.observe.LoadRecord;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The state of one cluster in memory, for simulations; one journal for each epoch. */
public class MemoryState implements ClusterState {
  private final SortedMap<Long, JournalStore> acts = new TreeMap<>();

  /** Lines of earlier epochs when the next one began. */
  private final Map<Long, Integer> counts = new HashMap<>();

  private LoadRecord record = LoadRecord.NOTHING;

  /** The lines written by controllers that act, in order of epochs. */
  public final synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    acts.values().forEach(store -> lines.addAll(store.lines()));
    return lines;
  }

  @Override
  public void register() {}

  @Override
  public void unregister() {}

  @Override
  public boolean stopAsked() {
    return false;
  }

  @Override
  public boolean undoAsked() {
    return false;
  }

  /** The store of an epoch's journal. */
  protected JournalStore store(long epoch) {
    return new MemoryJournalStore();
  }

  @Override
  public final synchronized Journal journal(long epoch, JournalState known) {
    JournalStore store = store(epoch);
    acts.headMap(epoch).forEach((e, s) -> counts.computeIfAbsent(e, x -> s.lines().size()));
    acts.put(epoch, store);
    return new Journal(store, known, epoch);
  }

  /** Nothing, as there are no files; lines are counted instead. */
  @Override
  public final Map<String, Long> written(long epoch) {
    return Map.of();
  }

  @Override
  public final synchronized List<Entry> recorded() {
    List<Entry> entries = new ArrayList<>();
    acts.forEach(
        (epoch, store) -> {
          List<Entry> all = Journal.read(store);
          entries.addAll(all.subList(0, counts.getOrDefault(epoch, all.size())));
        });
    return entries;
  }

  @Override
  public final synchronized LoadRecord loadRecord() {
    return record;
  }

  @Override
  public final synchronized void keep(LoadRecord latest) {
    // As a file would have it.
    record = latest.resumed();
  }

  @Override
  public final Journal dryJournal(JournalState known) {
    return new Journal(new MemoryJournalStore(), known);
  }
}
