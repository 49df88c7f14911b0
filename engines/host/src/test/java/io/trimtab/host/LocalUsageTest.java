package io.trimtab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.UsageReading;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads usage from trees that look like Linux's. */
class LocalUsageTest {
  private static final long PID = 4711;
  private static final long BOOT_S = 1_000_000;
  private static final long STARTED_MS = (BOOT_S + 50) * 1000;
  private static final long SECOND_NS = 1_000_000_000L;

  @TempDir Path root;
  private Path proc;

  @BeforeEach
  void machine() throws IOException {
    proc = root.resolve("proc");
    write("proc/loadavg", "0.50 1.25 2.00 1/300 4711\n");
    stat(1000);
    process(200, 100);
    write("proc/4711/status", "Name:\tjava\nVmRSS:\t  2048 kB\n");
  }

  private void stat(long ioWaitTicks) throws IOException {
    write(
        "proc/stat",
        "cpu  500 0 300 9000 " + ioWaitTicks + " 0 0 0 0 0\ncpu0 1 0\ncpu1 1 0\nbtime 1000000\n");
  }

  /** A name with spaces and brackets, as Linux allows; started 50 s after the boot. */
  private void process(long userTicks, long systemTicks) throws IOException {
    write(
        "proc/4711/stat",
        "4711 (a (b) c) S 1 1 1 0 -1 0 0 0 0 0 "
            + userTicks
            + " "
            + systemTicks
            + " 0 0 20 0 9 0 5000 0 0\n");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private LocalProcess process() {
    return LocalProcess.find(proc, "127.0.0.1", PID, STARTED_MS + 400).orElseThrow();
  }

  @Test
  void aProcessOfThisMachineIsFoundByNumberAndStart() {
    assertThat(LocalProcess.find(proc, "127.0.0.1", PID, STARTED_MS)).isPresent();
    assertThat(LocalProcess.find(proc, "127.0.0.1", PID, STARTED_MS + 3_600_000)).isEmpty();
    assertThat(LocalProcess.find(proc, "127.0.0.1", PID + 1, STARTED_MS)).isEmpty();
    assertThat(LocalProcess.find(proc, "192.0.2.1", PID, STARTED_MS)).isEmpty();
    assertThat(LocalProcess.find(proc, "127.0.0.1", -1, STARTED_MS)).isEmpty();
  }

  @Test
  void aProcessWithoutAGroupIsMeasuredAgainstTheWholeMachine() throws IOException {
    write("proc/4711/cgroup", "0::/\n");
    write("proc/self/mountinfo", "");
    UsageReading before = process().usage(0);
    process(400, 150);
    // Of ten seconds of two cores, a quarter waited for the disk.
    stat(1500);
    NodeUsage usage = process().usage(10 * SECOND_NS).since(before);

    assertThat(usage.cpuUser()).isCloseTo(0.1, within(1e-9));
    assertThat(usage.cpuSystem()).isCloseTo(0.025, within(1e-9));
    assertThat(usage.ioWait()).isCloseTo(0.25, within(1e-9));
    assertThat(usage.waitSource()).isEqualTo(WaitSource.MACHINE);
    // Of its machine: 1.25 processes on two cores.
    assertThat(usage.load5()).isEqualTo(0.625);
    assertThat(usage.limits()).isEqualTo(NodeLimits.ofCores(2));
    assertThat(process().memoryBytes()).isEqualTo(2048 << 10);
  }

  @Test
  void memoryThatCachesTakeIsAvailable() throws IOException {
    write("proc/meminfo", "MemTotal: 900 kB\nMemFree: 100 kB\nMemAvailable:   700 kB\n");
    assertThat(process().machineAvailableBytes()).isEqualTo(700 << 10);
    write("proc/meminfo", "MemTotal: 900 kB\n");
    assertThat(process().machineAvailableBytes()).isEqualTo(-1);
  }

  private void groupV1(long user, long system, long reads) throws IOException {
    write("proc/4711/cgroup", "4:blkio:/n1\n3:cpuacct:/n1\n1:cpu:/n1\n0::/\n");
    write(
        "proc/self/mountinfo",
        mount("cpu", "cgroup", "cpu")
            + mount("cpuacct", "cgroup", "cpuacct")
            + mount("blkio", "cgroup", "blkio"));
    write("cg/cpu/n1/cpu.cfs_quota_us", "50000\n");
    write("cg/cpu/n1/cpu.cfs_period_us", "100000\n");
    write("cg/cpuacct/n1/cpuacct.stat", "user " + user + "\nsystem " + system + "\n");
    write("cg/blkio/n1/blkio.throttle.read_iops_device", "254:0 150\n");
    write(
        "cg/blkio/n1/blkio.throttle.io_serviced",
        "8:0 Read 5\n254:0 Read " + reads + "\n254:0 Write 99999\nTotal 1\n");
  }

  private String mount(String folder, String type, String options) {
    return "31 23 0:28 / "
        + root.resolve("cg").resolve(folder)
        + " rw - "
        + type
        + " x rw,"
        + options
        + "\n";
  }

  @Test
  void aGroupIsMeasuredAgainstItsQuotaAndItsReadLimit() throws IOException {
    groupV1(1000, 500, 3000);
    UsageReading before = process().usage(0);
    groupV1(1100, 550, 3750);
    NodeUsage usage = process().usage(10 * SECOND_NS).since(before);

    // 1 s and 0.5 s of the 5 s that half a core has in ten seconds; 75 of 150 reads a second.
    assertThat(usage.cpuUser()).isCloseTo(0.2, within(1e-9));
    assertThat(usage.cpuSystem()).isCloseTo(0.1, within(1e-9));
    assertThat(usage.ioWait()).isCloseTo(0.5, within(1e-9));
    assertThat(usage.server()).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void aGroupsLimitsAreTold() throws IOException {
    groupV1(1000, 500, 3000);
    UsageReading before = process().usage(0);
    assertThat(before.limits()).isEqualTo(new NodeLimits(0.5, 150));
    assertThat(process().usage(SECOND_NS).since(before).limits()).isEqualTo(before.limits());
    Files.delete(root.resolve("cg/blkio/n1/blkio.throttle.read_iops_device"));
    assertThat(process().usage(0).limits()).isEqualTo(new NodeLimits(0.5, 0));

    groupV2(0, 0, "254:0 rbps=max wbps=max riops=300 wiops=max\n", -1);
    assertThat(process().usage(0).limits()).isEqualTo(new NodeLimits(0.5, 300));
    groupV2(0, 0, "254:0 rbps=max wbps=max riops=max wiops=9\n", -1);
    assertThat(process().usage(0).limits()).isEqualTo(new NodeLimits(0.5, 0));
  }

  @Test
  void ioWaitIsNeverMoreThanTheIdleTime() throws IOException {
    groupV1(1000, 500, 0);
    UsageReading before = process().usage(0);
    groupV1(1400, 500, 1500);
    NodeUsage usage = process().usage(10 * SECOND_NS).since(before);

    assertThat(usage.cpuUser()).isCloseTo(0.8, within(1e-9));
    assertThat(usage.ioWait()).isCloseTo(0.2, within(1e-9));
    assertThat(usage.server()).isCloseTo(1, within(1e-9));
  }

  private void groupV2(long userUs, long reads, String limits, long pressureUs) throws IOException {
    write("proc/4711/cgroup", "0::/box/n1\n");
    // A container that sees its own part of the tree only.
    write(
        "proc/self/mountinfo",
        "31 23 0:28 /box " + root.resolve("cg2") + " rw - cgroup2 cgroup2 rw\n");
    write("cg2/n1/cpu.max", "50000 100000\n");
    write("cg2/n1/cpu.stat", "usage_usec 1\nuser_usec " + userUs + "\nsystem_usec 0\n");
    write("cg2/n1/io.max", limits);
    write("cg2/n1/io.stat", "8:0 rios=7\n254:0 rbytes=1 wbytes=1 rios=" + reads + " wios=4\n");
    if (pressureUs >= 0) {
      write(
          "cg2/n1/io.pressure",
          "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + pressureUs + "\nfull total=0\n");
    }
  }

  @Test
  void version2IsReadToo() throws IOException {
    String limits = "254:0 rbps=max wbps=max riops=150 wiops=max\n";
    groupV2(0, 0, limits, -1);
    UsageReading before = process().usage(0);
    groupV2(1_000_000, 450, limits, -1);
    NodeUsage usage = process().usage(10 * SECOND_NS).since(before);

    assertThat(usage.cpuUser()).isCloseTo(0.2, within(1e-9));
    assertThat(usage.ioWait()).isCloseTo(0.3, within(1e-9));
    assertThat(usage.waitSource()).isEqualTo(WaitSource.READS_BY_LIMIT);
  }

  @Test
  void theKernelsPressureCountsBeforeTheReadLimit() throws IOException {
    String limits = "254:0 rbps=max wbps=max riops=150 wiops=max\n";
    groupV2(0, 0, limits, 0);
    UsageReading before = process().usage(0);
    groupV2(0, 450, limits, 2_500_000);
    NodeUsage usage = process().usage(10 * SECOND_NS).since(before);

    assertThat(usage.ioWait()).isCloseTo(0.25, within(1e-9));
    assertThat(usage.waitSource()).isEqualTo(WaitSource.PRESSURE);
  }

  private void accounting(boolean on) throws IOException {
    write("proc/sys/kernel/task_delayacct", on ? "1\n" : "0\n");
  }

  private void task(long pid, long tid, long startedTicks, long waitedTicks) throws IOException {
    write(
        "proc/" + pid + "/task/" + tid + "/stat",
        tid
            + " (a) b) S 1 1 1 0 -1 0 0 0 0 0 7 7 0 0 20 0 9 0 "
            + startedTicks
            + " 0 0 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 "
            + waitedTicks
            + " 0 0 0 0 0 0 0 0 0 0\n");
  }

  @Test
  void theDelayOfAllTasksOfAGroupCountsFirst() throws IOException {
    accounting(true);
    groupV1(1000, 500, 3000);
    write("cg/cpuacct/n1/cgroup.procs", "4711\n4800\n9999\n");
    task(PID, PID, 5000, 40);
    task(PID, 4712, 5001, 100);
    task(4800, 4800, 5002, 0);
    UsageReading before = process().usage(0);
    groupV1(1100, 550, 3750);
    // 3 s, 2 s, and 5 s of one whose number another task had; that of 9999 has ended.
    task(PID, PID, 5000, 340);
    task(PID, 4712, 7000, 200);
    task(4800, 4800, 5002, 500);
    NodeUsage usage = process().usage(10 * SECOND_NS).since(before);

    // On average one task waits: half of the time a disk would be busy with it.
    assertThat(usage.ioWait()).isCloseTo(0.5, within(1e-9));
    assertThat(usage.waitSource()).isEqualTo(WaitSource.DELAY_ACCOUNTING);
    assertThat(usage.server()).isCloseTo(0.8, within(1e-9));
  }

  private void disk(String name, String counts) throws IOException {
    write("sys/dev/block/" + name + "/stat", counts);
  }

  private void unlimitedV1(long own8, long own254) throws IOException {
    groupV1(1000, 500, own254);
    Files.delete(root.resolve("cg/blkio/n1/blkio.throttle.read_iops_device"));
    write(
        "cg/blkio/n1/blkio.throttle.io_serviced",
        "8:0 Read " + own8 + "\n254:0 Read " + own254 + "\n254:0 Write 99999\nTotal 1\n");
  }

  /** From 6.12 on delays are accounted wrongly. */
  private void linux(String release) throws IOException {
    write("proc/sys/kernel/osrelease", release + "\n");
  }

  @Test
  void withoutALimitTheDisksTellHowLongReadsTook() throws IOException {
    linux("6.18.1");
    unlimitedV1(10, 1000);
    disk("8:0", "    500 0 9000 2000 70 0 600 900 0 3000 2900\n");
    disk("254:0", "    2000 5 160000 8000 300 0 2400 700 0 9000 8700\n");
    UsageReading before = process().usage(0);
    // Of the first disk a tenth of 100 reads that took 10 s, of the second half of 400 and 8 s.
    unlimitedV1(20, 1200);
    disk("8:0", "    590 10 9000 12000 70 0 600 900 0 7000 2900\n");
    disk("254:0", "    2400 5 192000 16000 300 0 2400 700 0 13000 16700\n");
    NodeUsage usage = process().usage(10 * SECOND_NS).since(before);

    // Half a read is under way on average.
    assertThat(usage.waitSource()).isEqualTo(WaitSource.DISK_TIMES);
    assertThat(usage.ioWait()).isCloseTo(0.5 / 1.5, within(1e-9));
  }

  @Test
  void disksAreAskedOnlyWhereTheKernelAccountsWronglyAndNothingLimitsReads() throws IOException {
    unlimitedV1(0, 1000);
    disk("254:0", "    1000 5 160000 8000 300 0 2400 700 0 9000 8700\n");
    linux("6.11.2");
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.MACHINE);
    linux("6.12.1");
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.DISK_TIMES);

    write("sys/dev/block/254:0/queue/iostats", "0\n");
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.MACHINE);
    write("sys/dev/block/254:0/queue/iostats", "1\n");
    write("cg/blkio/n1/blkio.throttle.read_bps_device", "254:0 1000000\n");
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.MACHINE);
    Files.delete(root.resolve("cg/blkio/n1/blkio.throttle.read_bps_device"));
    write("cg/blkio/blkio.throttle.read_iops_device", "254:0 10\n");
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.MACHINE);
    write("cg/blkio/blkio.throttle.read_iops_device", "");
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.DISK_TIMES);

    groupV2(0, 1000, "254:0 rbps=1000 wbps=max riops=max wiops=max\n", -1);
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.MACHINE);
    groupV2(0, 1000, "254:0 rbps=max wbps=9 riops=max wiops=max\n", -1);
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.DISK_TIMES);
    groupV2(0, 1000, "", 7_000_000);
    assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.PRESSURE);
  }

  /** As Linux 5.15 writes them. */
  @Test
  void severalDisksInOneLineAreTheLastOnes() throws IOException {
    groupV2(0, 0, "254:0 rbps=max wbps=max riops=150 wiops=max\n", -1);
    write("cg2/n1/io.stat", "7:1 7:0 254:0 rbytes=1 rios=450\n8:0 (unknown)\n");
    assertThat(process().usage(0).disk().seconds()).containsEntry("", 3.0);
  }

  @Test
  void aVolumeIsNotCountedBesideTheDiskBelowIt() throws IOException {
    linux("6.18.1");
    unlimitedV1(0, 1000);
    disk("8:0", "    1000 0 9000 2000 70 0 600 900 0 3000 2900\n");
    disk("254:0", "    1000 5 160000 8000 300 0 2400 700 0 9000 8700\n");
    write("sys/dev/block/8:0/slaves/vda/dev", "254:0\n");
    assertThat(process().usage(0).disk().disks()).containsOnlyKeys("254:0");
  }

  /** Linux 6.12 and later note the beginning of a wait for another task. */
  @Test
  void anAccountingThatIsWrongIsNoMeasurement() throws IOException {
    accounting(true);
    groupV1(1000, 500, 0);
    write("cg/cpuacct/n1/cgroup.procs", "4711\n");
    task(PID, PID, 5000, 0);
    for (String wrong : new String[] {"6.12.0", "6.18.44-fc-v782", "7.0.1", "10.2"}) {
      linux(wrong);
      assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.READS_BY_LIMIT);
    }
    for (String right : new String[] {"6.11.11-amd64", "5.15.0", "4.18.0-553.el8", "unknown"}) {
      linux(right);
      assertThat(process().usage(0).disk().source()).isEqualTo(WaitSource.DELAY_ACCOUNTING);
    }
  }

  @Test
  void anAccountingThatIsOffIsNoMeasurement() throws IOException {
    groupV1(1000, 500, 0);
    write("cg/cpuacct/n1/cgroup.procs", "4711\n");
    task(PID, PID, 5000, 0);
    accounting(false);
    UsageReading before = process().usage(0);
    groupV1(1000, 500, 750);
    UsageReading now = process().usage(10 * SECOND_NS);

    assertThat(now.since(before).waitSource()).isEqualTo(WaitSource.READS_BY_LIMIT);
    assertThat(now.since(before).ioWait()).isCloseTo(0.5, within(1e-9));
    accounting(true);
    assertThat(process().usage(20 * SECOND_NS).since(now)).isEqualTo(NodeUsage.UNKNOWN);
  }

  @Test
  void aGroupWithoutAQuotaIsNotTaken() throws IOException {
    groupV1(1000, 500, 0);
    write("cg/cpu/n1/cpu.cfs_quota_us", "-1\n");

    assertThat(ControlGroup.of(proc, PID)).isEqualTo(Optional.empty());
    assertThat(process().usage(0).source()).isEqualTo("process 4711");
  }

  @Test
  void readingsOfDifferentSeriesGiveNothing() throws IOException {
    groupV1(1000, 500, 0);
    UsageReading group = process().usage(0);
    write("cg/cpu/n1/cpu.cfs_quota_us", "-1\n");
    UsageReading process = process().usage(SECOND_NS);

    assertThat(process.since(group)).isEqualTo(NodeUsage.UNKNOWN);
    assertThat(group.since(process)).isEqualTo(NodeUsage.UNKNOWN);
    process(1, 1);
    assertThat(process().usage(2 * SECOND_NS).since(process)).isEqualTo(NodeUsage.UNKNOWN);
  }
}
