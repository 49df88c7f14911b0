package io.trimtab.runtime.journal;

import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Tells what the I/O wait in nodes' usage is computed from, once and whenever that changes, and
 * keeps changes in a journal, so that every explanation of a decision can name it.
 */
public final class WaitWatch {
  private final Journal journal;
  private final Consumer<String> told;
  private String last = "";

  /**
   * @param told gets a sentence without an end
   */
  public WaitWatch(Journal journal, Consumer<String> told) {
    this.journal = journal;
    this.told = told;
  }

  /** Processes a snapshot; one in which no node's usage is known says nothing. */
  public void observe(ClusterSnapshot seen, Instant now) {
    String source = WaitSource.phrase(seen.liveNodes().stream().map(NodeState::usage).toList());
    if (source.isEmpty()) {
      return;
    }
    Entry.WaitsFrom entry = new Entry.WaitsFrom(now, source);
    if (!source.equals(last)) {
      last = source;
      told.accept(entry.text());
    }
    if (journal.waits().map(Entry.WaitsFrom::source).filter(source::equals).isEmpty()) {
      journal.append(entry);
    }
  }
}
