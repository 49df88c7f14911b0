package io.trimtab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.nio.file.ExtendedOpenOption;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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

  @TempDir Path given;

  private Path temp;

  private Path folder() {
    return temp.resolve("a disk");
  }

  @BeforeEach
  void withoutSymbolicLinks() throws IOException {
    temp = given.toRealPath();
  }

  /** For what may not cope with them. */
  private Path withoutBlanks() {
    return temp.resolve("disk");
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    for (Path disk : List.of(folder(), withoutBlanks())) {
      if (Files.exists(disk.resolve("disk.txt"))) {
        MemoryDisk.remove(disk);
      }
      assertThat(disk).doesNotExist();
    }
    assertThat(Files.readAllLines(Path.of("/proc/self/mountinfo")))
        .noneMatch(line -> line.contains(temp.toString()));
    assertThat(Programs.run(List.of("losetup", "--list"), "", Map.of()).text())
        .doesNotContain(temp.toString());
    assertThat(servers()).isEmpty();
  }

  /** nbdfuse, which names its file. */
  private List<ProcessHandle> servers() {
    return ProcessHandle.allProcesses()
        .filter(p -> p.info().commandLine().orElse("").contains(temp.toString()))
        .toList();
  }

  private static Path written(MemoryDisk disk) throws IOException {
    byte[] content = new byte[BLOCK * BLOCKS];
    new Random(7).nextBytes(content);
    Path file = disk.files().resolve("f");
    Files.write(file, content);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
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
  void aLabOnItNamesItAndKeepsItFromBeingRemoved() throws IOException, EngineException {
    Path folder = withoutBlanks();
    MemoryDisk disk = MemoryDisk.make(folder, Bytes.parse("4g"), Duration.ofMillis(2));
    LabConfig config =
        LabConfig.defaults()
            .withName("it-disk")
            .withNodes(1)
            .withHeap(new Bytes(192L << 20))
            .withIsolate(Isolate.ON);
    System.setProperty("trimtab.home", disk.files().toString());
    try {
      HBaseLab lab = HBaseLab.up(config, Owner.PROCESS, Progress.NONE);
      try {
        assertThat(lab.status().isolation())
            .matches(
                ".*reads not limited, disk 7:[0-9]+ \\(in memory, 2 ms a read, one at a time\\)");
        assertThat(lab.diskKind()).isEqualTo("in memory, 2 ms a read, one at a time");
        Path file = written(disk);
        assertThat(lab.status().diskLimited()).as("its pace is the disk's").isFalse();
        assertThat(readsOfANode(lab, file, 4)).isBetween(4L, 40L);
        waitsAreThoseOfTheDisk(lab, file);
        System.clearProperty("trimtab.home");
        assertThatThrownBy(() -> MemoryDisk.remove(folder))
            .isInstanceOf(UserError.class)
            .hasMessage(
                "%s: has the labs it-disk; remove them with: TRIMTAB_HOME='%s' trimtab lab down"
                    + " --all",
                folder, disk.files());
        assertThat(lab.status().healthy()).as("it was left alone").isTrue();
      } finally {
        System.setProperty("trimtab.home", disk.files().toString());
        lab.down();
      }
    } finally {
      System.clearProperty("trimtab.home");
    }
  }

  /** How many are counted for the node's group as one of its processes reads four times. */
  private static long readsOfANode(HBaseLab lab, Path file, int blocks) {
    return readsOfANode(lab, file, blocks, "0", "0");
  }

  private static long readsOfANode(
      HBaseLab lab, Path file, int blocks, String places, String pause) {
    String enter =
        lab.nodes().get(0).cgroups().stream()
            .map(group -> "echo $$ > '" + group + "/cgroup.procs'; ")
            .collect(Collectors.joining());
    String read =
        "for place in %s; do dd if=\"$0\" of=/dev/null bs=64k iflag=direct skip=$place count=%d"
                .formatted(places, blocks)
            + " || exit 1; sleep "
            + pause
            + "; done";
    long before = lab.diskReads();
    Programs.Said said =
        Programs.run(List.of("sh", "-c", enter + read, file.toString()), "", Map.of());
    assertThat(said.code()).as(said.text()).isZero();
    return lab.diskReads() - before;
  }

  /** Its usage is that of one processor at most, and all it does is to wait or to sleep. */
  private static void waitsAreThoseOfTheDisk(HBaseLab lab, Path file) throws EngineException {
    NodeUsage all = usageWhile(lab, () -> readsOfANode(lab, file, BLOCKS, "0 1 2 3 4 5 6 7", "0"));
    assertThat(all.waitSource()).isIn(WaitSource.DISK_TIMES, WaitSource.PRESSURE);
    // 1,600 reads of 2.6 ms and the programs that read, of which a process each.
    assertThat(all.ioWait()).isGreaterThan(0.6);

    // Two reads a second: what Linux accounts of them since 6.12 was a third of the time and more.
    NodeUsage few = usageWhile(lab, () -> readsOfANode(lab, file, 1, "0 1 2 3 4 5 6 7", "0.5"));
    assertThat(few.ioWait()).isLessThan(0.05);
  }

  private static NodeUsage usageWhile(HBaseLab lab, Runnable work) throws EngineException {
    try (Engine engine = lab.engine()) {
      engine.snapshot();
      work.run();
      return engine.snapshot().liveNodes().get(0).usage();
    }
  }

  @Test
  void aDiskThatIsInUseStays() throws IOException {
    MemoryDisk disk = MemoryDisk.make(folder(), SMALL, Duration.ofMillis(2));
    Path file = written(disk);
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ)) {
      assertThatThrownBy(() -> MemoryDisk.remove(folder()))
          .isInstanceOf(UserError.class)
          .hasMessage("umount: %1$s: target is busy.; who uses it: fuser -vm '%1$s'", disk.files());
      assertThat(open.size()).isEqualTo(BLOCK * BLOCKS);
    }
    assertThat(seconds(file, 0)).as("it still serves").isPositive();
  }

  @Test
  void aDiskWhoseServerWasKilledIsRemovedToo() throws Exception {
    MemoryDisk.make(folder(), SMALL, Duration.ofMillis(2));
    assertThat(servers()).as("nbdfuse").isNotEmpty();
    List<ProcessHandle> all =
        servers().stream().flatMap(p -> Stream.concat(Stream.of(p), p.descendants())).toList();
    assertThat(all).as("nbdkit too").hasSizeGreaterThan(1);
    servers().forEach(ProcessHandle::destroyForcibly);

    MemoryDisk.remove(folder());
    for (ProcessHandle each : all) {
      each.onExit().get(10, TimeUnit.SECONDS);
    }
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
