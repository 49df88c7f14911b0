package io.trimtab.runtime.ports;

import io.trimtab.config.FileProblem;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal file; each line is forced to disk. An incomplete last line is left by a crash or a full
 * disk; it is truncated by the next write only, so that a file that cannot be used is not changed.
 */
public final class FileJournalStore implements JournalStore {
  private static final Logger LOG = LoggerFactory.getLogger(FileJournalStore.class);

  private static final Set<OpenOption> WRITING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private final Path file;
  private final FileChannel channel;

  /** Offset of a last line that is incomplete, or was not forced; −1 if there is none. */
  private long torn;

  /**
   * @param channel without which it is for reading only
   * @param completeBytes offset behind the last complete line
   */
  FileJournalStore(Path file, FileChannel channel, long completeBytes) {
    this.file = file;
    this.channel = channel;
    this.torn = completeBytes;
  }

  /**
   * Opens a file for appending; it must have only one writer, which {@link #isOpen} tells. Others
   * can't read it.
   */
  public static FileJournalStore open(Path file) {
    try {
      makeFolder(file.getParent());
      FileChannel channel = FileChannel.open(file, WRITING, PrivateFiles.ATTRIBUTE);
      sync(file.getParent());
      long complete = completeBytes(Files.readAllBytes(file));
      claim(channel);
      return new FileJournalStore(file, channel, complete);
    } catch (IOException e) {
      throw cannot(file, "opened", e);
    }
  }

  /** Tells other processes that the file is open; it is not needed for anything else. */
  private static void claim(FileChannel channel) {
    try {
      channel.tryLock();
    } catch (IOException | OverlappingFileLockException e) {
      LOG.debug("a journal's file can't be locked here", e);
    }
  }

  /** Whether a living process, also one that is frozen, has the file open for appending. */
  static boolean isOpen(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      LOG.debug("a journal's file can't be locked here", e);
      return false;
    }
  }

  /** Bytes of a file's complete lines. */
  static long completeBytes(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      ByteBuffer last = ByteBuffer.allocate(1);
      return size == 0 || (channel.read(last, size - 1) == 1 && last.get(0) == '\n')
          ? size
          : completeBytes(Files.readAllBytes(file));
    } catch (IOException e) {
      throw cannot(file, "read", e);
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

  /** Makes a folder as {@link #makeFolder(Path, Sync)} does. */
  static void makeFolder(Path folder) throws IOException {
    makeFolder(folder, FileJournalStore::sync);
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

  /** Number of a file's lines that end within so many bytes. */
  static int lines(Path file, long bytesMax) {
    try {
      if (Files.size(file) <= bytesMax) {
        return Integer.MAX_VALUE;
      }
      byte[] bytes = Files.readAllBytes(file);
      int lines = 0;
      for (int i = 0; i < bytesMax; i++) {
        lines += bytes[i] == '\n' ? 1 : 0;
      }
      return lines;
    } catch (IOException e) {
      throw cannot(file, "read", e);
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
    return new UserError(file + ": can't be " + what + ": " + FileProblem.of(e), e);
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
      }
      // Until it is on the disk; on a full one a part of it may be written.
      torn = channel.position();
      ByteBuffer buffer = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(false);
      torn = -1;
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
