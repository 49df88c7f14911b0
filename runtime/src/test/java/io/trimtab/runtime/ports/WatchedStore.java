package io.trimtab.runtime.ports;

import java.util.List;

/** A journal in memory, of which something is heard, or which fails, before each line. */
public final class WatchedStore implements JournalStore {
  private final MemoryJournalStore lines = new MemoryJournalStore();
  private final Runnable before;

  /**
   * @param before each line; what it throws keeps the line from being written
   */
  public WatchedStore(Runnable before) {
    this.before = before;
  }

  @Override
  public String name() {
    return lines.name();
  }

  @Override
  public List<String> lines() {
    return lines.lines();
  }

  @Override
  public void append(String line) {
    before.run();
    lines.append(line);
  }

  @Override
  public void close() {}
}
