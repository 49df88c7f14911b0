package io.trimtab.runtime.ports;

import java.util.List;

/** Storage of a journal's lines. Needs no locking of its own: the journal serialises its calls. */
public interface JournalStore extends AutoCloseable {
  /** Name for error messages, for example of a file. */
  String name();

  /**
   * All complete lines, the oldest first, without line ends.
   *
   * @throws io.trimtab.config.UserError if they can't be read
   */
  List<String> lines();

  /**
   * Appends a line, and returns when it would survive a crash of the process and of the machine, as
   * far as the kind of store permits.
   *
   * @throws io.trimtab.config.UserError if it can't be written
   */
  void append(String line);

  @Override
  void close();
}
