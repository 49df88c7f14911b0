package io.trimtab.runtime.ports;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines of a file, forced to disk one by one. A torn last line is what a crash leaves; it is cut
 * off when the next is written, so that a file which nobody can use stays as it is.
 */
public final class FileJournalStore implements JournalStore {
  private final Path file;
  private final FileChannel channel;

  /** Where a torn last line begins that is still there; −1 once it is cut off. */
  private long torn;

  private FileJournalStore(Path file, FileChannel channel, long whole) {
    this.file = file;
    this.channel = channel;
    this.torn = whole;
  }

  /** Goes on with what the file has; for its only writer. */
  public static FileJournalStore open(Path file) {
    try {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      return new FileJournalStore(file, channel, whole(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw cannot(file, "opened", e);
    }
  }

  /** Begins the file anew. */
  public static FileJournalStore create(Path file) {
    try {
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(file);
      return new FileJournalStore(
          file, FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE), 0);
    } catch (IOException e) {
      throw cannot(file, "opened", e);
    }
  }

  /** A file that another may be writing; it has no lines where there is no such file. */
  public static JournalStore reading(Path file) {
    return new FileJournalStore(file, null, -1);
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

  /** Bytes of whole lines; what follows them is torn. */
  private static long whole(byte[] bytes) {
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
