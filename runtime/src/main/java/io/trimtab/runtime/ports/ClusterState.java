package io.trimtab.runtime.ports;

import io.trimtab.runtime.journal.Journal;

/**
 * What the controllers of one cluster leave for each other and for people: journal, kill switch.
 */
public interface ClusterState {
  /** Says that this process is the cluster's controller; forgets an older request to stop. */
  void register();

  /** It no longer is. */
  void unregister();

  /** Whether the controller was asked to stop since it {@link #register registered}. */
  boolean stopAsked();

  /** For the controller that acts; it holds the cluster's control lock, so it is the only one. */
  Journal journal();

  /** Knows what the controllers that act have done, and notes elsewhere. */
  Journal dryJournal();
}
