package io.trimtab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, and how a disk is told from others; a real one is in {@code MemoryDiskIT}. */
class MemoryDiskTest {
  private static final Bytes SIZE = Bytes.parse("1g");
  private static final Duration READ = Duration.ofMillis(6);
  private static final long AVAILABLE = 8L << 30;

  @TempDir Path temp;

  private void refused(Path folder, Bytes size, Duration read, String why) {
    MemoryDisk disk = new MemoryDisk(folder, name -> Optional.of(Path.of(name)));
    assertThatThrownBy(() -> disk.check(size, read, AVAILABLE))
        .isInstanceOf(UserError.class)
        .hasMessage(why);
  }

  @ParameterizedTest
  @CsvSource({
    "63m, 6, '--size: must be whole MiB, at least 64m, not 63m'",
    "70000k, 6, '--size: must be whole MiB, at least 64m, not 70000k'",
    "1g, 0, '--read: must be from 1 ms to 1 s, not 0 ms'",
    "1g, 1001, '--read: must be from 1 ms to 1 s, not 1001 ms'",
  })
  void sizesAndTimesHaveBounds(String size, long read, String why) {
    refused(temp.resolve("new"), Bytes.parse(size), Duration.ofMillis(read), why);
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void nobodysFilesAreCoveredByADisk() throws IOException {
    Path own = Files.createDirectory(temp.resolve("own"));
    Path file = Files.writeString(own.resolve("letter"), "dear");
    refused(own, SIZE, READ, own + ": not empty; a disk needs a folder of its own");
    refused(file, SIZE, READ, file + ": not a folder");
    assertThat(file).hasContent("dear");
  }

  @Test
  void whatIsNoDiskIsNotRemoved() throws IOException {
    Path own = Files.createDirectory(temp.resolve("own"));
    assertThatThrownBy(() -> MemoryDisk.remove(own))
        .isInstanceOf(UserError.class)
        .hasMessage(own + ": no disk of `trimtab lab disk up` is there");
    assertThat(own).exists();
  }

  @Test
  void aDiskIsToldFromOthersByTheFileThatIsBehindIt() throws IOException {
    Path loop = Files.createDirectories(temp.resolve("block").resolve("7:3").resolve("loop"));
    Path folder = Files.createDirectory(temp.resolve("disk"));
    Files.writeString(loop.resolve("backing_file"), folder.resolve("device") + "\n");
    assertThat(MemoryDisk.describe("7:3", temp.resolve("block"))).as("another's file").isEmpty();

    Files.writeString(folder.resolve("disk.txt"), "in memory, 6 ms a read, one at a time\n");
    assertThat(MemoryDisk.describe("7:3", temp.resolve("block")))
        .hasValue("in memory, 6 ms a read, one at a time");
    assertThat(MemoryDisk.describe("254:0", temp.resolve("block"))).as("a real disk").isEmpty();
  }
}
