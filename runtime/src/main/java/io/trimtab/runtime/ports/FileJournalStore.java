package io.trimtab.runtime.ports;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * A journal file; each line is forced to disk. An incomplete last line is left by a crash; it is
 * truncated by the next write only, so that a file that cannot be used is not changed.
 */
public final class FileJournalStore implements JournalStore {
  private static final Set<OpenOption> WRITING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  /** Plans show table names and keys. */
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;
  private final FileChannel channel;

  /** Offset of an incomplete last line; −1 if there is none or it was truncated. */
  private long torn;

  private FileJournalStore(Path file, FileChannel channel, long completeBytes) {
    this.file = file;
    this.channel = channel;
    this.torn = completeBytes;
  }

  /** Opens a file for appending; it must have only one writer. Others can't read it. */
  public static FileJournalStore open(Path file) {
    try {
      makeFolder(file.getParent(), FileJournalStore::sync);
      FileChannel channel = FileChannel.open(file, WRITING, PRIVATE);
      sync(file.getParent());
      return new FileJournalStore(file, channel, completeBytes(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw cannot(file, "opened", e);
    }
  }

  /**
   * Opens a file for reading, which another process may be writing; without lines if the file does
   * not exist.
   */
  public static JournalStore reading(Path file) {
    return new FileJournalStore(file, null, -1);
  }

  /** Forces a folder to disk. */
  interface Sync {
    void folder(Path folder) throws IOException;
  }

  /** Makes a folder, with those it is in, so that their names survive a crash of the machine. */
  static void makeFolder(Path folder, Sync sync) throws IOException {
    Deque<Path> made = new ArrayDeque<>();
    for (Path f = folder.toAbsolutePath(); f != null && !Files.exists(f); f = f.getParent()) {
      made.push(f);
    }
    Files.createDirectories(folder);
    for (Path f : made) {
      sync.folder(f.getParent());
    }
  }

  /** A new file's name survives a crash of the machine only with its folder. */
  private static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static List<String> lines(Path file) {
    try {
      if (!Files.exists(file)) {
        return List.of();
      }
      byte[] bytes = Files.readAllBytes(file);
      List<String> lines = new ArrayList<>();
      int start = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          lines.add(new String(bytes, start, i - start, StandardCharsets.UTF_8));
          start = i + 1;
        }
      }
      return lines;
    } catch (IOException e) {
      throw cannot(file, "read", e);
    }
  }

  /** Number of bytes up to the end of the last complete line. */
  private static long completeBytes(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  private static UserError cannot(Path file, String what, IOException e) {
    return new UserError(file + ": can't be " + what + ": " + e.getMessage(), e);
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public List<String> lines() {
    return lines(file);
  }

  @Override
  public void append(String line) {
    if (channel == null) {
      throw new IllegalStateException(file + " was opened for reading only");
    }
    try {
      if (torn >= 0) {
        channel.truncate(torn);
        channel.position(torn);
        torn = -1;
      }
      ByteBuffer buffer = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(false);
    } catch (IOException e) {
      throw cannot(file, "written", e);
    }
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw cannot(file, "closed", e);
    }
  }
}
