package io.trimtab.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The stat file of a process or of one of its tasks, see proc(5). */
final class ProcessStat {
  /** Linux counts time for programs in hundredths of a second. */
  static final double TICKS_PER_S = 100;

  static final int USER_TICKS = 14;
  static final int SYSTEM_TICKS = 15;
  static final int STARTED_TICKS = 22;

  /** Of one task alone, also in the file of the process. */
  static final int BLOCK_IO_DELAY_TICKS = 42;

  /** The first field after the name. */
  private static final int FIRST = 3;

  private final String[] fields;

  private ProcessStat(String[] fields) {
    this.fields = fields;
  }

  /**
   * Reads the file.
   *
   * @param of the folder of a process, or of a task
   */
  static ProcessStat read(Path of) throws IOException {
    String stat = Files.readString(of.resolve("stat")).strip();
    // The second field is the program's name in brackets, and may hold anything.
    int name = stat.lastIndexOf(") ");
    if (name < 0) {
      throw new IOException(of + " has ended");
    }
    return new ProcessStat(stat.substring(name + 2).split(" "));
  }

  /**
   * A field.
   *
   * @param number as in proc(5), after the name
   */
  long ticks(int number) {
    return Long.parseLong(fields[number - FIRST]);
  }

  /** A field that is a time, in seconds. */
  double seconds(int number) {
    return ticks(number) / TICKS_PER_S;
  }
}
