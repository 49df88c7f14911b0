package io.trimtab.contract.secure;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A clock of its own for one process: by libfaketime, which Debian's package faketime has. */
final class WrongClock {
  private static final Path LIBRARIES = Path.of("/usr/lib");

  private WrongClock() {}

  /**
   * Variables of the environment of a JVM.
   *
   * @param off by how much the clock is wrong, in libfaketime's words: {@code +10m}
   * @throws UserError with what installs it, if it is not there
   */
  static Map<String, String> off(String off) throws IOException {
    return Map.of(
        "LD_PRELOAD",
        library().toString(),
        "FAKETIME",
        off,
        // The JVM waits by that one, and would wait for ever.
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // Those of files are right, by which the JVM knows its own archive of classes.
        "NO_FAKE_STAT",
        "1");
  }

  /** For programs with threads; in a folder that is named by the machine's architecture. */
  private static Path library() throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(LIBRARIES, "*-linux-gnu*")) {
      for (Path folder : folders) {
        Path library = folder.resolve("faketime").resolve("libfaketimeMT.so.1");
        if (Files.isReadable(library)) {
          return library;
        }
      }
    }
    throw new UserError("a wrong clock needs libfaketime; install it: apt-get install faketime");
  }
}
