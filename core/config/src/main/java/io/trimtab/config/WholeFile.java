package io.trimtab.config;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Files that are replaced as a whole: whoever reads one finds what it was, or what it is now, also
 * after the machine has crashed.
 */
public final class WholeFile {
  private WholeFile() {}

  /** Forces what was written to disk. */
  interface Disk {
    void file(Path file) throws IOException;

    void folder(Path folder);
  }

  /**
   * Replaces a file.
   *
   * @param file in a folder that is there
   * @param attributes of the file
   */
  public static void replace(Path file, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    replace(file, content, new OwnDisk(), attributes);
  }

  static void replace(Path file, byte[] content, Disk disk, FileAttribute<?>... attributes)
      throws IOException {
    Path target = file.toAbsolutePath();
    // Of its own, since another process, also of another container, may write the same file.
    String own = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path part = target.resolveSibling(target.getFileName() + "." + own + ".tmp");
    try {
      Files.createFile(part, attributes);
      Files.write(part, content);
      // Before it has the name: after a crash that may be the name of an empty file otherwise.
      disk.file(part);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
    disk.folder(target.getParent());
  }

  private static final class OwnDisk implements Disk {
    @Override
    public void file(Path file) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }

    @Override
    public void folder(Path folder) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException e) {
        // Some file systems of a network can't: a crash may bring the old file back, but whole.
        return;
      }
    }
  }
}
