package io.trimtab.lab.process;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is mounted, as this process sees it. */
final class Mounts {
  /** The kernel's way to write blanks and the like. */
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");

  private Mounts() {}

  /**
   * Whether something is mounted at a place.
   *
   * @param place absolute, without symbolic links
   */
  static boolean at(Path place) {
    Path mounts = Path.of("/proc/self/mountinfo");
    try {
      return Files.readAllLines(mounts).stream()
          .map(line -> plain(line.split(" ")[4]))
          .anyMatch(place.toString()::equals);
    } catch (IOException e) {
      throw new UserError(mounts + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  /** A path as it is, from one of the kernel's lists. */
  static String plain(String field) {
    return ESCAPE
        .matcher(field)
        .replaceAll(
            escape ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(escape.group(1), 8))));
  }
}
