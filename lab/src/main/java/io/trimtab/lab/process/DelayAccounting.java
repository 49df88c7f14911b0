package io.trimtab.lab.process;

import io.trimtab.config.UserError;
import io.trimtab.host.TaskDelays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's accounting of how long tasks wait for block I/O, from which nodes' I/O wait is
 * measured. Its switch is the entire machine's, and tasks are accounted only if they were started
 * while it was on.
 */
public final class DelayAccounting {
  private static final Path SWITCH = Path.of("/proc/sys/kernel/task_delayacct");

  /** The switch's setting ends with the machine's run, and so does this folder. */
  private static final Path NOTE = Path.of("/run/trimtab-delay-accounting");

  private DelayAccounting() {}

  /**
   * Switches it on for all that is started from now on, if it is off, this user may, and the kernel
   * accounts rightly. Otherwise nodes' usage rests on another source, and says so.
   *
   * @param pointer file of the lab that tells {@code lab.sh} where the machine's note is: which
   *     switch the first lab has found off, and the last one, whoever's it is, switches off again
   */
  public static void switchOn(Path pointer) {
    if (isRight()) {
      switchOn(SWITCH, NOTE, pointer);
    }
  }

  private static boolean isRight() {
    try {
      return TaskDelays.isRight(Path.of("/proc"));
    } catch (IOException e) {
      throw new UserError("the kernel's release can't be read: " + e.getMessage(), e);
    }
  }

  static void switchOn(Path setting, Path note, Path pointer) {
    // Linux before 5.14 has no switch, and a container may only read it.
    if (!Files.isWritable(setting)) {
      return;
    }
    try {
      Files.writeString(pointer, note + "\n");
      if (Files.readString(setting).strip().equals("0")) {
        // The note comes first: without it, nobody would turn it off again after a crash.
        Files.writeString(note, setting + "\n");
        Files.writeString(setting, "1\n");
      }
    } catch (IOException e) {
      throw new UserError(
          "%s can't be switched on, with a note in %s and %s: %s"
              .formatted(setting, note, pointer, e.getMessage()),
          e);
    }
  }
}
