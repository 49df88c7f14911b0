package io.trimtab.lab.process;

import io.trimtab.config.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Runs the system's programs that a disk in memory is made with. */
final class DiskTools {
  private static final String INSTALL =
      "install all that it needs: apt-get install nbdkit libnbd-bin fuse3 util-linux mount"
          + " e2fsprogs";
  private static final List<String> PROGRAMS =
      List.of(
          "nbdkit", "nbdfuse", "fusermount3", "setsid", "losetup", "mkfs.ext4", "mount", "umount");

  private static final Duration UNMOUNT_LIMIT = Duration.ofSeconds(3);
  private static final long POLL_MS = 50;

  private final Path folder;
  private final Function<String, Optional<Path>> programs;

  /**
   * @param folder of the disk, for messages
   * @param programs where a program is, by its name
   */
  DiskTools(Path folder, Function<String, Optional<Path>> programs) {
    this.folder = folder;
    this.programs = programs;
  }

  /** That all are installed. */
  void requireAll() {
    PROGRAMS.forEach(this::program);
  }

  /** The kernel may hold a place for a moment after who used it has ended. */
  void unmount(Path place) {
    long end = System.nanoTime() + UNMOUNT_LIMIT.toNanos();
    while (Mounts.at(place)) {
      Programs.Said said = said("umount", place.toString());
      if (said.code() != 0) {
        if (System.nanoTime() > end) {
          throw new UserError(said.failure("umount") + "; who uses it: fuser -vm '" + place + "'");
        }
        Processes.sleep(POLL_MS);
      }
    }
  }

  String run(String program, String... arguments) {
    Programs.Said said = said(program, arguments);
    if (said.code() != 0) {
      throw new UserError(folder + ": " + said.failure(program));
    }
    return said.text();
  }

  Programs.Said said(String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program(program)));
    command.addAll(List.of(arguments));
    return Programs.run(command, "", Map.of("LC_ALL", "C"));
  }

  String program(String name) {
    return programs
        .apply(name)
        .map(Path::toString)
        .orElseThrow(() -> new UserError("a disk in memory needs " + name + "; " + INSTALL));
  }
}
