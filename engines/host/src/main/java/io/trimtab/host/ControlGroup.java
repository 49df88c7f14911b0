package io.trimtab.host;

import io.trimtab.engineapi.snapshot.DiskWait;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Linux control group that limits a process, version 1 or 2. A group without a CPU quota is
 * ignored, because a node may share it with other processes.
 *
 * <p>How long it waited for its disk is the delay that the kernel accounts for each of its tasks;
 * if that is switched off or wrong, the kernel's pressure stall information: the time in which a
 * task of the group waited for I/O (version 2). If there is neither, how long its disks took for
 * its reads, where the kernel accounts delays wrongly and nothing limits the reads, whose waits for
 * the limit are no disk's; otherwise only the share of the read limit that was used is known.
 */
final class ControlGroup {
  private final Path cpu;
  private final Path cpuacct;
  private final Path blkio;
  private final boolean v2;

  /**
   * @param device {@code major:minor} of a disk
   */
  private record DiskLimit(String device, double perSecond) {}

  private ControlGroup(Path cpu, Path cpuacct, Path blkio, boolean v2) {
    this.cpu = cpu;
    this.cpuacct = cpuacct;
    this.blkio = blkio;
    this.v2 = v2;
  }

  /**
   * Finds the group of a process.
   *
   * @param proc {@code /proc}
   * @return empty if there is none with a CPU quota
   */
  static Optional<ControlGroup> of(Path proc, long pid) throws IOException {
    Map<String, Path> folders = folders(proc, pid);
    Optional<ControlGroup> found = Optional.empty();
    if (folders.containsKey("cpu") && folders.containsKey("cpuacct")) {
      Path blkio = folders.getOrDefault("blkio", folders.get("cpu"));
      found =
          Optional.of(new ControlGroup(folders.get("cpu"), folders.get("cpuacct"), blkio, false));
    } else if (folders.containsKey("")) {
      Path group = folders.get("");
      found = Optional.of(new ControlGroup(group, group, group, true));
    }
    return found.filter(group -> group.quotaCores().isPresent());
  }

  /** The folder of the process's group by controller; that of version 2 under the empty name. */
  private static Map<String, Path> folders(Path proc, long pid) throws IOException {
    Map<String, String> groups = new HashMap<>();
    for (String line : Files.readAllLines(proc.resolve(pid + "/cgroup"))) {
      String[] parts = line.split(":", 3);
      for (String controller : parts[1].split(",")) {
        groups.put(controller, parts[2]);
      }
    }
    Map<String, Path> folders = new HashMap<>();
    for (String line : Files.readAllLines(proc.resolve("self/mountinfo"))) {
      String[] halves = line.split(" - ", 2);
      String[] mount = halves[0].split(" ");
      String[] type = halves.length == 2 ? halves[1].split(" ") : new String[0];
      if (type.length >= 3 && type[0].equals("cgroup")) {
        for (String option : type[2].split(",")) {
          put(folders, option, groups.get(option), mount);
        }
      } else if (type.length >= 1 && type[0].equals("cgroup2")) {
        put(folders, "", groups.get(""), mount);
      }
    }
    return folders;
  }

  private static void put(
      Map<String, Path> folders, String controller, String group, String[] mount) {
    if (group == null) {
      return;
    }
    // Inside a container only a part of the tree is mounted, and group names still start above it.
    String root = mount[3].equals("/") ? "" : mount[3];
    String below = group.startsWith(root) ? group.substring(root.length()) : group;
    Path folder = Path.of(mount[4] + below);
    if (Files.isDirectory(folder)) {
      folders.put(controller, folder);
    }
  }

  /** Number of cores that the group may use; empty if it has no quota. */
  Optional<Double> quotaCores() {
    try {
      String[] quota =
          v2
              ? read(cpu.resolve("cpu.max")).split(" ")
              : new String[] {
                read(cpu.resolve("cpu.cfs_quota_us")), read(cpu.resolve("cpu.cfs_period_us"))
              };
      return quota[0].equals("max") || quota[0].startsWith("-")
          ? Optional.empty()
          : Optional.of(Double.parseDouble(quota[0]) / Double.parseDouble(quota[1]));
    } catch (IOException e) {
      // The root group has no such file.
      return Optional.empty();
    }
  }

  double userS() throws IOException {
    return v2
        ? value(cpuacct.resolve("cpu.stat"), "user_usec") / 1e6
        : value(cpuacct.resolve("cpuacct.stat"), "user") / ProcessStat.TICKS_PER_S;
  }

  double systemS() throws IOException {
    return v2
        ? value(cpuacct.resolve("cpu.stat"), "system_usec") / 1e6
        : value(cpuacct.resolve("cpuacct.stat"), "system") / ProcessStat.TICKS_PER_S;
  }

