package io.trimtab.cli;

import ch.qos.logback.core.rolling.RollingFileAppender;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The log file of {@code logback.xml}, and those that it becomes when it is full; other users can't
 * read them, whatever the umask is: they show table names and keys.
 */
public final class PrivateLogFile<E> extends RollingFileAppender<E> {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");

  @Override
  public void openFile(String name) throws IOException {
    Path file = Path.of(name);
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(PRIVATE));
    } catch (FileAlreadyExistsException e) {
      // Of a version before; nothing is changed where logs go to a device.
      if (Files.isRegularFile(file)) {
        Files.setPosixFilePermissions(file, PRIVATE);
      }
    }
    super.openFile(name);
  }
}
