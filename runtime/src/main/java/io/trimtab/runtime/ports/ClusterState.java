package io.trimtab.runtime.ports;

import io.trimtab.controller.observe.LoadRecord;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import java.util.List;
import java.util.Map;

/**
 * Persistent state of the controllers of one cluster: journal, kill switch, and what was recorded
 * of its load.
 */
public interface ClusterState {
  /**
   * Registers this process as a controller of the cluster, acting or waiting; an older stop request
   * is not meant for it.
   */
  void register();

  /** Removes this process's registration; those of others stay. */
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
   * @throws io.trimtab.config.UserError if a controller of a later epoch is writing here
   */
  Journal journal(long epoch, JournalState known);

  /**
   * Bytes that controllers of earlier epochs have written here so far, by the names of their files.
   * What comes after them has no effect.
   */
  Map<String, Long> written(long epoch);

  /**
   * Entries of controllers that acted, as far as they were recorded here, in order of epochs;
   * without those that one wrote after its successor had begun.
   */
  List<Entry> recorded();

  /**
   * What controllers have recorded of the cluster's load; nothing if none has.
   *
   * @throws io.trimtab.config.UserError if it can't be read
   */
  LoadRecord loadRecord();

  /**
   * Keeps it for later controllers.
   *
   * @throws io.trimtab.config.UserError if it can't be written
   */
  void keep(LoadRecord record);

  /** A journal of a dry run that begins with what is known of earlier controllers. */
  Journal dryJournal(JournalState known);
}
