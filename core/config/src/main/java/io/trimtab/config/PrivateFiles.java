package io.trimtab.config;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their user can read: they name tables and keys. */
public final class PrivateFiles {
  public static final Set<PosixFilePermission> PERMISSIONS =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /** For a file that is created. */
  public static final FileAttribute<?> ATTRIBUTE =
      PosixFilePermissions.asFileAttribute(PERMISSIONS);

  private PrivateFiles() {}
}
