package io.trimtab.runtime.ports;

import io.trimtab.runtime.journal.Journal;

/** Persistent state of the controllers of one cluster: journal and kill switch. */
public interface ClusterState {
  /** Registers this process as the cluster's controller; discards an older stop request. */
  void register();

  /** Removes the registration. */
  void unregister();

  /** Whether a stop was requested since {@link #register}. */
  boolean stopAsked();

  /**
   * The journal of the controller that acts; there is only one, because it holds the cluster's
   * control lock.
   */
  Journal journal();

  /** A journal that reads the entries of acting controllers and writes to a separate store. */
  Journal dryJournal();
}
