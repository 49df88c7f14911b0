package io.trimtab.runtime.ports;

import java.util.ArrayList;
import java.util.List;

/** Lines in memory, for simulations; they are kept after {@link #close}. */
public final class MemoryJournalStore implements JournalStore {
  private final List<String> lines = new ArrayList<>();

  @Override
  public String name() {
    return "journal in memory";
  }

  @Override
  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public synchronized void append(String line) {
    lines.add(line);
  }

  @Override
  public void close() {}
}
