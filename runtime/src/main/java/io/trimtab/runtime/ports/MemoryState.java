package io.trimtab.runtime.ports;

import io.trimtab.runtime.journal.Journal;

/** The state of one cluster in memory, for simulations. */
public final class MemoryState implements ClusterState {
  private final MemoryJournalStore acts = new MemoryJournalStore();
  private final MemoryJournalStore dry = new MemoryJournalStore();

  /** The lines written by controllers that act. */
  public JournalStore store() {
    return acts;
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
  public Journal journal() {
    return new Journal(acts);
  }

  @Override
  public Journal dryJournal() {
    return new Journal(dry, acts);
  }
}