  /**
   * How long the group has waited for its disk; empty if not known.
   *
   * @param proc {@code /proc}
   */
  Optional<DiskWait> waited(Path proc) throws IOException {
    Optional<DiskWait> delays = TaskDelays.of(proc, pids());
    if (delays.isPresent()) {
      return delays;
    }
    Optional<Double> pressure = v2 ? pressureS() : Optional.empty();
    if (pressure.isPresent()) {
      return pressure.map(s -> DiskWait.of(WaitSource.PRESSURE, s));
    }
    Optional<DiskLimit> limit = diskLimit();
    Map<String, Double> reads = readsByDisk();
    if (limit.isEmpty()) {
      return TaskDelays.isRight(proc) || isThrottled()
          ? Optional.empty()
          : DiskTimes.of(proc.resolveSibling("sys"), reads);
    }
    return limit.map(
        of ->
            DiskWait.of(
                WaitSource.READS_BY_LIMIT, reads.getOrDefault(of.device(), 0.0) / of.perSecond()));
  }

  /** Those that this process can see, so that none has the number 0. */
  private List<Long> pids() throws IOException {
    Path processes = cpuacct.resolve("cgroup.procs");
    return Files.exists(processes)
        ? Files.readAllLines(processes).stream().map(Long::parseLong).filter(p -> p > 0).toList()
        : List.of();
  }

  private Optional<Double> pressureS() throws IOException {
    Path pressure = blkio.resolve("io.pressure");
    return Files.exists(pressure)
        ? keyed(Files.readAllLines(pressure).get(0), "total")
            .map(us -> Double.parseDouble(us) / 1e6)
        : Optional.empty();
  }

  /** Reads a second that may reach the group's disk; 0 where nothing limits them. */
  double readsPerSecond() throws IOException {
    return diskLimit().map(DiskLimit::perSecond).orElse(0.0);
  }

  /** The first limit of reads; a node has one disk. */
  private Optional<DiskLimit> diskLimit() throws IOException {
    Path limits = blkio.resolve(v2 ? "io.max" : "blkio.throttle.read_iops_device");
    if (!Files.exists(limits)) {
      return Optional.empty();
    }
    for (String line : Files.readAllLines(limits)) {
      String[] words = line.split(" ");
      Optional<String> limit =
          v2 ? keyed(line, "riops").filter(value -> !value.equals("max")) : Optional.of(words[1]);
      if (limit.isPresent()) {
        return Optional.of(new DiskLimit(words[0], Double.parseDouble(limit.get())));
      }
    }
    return Optional.empty();
  }

  /** Whether reads of the group, or of one that it is in, are limited by number or by bytes. */
  private boolean isThrottled() throws IOException {
    List<String> files =
        v2
            ? List.of("io.max")
            : List.of("blkio.throttle.read_iops_device", "blkio.throttle.read_bps_device");
    for (Path folder = blkio; folder != null; folder = folder.getParent()) {
      boolean any = false;
      for (String name : files) {
        Path limits = folder.resolve(name);
        if (Files.exists(limits)) {
          any = true;
          for (String line : Files.readAllLines(limits)) {
            if (!v2 || line.matches(".* r(bps|iops)=\\d.*")) {
              return true;
            }
          }
        }
      }
      // The root of version 2 has no such file, nor has what the tree is mounted on.
      if (!any && folder != blkio) {
        return false;
      }
    }
    return false;
  }

  /** Reads of the group by disk, {@code major:minor}; in version 1 also what a limit holds up. */
  private Map<String, Double> readsByDisk() throws IOException {
    Path file = blkio.resolve(v2 ? "io.stat" : "blkio.throttle.io_serviced");
    Map<String, Double> reads = new HashMap<>();
    if (!Files.exists(file)) {
      return reads;
    }
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ");
      if (v2) {
        keyed(line, "rios")
            .ifPresent(count -> reads.put(lastName(words), Double.parseDouble(count)));
      } else if (words.length == 3 && words[1].equals("Read")) {
        reads.put(words[0], Double.parseDouble(words[2]));
      }
    }
    return reads;
  }

  /** Linux 5.15 puts the names of idle disks before that of the next one that is not. */
  private static String lastName(String[] words) {
    int last = 0;
    while (last + 1 < words.length && !words[last + 1].contains("=")) {
      last++;
    }
    return words[last];
  }

  /** From {@code key=value key=value …}. */
  private static Optional<String> keyed(String line, String key) {
    for (String part : line.split(" ")) {
      if (part.startsWith(key + "=")) {
        return Optional.of(part.substring(key.length() + 1));
      }
    }
    return Optional.empty();
  }

  /** From lines of {@code key value}; 0 where there is no such line. */
  private static double value(Path file, String key) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(key + " ")) {
        return Double.parseDouble(line.substring(key.length() + 1).strip());
      }
    }
    return 0;
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file).strip();
  }

  @Override
  public String toString() {
    return cpu.toString();
  }
}
