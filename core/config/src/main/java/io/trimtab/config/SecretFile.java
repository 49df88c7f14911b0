package io.trimtab.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Files with secrets, which nobody but their owner may use. */
public final class SecretFile {
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private SecretFile() {}

  /**
   * The text of a file, without white space around it.
   *
   * @param setting that names the file, for errors
   * @throws UserError if the file can't be read or is empty, or others than its owner may use it
   */
  public static String read(String setting, Path file) {
    check(setting, file);
    try {
      String text = Files.readString(file).strip();
      if (text.isEmpty()) {
        throw new UserError(setting + ": " + file + " is empty");
      }
      return text;
    } catch (IOException e) {
      throw new UserError(setting + ": " + file + " can't be read: " + e.getMessage(), e);
    }
  }

  /** Whether others than its owner may use it; as {@link #read}. */
  static void check(String setting, Path file) {
    try {
      if (!OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
        throw new UserError(
            "%s: others than its owner may use %s; run: chmod 600 %s"
                .formatted(setting, file, file));
      }
    } catch (NoSuchFileException e) {
      throw new UserError(setting + ": " + file + ": no such file", e);
    } catch (IOException | UnsupportedOperationException e) {
      throw new UserError(setting + ": who may use " + file + " can't be checked: " + e, e);
    }
  }
}
