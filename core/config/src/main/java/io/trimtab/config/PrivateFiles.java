package io.trimtab.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that only their user can read: they name tables and keys, or are secrets. */
public final class PrivateFiles {
  public static final Set<PosixFilePermission> PERMISSIONS =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /** For a file that is created. */
  public static final FileAttribute<?> ATTRIBUTE =
      PosixFilePermissions.asFileAttribute(PERMISSIONS);

  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private PrivateFiles() {}

  /** Replaces a file, as {@link WholeFile#replace} does. */
  public static void replace(Path file, byte[] content) throws IOException {
    WholeFile.replace(file, content, ATTRIBUTE);
  }

  /**
   * Checks a file with a secret.
   *
   * @param setting that names the file, for errors
   * @throws UserError if there is no such file, or others than its owner may use it
   */
  public static void requireOwnersOnly(String setting, Path file) {
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
