package io.trimtab.runtime.ports;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The journal of one epoch, in files of bounded size: a controller may be in charge for months. A
 * new file is begun before a line is written, so that a line is never torn between two.
 */
final class EpochJournalStore implements JournalStore {
  private final IntFunction<Path> parts;
  private final long bytesMax;
  private final Runnable begun;
  private final List<Path> earlier = new ArrayList<>();
  private Path file;
  private FileJournalStore now;

  /**
   * Opens the first file.
   *
   * @param parts the files by their numbers, from 0
   * @param bytesMax size after which a new file is begun
   * @param begun told after a new file was begun
   */
  EpochJournalStore(IntFunction<Path> parts, long bytesMax, Runnable begun) {
    this.parts = parts;
    this.bytesMax = bytesMax;
    this.begun = begun;
    this.file = parts.apply(0);
    this.now = FileJournalStore.open(file);
  }

  @Override
  public String name() {
    return now.name();
  }

  @Override
  public List<String> lines() {
    List<String> all = new ArrayList<>();
    earlier.forEach(path -> all.addAll(FileJournalStore.reading(path).lines()));
    all.addAll(now.lines());
    return all;
  }

  @Override
  public void append(String line) {
    if (file.toFile().length() >= bytesMax) {
      Path next = parts.apply(earlier.size() + 1);
      FileJournalStore opened = FileJournalStore.open(next);
      now.close();
      earlier.add(file);
      file = next;
      now = opened;
      begun.run();
    }
    now.append(line);
  }

  @Override
  public void close() {
    now.close();
  }
}
