package io.trimtab.runtime.ports;

import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import java.util.List;

/** Persistent state of the controllers of one cluster: journal and kill switch. */
public interface ClusterState {
  /** Registers this process as the cluster's controller; discards an older stop request. */
  void register();

  /** Removes the registration. */
  void unregister();

  /** Whether a stop was requested since {@link #register}. */
  boolean stopAsked();

  /** Who requested it, with the host; empty if that is not known. */
  default String stopAskedBy() {
    return "";
  }

  /** Whether that request also asks to undo what goes on inside the database. */
  boolean undoAsked();

  /**
   * The journal of the controller that acts, which begins with its epoch; nobody else writes to it.
   *
   * @param epoch of the controller's lock, &gt; 0
   * @param known the state in which the cluster was left
   */
  Journal journal(long epoch, JournalState known);

  /** Entries of controllers that acted, as far as they were recorded here, in order of epochs. */
  List<Entry> recorded();

  /** A journal of a dry run; it knows what controllers that acted have recorded here. */
  Journal dryJournal();
}
