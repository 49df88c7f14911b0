package io.trimtab.runtime.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalStoreTest {
  @TempDir Path folder;

  @Test
  void aLineThatDidNotFitOnTheDiskIsGoneWhenThereIsSpaceAgain() throws Exception {
    Path file = folder.resolve("journal.jsonl");
    FullDisk disk = new FullDisk(channel(file));
    try (FileJournalStore store = new FileJournalStore(file, disk, 0)) {
      store.append("first");
      disk.free = 3;
      assertThatThrownBy(() -> store.append("second"))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("No space left");
      assertThat(store.lines()).containsExactly("first");
      assertThatThrownBy(() -> store.append("third")).isInstanceOf(UserError.class);
      disk.free = Integer.MAX_VALUE;
      store.append("fourth");
      store.append("fifth");

      assertThat(store.lines()).containsExactly("first", "fourth", "fifth");
    }
    assertThat(Files.readString(file)).isEqualTo("first\nfourth\nfifth\n");
  }

  /** It may be on the disk or not: who wrote it was told that it is not. */
  @Test
  void aLineThatCouldNotBeForcedIsNotKeptEither() throws Exception {
    Path file = folder.resolve("journal.jsonl");
    FullDisk disk = new FullDisk(channel(file));
    try (FileJournalStore store = new FileJournalStore(file, disk, 0)) {
      store.append("first");
      disk.forced = false;
      assertThatThrownBy(() -> store.append("second")).isInstanceOf(UserError.class);
      disk.forced = true;
      store.append("third");
    }
    assertThat(Files.readString(file)).isEqualTo("first\nthird\n");
  }

  private static FileChannel channel(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Takes a part of a line before it fails, as file systems do. */
  private static final class FullDisk extends ForwardingFileChannel {
    private int free = Integer.MAX_VALUE;
    private boolean forced = true;

    FullDisk(FileChannel to) {
      super(to);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      if (free == 0) {
        throw new IOException("No space left on device");
      }
      ByteBuffer fits = from.slice().limit(Math.min(free, from.remaining()));
      int written = super.write(fits);
      free -= written;
      from.position(from.position() + written);
      return written;
    }

    @Override
    public void force(boolean metaData) throws IOException {
      if (!forced) {
        throw new IOException("Input/output error");
      }
      super.force(metaData);
    }
  }
}
