package io.trimtab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trimtab.engineapi.snapshot.DiskWait.Disk;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.UsageReading;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real process that reads from a real disk as fast as its control group may: what the kernel
 * accounts of it. Skipped where the machine's switch or control groups of version 1 are out of
 * reach.
 */
@Timeout(120)
class LimitedReaderTest {
  private static final Path PROC = Path.of("/proc");
  private static final Path SWITCH = PROC.resolve("sys/kernel/task_delayacct");
  private static final Path TREES = Path.of("/sys/fs/cgroup");
  private static final int READS_PER_S = 50;
  private static final int READ_BYTES = 4096;
  private static final int WATCHED_S = 4;

  @TempDir Path folder;
  private final List<Path> groups = new ArrayList<>();
  private final List<Process> readers = new ArrayList<>();
  private String device;
  private String found;

  @BeforeEach
  void limitedGroup() throws IOException {
    assumeTrue(
        Files.isWritable(SWITCH), "kernel.task_delayacct can't be set: not root, or an old Linux");
    assumeTrue(!labRuns(), "a lab runs, whose nodes need the switch as it is");
    Optional<String> disk = disk();
    assumeTrue(disk.isPresent(), "the folder for temporary files is on no disk of its own");
    for (String controller : List.of("cpu", "cpuacct", "blkio")) {
      Path tree = TREES.resolve(controller);
      assumeTrue(
          Files.isWritable(tree) && Files.exists(tree.resolve("cgroup.procs")),
          "no control group of version 1 can be made for " + controller);
      Path group = tree.resolve("trimtab-test-" + ProcessHandle.current().pid());
      groups.add(Files.createDirectory(group));
    }
    device = disk.get();
    found = Files.readString(SWITCH).strip();
    // What a lab finds; a test that wants it says so.
    Files.writeString(SWITCH, "0");
    Files.writeString(groups.get(0).resolve("cpu.cfs_quota_us"), "100000");
    Files.writeString(
        groups.get(2).resolve("blkio.throttle.read_iops_device"), device + " " + READS_PER_S);
    // More than can be read while it is watched.
    Files.write(file(), new byte[20 * WATCHED_S * READS_PER_S * READ_BYTES]);
  }

  @AfterEach
  void remove() throws Exception {
    for (Process reader : readers) {
      reader.destroyForcibly().waitFor();
    }
    if (found != null) {
      Files.writeString(SWITCH, found);
    }
    for (Path group : groups) {
      // The kernel may need a moment until a group counts as empty.
      for (int i = 0; !group.toFile().delete() && i < 100; i++) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      assertThat(group).doesNotExist();
    }
  }

  /** Whether a process is in a control group of a lab. */
  private static boolean labRuns() throws IOException {
    try (DirectoryStream<Path> labs =
        Files.newDirectoryStream(TREES.resolve("blkio"), "trimtab-*")) {
      for (Path lab : labs) {
        if (!Files.readString(lab.resolve("cgroup.procs")).isBlank()) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private Path file() {
    return folder.resolve("data");
  }

  /** The whole disk under the folder. */
  private Optional<String> disk() throws IOException {
    long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
    long major = (device >> 8) & 0xfff;
    long minor = (device & 0xff) | ((device >> 12) & ~0xffL);
    Path entry = Path.of("/sys/dev/block", major + ":" + minor);
    if (!Files.exists(entry)) {
      return Optional.empty();
    }
    Path real = entry.toRealPath();
    Path whole = Files.exists(real.resolve("partition")) ? real.getParent() : real;
    return Optional.of(Files.readString(whole.resolve("dev")).strip());
  }

  /** The kernels that account waits as they are. */
  private static boolean accounts() throws IOException {
    return TaskDelays.isRight(PROC);
  }

  /** Reads past the page cache, one block after the other. */
  private LocalProcess reader() throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "for group in \"$@\"; do echo $$ >\"$group/cgroup.procs\" || exit 1; done;"
                    + " exec dd if=\"$0\" of=/dev/null bs="
                    + READ_BYTES
                    + " iflag=direct",
                file().toString()));
    groups.forEach(group -> command.add(group.toString()));
    Process reader = new ProcessBuilder(command).redirectErrorStream(true).start();
    readers.add(reader);
    // Past its start, and the first reads that a limit lets pass at once.
    TimeUnit.SECONDS.sleep(1);
    assertThat(reader.isAlive()).as("dd reads on").isTrue();
    long started = reader.info().startInstant().orElseThrow().toEpochMilli();
    return LocalProcess.find(PROC, "127.0.0.1", reader.pid(), started).orElseThrow();
  }

  private static NodeUsage watched(LocalProcess process) throws Exception {
    UsageReading before = process.usage(System.nanoTime());
    TimeUnit.SECONDS.sleep(WATCHED_S);
    return process.usage(System.nanoTime()).since(before);
  }

  @Test
  void aReadThatTheLimitHoldsUpCountsAsWait() throws Exception {
    Files.writeString(SWITCH, "1");
    NodeUsage usage = watched(reader());

    assertThat(usage.waitSource())
        .isEqualTo(accounts() ? WaitSource.DELAY_ACCOUNTING : WaitSource.READS_BY_LIMIT);
    assertThat(usage.ioWait()).isGreaterThan(0.8);
    assertThat(usage.server()).isGreaterThan(0.9);
  }

  /** A limit holds reads up before they reach the disk, so that these are what the disk did. */
  @Test
  void whatTheDiskDidForTheReadsIsCounted() throws Exception {
    LocalProcess reads = reader();
    Disk before = disk(reads);
    TimeUnit.SECONDS.sleep(WATCHED_S);
    Disk now = disk(reads);

    double own = now.own() - before.own();
    assertThat(own).isBetween(0.8 * WATCHED_S * READS_PER_S, 1.3 * WATCHED_S * READS_PER_S);
    assertThat(now.all() - before.all()).isGreaterThanOrEqualTo(0.95 * own);
    assertThat(now.readS() - before.readS()).isPositive();
    assertThat(now.busyS() - before.busyS()).isBetween(0.0, WATCHED_S + 1.0);
  }

  private Disk disk(LocalProcess reads) throws IOException {
    double limited = reads.usage(System.nanoTime()).disk().seconds().get("");
    Map<String, Double> own = Map.of(device, limited * READS_PER_S);
    return DiskTimes.of(Path.of("/sys"), own).orElseThrow().disks().get(device);
  }

  /** Why a lab switches it on before a node starts. */
  @Test
  void whatIsOlderThanTheSwitchIsNotAccounted() throws Exception {
    assumeTrue(accounts(), "this Linux accounts waits wrongly");
    Files.writeString(SWITCH, "0");
    LocalProcess older = reader();
    assertThat(watched(older).waitSource()).isEqualTo(WaitSource.READS_BY_LIMIT);
    Files.writeString(SWITCH, "1");

    assertThat(watched(older).ioWait()).isZero();
  }
}
