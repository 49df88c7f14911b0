package io.trimtab.host;

import io.trimtab.engineapi.snapshot.DiskWait;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.UsageReading;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A node's process on this machine, with its resource usage read from the kernel, so that nodes
 * that share the machine are distinguished. If its control group has a CPU quota, usage is that of
 * the group, including the node's other processes; otherwise it is that of the process, with the
 * entire machine's I/O wait.
 */
public final class LocalProcess {
  /** A JVM reports a start time shortly after that of its process, on a slow machine much later. */
  private static final long START_TOLERANCE_MS = 15_000;

  private final Path proc;
  private final long pid;

  private LocalProcess(Path proc, long pid) {
    this.proc = proc;
    this.pid = pid;
  }

  /**
   * Finds the process if it runs on this machine: the node's address must be one of this machine's,
   * and the start time of the process must match that reported by the node's JVM.
   *
   * @param proc {@code /proc}
   */
  public static Optional<LocalProcess> find(Path proc, String host, long pid, long startedAtMs) {
    try {
      if (pid <= 0 || !Files.exists(proc.resolve(pid + "/stat")) || !isHere(host)) {
        return Optional.empty();
      }
      LocalProcess process = new LocalProcess(proc, pid);
      long difference = Math.abs(process.startedAtMs() - startedAtMs);
      return difference <= START_TOLERANCE_MS ? Optional.of(process) : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      // It ended meanwhile, or this is not Linux.
      return Optional.empty();
    }
  }

  private static boolean isHere(String host) throws IOException {
    InetAddress address = InetAddress.getByName(host);
    return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
  }

  private long startedAtMs() throws IOException {
    for (String line : Files.readAllLines(proc.resolve("stat"))) {
      if (line.startsWith("btime ")) {
        double sinceBootS = stat().seconds(ProcessStat.STARTED_TICKS);
        return (long) ((Long.parseLong(line.substring(6).strip()) + sinceBootS) * 1000);
      }
    }
    throw new IOException("no boot time");
  }

  private ProcessStat stat() throws IOException {
    return ProcessStat.read(proc.resolve(Long.toString(pid)));
  }

  public UsageReading usage(long nowNs) throws IOException {
    MachineTimes machine = machine();
    String[] loads = Files.readString(proc.resolve("loadavg")).split(" ");
    double load5 = Double.parseDouble(loads[1]) / machine.cores();
    Optional<ControlGroup> group = ControlGroup.of(proc, pid);
    if (group.isPresent()) {
      return new UsageReading(
          nowNs,
          group.get().userS(),
          group.get().systemS(),
          new NodeLimits(
              group.get().quotaCores().orElse((double) machine.cores()),
              group.get().readsPerSecond()),
          group.get().waited(proc).orElse(machine.waited()),
          load5,
          "group " + group.get());
    }
    ProcessStat stat = stat();
    return new UsageReading(
        nowNs,
        stat.seconds(ProcessStat.USER_TICKS),
        stat.seconds(ProcessStat.SYSTEM_TICKS),
        machine.cores(),
        machine.waited(),
        load5,
        "process " + pid);
  }

  /**
   * The machine's cores, and what they waited.
   *
   * @param waited mean of all cores
   */
  private record MachineTimes(int cores, DiskWait waited) {}

  private MachineTimes machine() throws IOException {
    double waitTicks = 0;
    int cores = 0;
    for (String line : Files.readAllLines(proc.resolve("stat"))) {
      if (line.startsWith("cpu ")) {
        waitTicks = Double.parseDouble(line.split(" +")[5]);
      } else if (line.startsWith("cpu")) {
        cores++;
      }
    }
    cores = Math.max(1, cores);
    double seconds = waitTicks / ProcessStat.TICKS_PER_S / cores;
    return new MachineTimes(cores, DiskWait.of(WaitSource.MACHINE, seconds));
  }

  /** Resident memory in bytes. */
  public long memoryBytes() throws IOException {
    return bytes(proc.resolve(pid + "/status"), "VmRSS:");
  }

  /**
   * Memory in bytes that programs of this machine can have in addition, cached pages of files
   * included; −1 if Linux does not tell it.
   */
  public long machineAvailableBytes() throws IOException {
    return bytes(proc.resolve("meminfo"), "MemAvailable:");
  }

  /** Linux tells kibibytes. */
  private static long bytes(Path file, String name) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    return -1;
  }
}
