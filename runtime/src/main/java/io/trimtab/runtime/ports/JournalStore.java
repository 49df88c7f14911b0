package io.trimtab.runtime.ports;

import java.util.List;

/**
 * Where a journal's lines are kept. Thread-safe as far as the journal needs it: it calls in turn.
 */
public interface JournalStore extends AutoCloseable {
  /** For errors: a file, or what else a person would look for. */
  String name();

  /**
   * All whole lines, the oldest first, without their ends.
   *
   * @throws io.trimtab.config.UserError where they can't be read
   */
  List<String> lines();

  /**
   * Adds a line, and returns when it would survive the end of this process and of the machine, as
   * far as this kind of store can promise that.
   *
   * @throws io.trimtab.config.UserError where it can't be written
   */
  void append(String line);

  @Override
  void close();
}
