package io.trimtab.cli;

import ch.qos.logback.core.rolling.RollingFileAppender;
import io.trimtab.config.PrivateFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The log file of {@code logback.xml}, and those that it becomes when it is full; other users can't
 * read them, whatever the umask is: they show table names and keys.
 */
public final class PrivateLogFile<E> extends RollingFileAppender<E> {
  @Override
  public void openFile(String name) throws IOException {
    Path file = Path.of(name);
    try {
      Files.createFile(file, PrivateFiles.ATTRIBUTE);
    } catch (FileAlreadyExistsException e) {
      // Of a version before; nothing is changed where logs go to a device.
      if (Files.isRegularFile(file)) {
        Files.setPosixFilePermissions(file, PrivateFiles.PERMISSIONS);
      }
    }
    super.openFile(name);
  }
}
