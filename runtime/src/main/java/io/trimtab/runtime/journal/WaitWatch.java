package io.trimtab.runtime.journal;

import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells what the I/O wait in nodes' usage is computed from, once and whenever that changes, and
 * keeps it in a journal, so that every explanation of a decision can name it.
 */
public final class WaitWatch {
  private final Journal journal;
  private final Consumer<String> told;

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
    Optional<String> known = journal.waits().map(Entry.WaitsFrom::source);
    if (!source.isEmpty() && known.filter(source::equals).isEmpty()) {
      Entry.WaitsFrom entry = new Entry.WaitsFrom(now, source);
      journal.append(entry);
      told.accept(entry.text());
    }
  }
}
