package io.trimtab.simulator;

import io.trimtab.config.UserError;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.ports.JournalStore;
import io.trimtab.runtime.ports.MemoryJournalStore;
import io.trimtab.runtime.ports.MemoryState;
import java.util.ArrayList;
import java.util.List;

/** A host on which controllers run one after the other: its journal, which can be full. */
final class SimulatedHost extends MemoryState {
  private final Runnable beforeWrite;
  private final List<JournalStore> journals = new ArrayList<>();
  private boolean full;

  /**
   * @param beforeWrite called before each line is written, by whichever controller writes it
   */
  SimulatedHost(Runnable beforeWrite) {
    this.beforeWrite = beforeWrite;
  }

  /** The journals that were written here, one for each epoch, in order. */
  List<List<Entry>> journals() {
    return journals.stream().map(Journal::read).toList();
  }

  void full(boolean now) {
    full = now;
  }

  @Override
  protected JournalStore store(long epoch) {
    MemoryJournalStore lines = new MemoryJournalStore();
    JournalStore store =
        new JournalStore() {
          @Override
          public String name() {
            return "journal of epoch " + epoch;
          }

          @Override
          public List<String> lines() {
            return lines.lines();
          }

          @Override
          public void append(String line) {
            beforeWrite.run();
            if (full) {
              throw new UserError("journal: can't be written: No space left on device");
            }
            lines.append(line);
          }

          @Override
          public void close() {}
        };
    journals.add(store);
    return store;
  }
}
