package io.trimtab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.nio.file.ExtendedOpenOption;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Isolate;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.cluster.Progress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With nbdkit and nbdfuse, as root; see {@code ./trimtab test --disk}. */
@Tag("disk")
class MemoryDiskIT {
  private static final Bytes SMALL = Bytes.parse("256m");
  private static final int BLOCK = 64 << 10;
  private static final int BLOCKS = 200;
  private static final int READS = 10;

  @TempDir Path temp;

  private Path folder() {
    return temp.resolve("a disk");
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    if (Files.exists(folder().resolve("disk.txt"))) {
      MemoryDisk.remove(folder());
    }
    assertThat(folder()).doesNotExist();
    assertThat(Files.readAllLines(Path.of("/proc/self/mountinfo")))
        .noneMatch(line -> line.contains(temp.toString()));
    assertThat(Programs.run(List.of("losetup", "--list"), "", Map.of()).text())
        .doesNotContain(temp.toString());
    assertThat(servers()).isEmpty();
  }

  private List<Long> servers() {
    return ProcessHandle.allProcesses()
        .filter(p -> p.info().commandLine().orElse("").contains(temp.toString()))
        .map(ProcessHandle::pid)
        .toList();
  }

  private static Path written(MemoryDisk disk) throws IOException {
    byte[] content = new byte[BLOCK * BLOCKS];
    new Random(7).nextBytes(content);
    Path file = disk.files().resolve("f");
    Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
    return file;
  }

  /**
   * Seconds that reads of different blocks take, past the kernel's cache; their bytes are right.
   */
  private static double seconds(Path file, int from) throws IOException {
    byte[] expected = new byte[BLOCK * BLOCKS];
    new Random(7).nextBytes(expected);
    long begun = System.nanoTime();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
      for (int i = from; i < from + READS; i++) {
        ByteBuffer into = ByteBuffer.allocateDirect(BLOCK + 4096).alignedSlice(4096).limit(BLOCK);
        assertThat(channel.read(into, (long) i * BLOCK)).isEqualTo(BLOCK);
        assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(expected, i * BLOCK, BLOCK));
      }
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  @Test
  void readsTakeTheirTimeAndAreServedOneAfterTheOther() throws Exception {
    MemoryDisk disk = MemoryDisk.make(folder(), SMALL, Duration.ofMillis(20));
    Path file = written(disk);

    assertThat(seconds(file, 0)).isBetween(READS * 0.020, READS * 0.040);
    ExecutorService readers = Executors.newFixedThreadPool(4);
    long begun = System.nanoTime();
    try {
      List<Callable<Double>> each =
          IntStream.range(0, 4)
              .<Callable<Double>>mapToObj(i -> () -> seconds(file, READS * (i + 1)))
              .toList();
      for (Future<Double> read : readers.invokeAll(each)) {
        read.get();
      }
    } finally {
      readers.shutdownNow();
    }
    assertThat((System.nanoTime() - begun) / 1e9).isGreaterThan(4 * READS * 0.020);
  }

  @Test
  void aLabOnItNamesItAndKeepsItFromBeingRemoved() throws IOException {
    MemoryDisk disk = MemoryDisk.make(folder(), Bytes.parse("1g"), Duration.ofMillis(2));
    System.setProperty("trimtab.home", disk.files().toString());
    LabConfig config =
        LabConfig.defaults()
            .withName("it-disk")
            .withNodes(1)
            .withHeap(new Bytes(192L << 20))
            .withIsolate(Isolate.ON);
    HBaseLab lab = HBaseLab.up(config, Owner.PROCESS, Progress.NONE);
    try {
      assertThat(lab.status().isolation())
          .matches(".*150 reads/s on disk 7:[0-9]+ \\(in memory, 2 ms a read, one at a time\\)");
      assertThat(lab.diskReads()).as("reads of this disk are counted").isPositive();
      assertThatThrownBy(() -> MemoryDisk.remove(folder()))
          .isInstanceOf(UserError.class)
          .hasMessageContaining(disk.files() + ": target is busy")
          .hasMessageContaining("trimtab lab down --all");
      assertThat(lab.status().healthy()).as("it was left alone").isTrue();
    } finally {
      lab.down();
      System.clearProperty("trimtab.home");
    }
  }

  @Test
  void aDiskWhoseServerWasKilledIsRemovedToo() {
    MemoryDisk.make(folder(), SMALL, Duration.ofMillis(2));
    assertThat(servers()).as("nbdfuse").isNotEmpty();
    servers().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));

    MemoryDisk.remove(folder());
  }

  @Test
  void aFolderThatHoldsADiskGetsNoSecondOne() {
    MemoryDisk.make(folder(), SMALL, Duration.ofMillis(2));
    assertThatThrownBy(() -> MemoryDisk.make(folder(), SMALL, Duration.ofMillis(2)))
        .isInstanceOf(UserError.class)
        .hasMessage(
            folder()
                + ": a disk is there already; remove it with: trimtab lab disk down "
                + folder());
  }

  @Test
  void nothingIsLeftOfADiskThatCannotBeMade() {
    MemoryDisk disk =
        new MemoryDisk(
            folder(),
            name -> name.equals("mkfs.ext4") ? Programs.find("false") : Programs.find(name));
    assertThatThrownBy(() -> disk.make(SMALL, Duration.ofMillis(2)))
        .isInstanceOf(UserError.class)
        .hasMessage(folder() + ": mkfs.ext4: exit code 1");
    assertThat(folder()).doesNotExist();
  }
}
