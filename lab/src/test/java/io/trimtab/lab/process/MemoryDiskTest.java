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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused, and how a disk is told from others; a real one is in {@code MemoryDiskIT}. */
class MemoryDiskTest {
  private static final Bytes SIZE = Bytes.parse("1g");
  private static final Duration READ = Duration.ofMillis(6);
  private static final long AVAILABLE = 3L << 30;

  @TempDir Path given;

  private Path temp;

  @BeforeEach
  void withoutSymbolicLinks() throws IOException {
    temp = given.toRealPath();
  }

  private void refused(Path folder, Bytes size, Duration read, String why) {
    refused(new MemoryDisk(folder, name -> Optional.of(Path.of(name))), size, read, why);
  }

  private static void refused(MemoryDisk disk, Bytes size, Duration read, String why) {
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
    refused(own, SIZE, READ, own + ": exists already; a disk needs a new folder");
    refused(file, SIZE, READ, file + ": exists already; a disk needs a new folder");
    assertThat(file).hasContent("dear");
  }

  @Test
  void someMemoryIsLeftToOthers() {
    refused(
        temp.resolve("new"),
        Bytes.parse("2g"),
        READ,
        "not enough memory for a disk of 2.00 GiB: 3.00 GiB are available, of which 2.00 GiB must"
            + " be left");
    new MemoryDisk(temp.resolve("new"), name -> Optional.of(Path.of(name)))
        .check(SIZE, READ, AVAILABLE);
  }

  @Test
  void aMissingProgramIsNamedWithItsPackages() {
    refused(
        new MemoryDisk(
            temp.resolve("new"),
            name -> name.equals("nbdfuse") ? Optional.empty() : Optional.of(Path.of(name))),
        SIZE,
        READ,
        "a disk in memory needs nbdfuse; install all that it needs: apt-get install nbdkit"
            + " libnbd-bin fuse3 util-linux mount e2fsprogs");
  }

  @Test
  void aHomeOnTheDiskItselfIsRefused() throws IOException {
    Path folder = temp.resolve("disk");
    System.setProperty("trimtab.home", folder.resolve("files").toString());
    String why =
        "TRIMTAB_HOME is on the disk " + folder + ", and this command's log with it; unset it";
    try {
      refused(folder, SIZE, READ, why);
      Files.createDirectory(folder);
      Files.writeString(folder.resolve("disk.txt"), "in memory");
      assertThatThrownBy(() -> MemoryDisk.remove(folder)).hasMessage(why);
    } finally {
      System.clearProperty("trimtab.home");
    }
    assertThat(folder.resolve("disk.txt")).exists();
  }

  @Test
  void pathsOfTheKernelsListsAreReadAsTheyAre() {
    assertThat(Mounts.plain("/a\\040b\\134c\\011d")).isEqualTo("/a b\\c\td");
    assertThat(Mounts.at(Path.of("/proc"))).isTrue();
    assertThat(Mounts.at(temp)).isFalse();
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
    Files.writeString(loop.resolve("backing_file"), folder.resolve("snap.img") + "\n");
    assertThat(MemoryDisk.describe("7:3", temp.resolve("block"))).as("another file").isEmpty();
  }
}
