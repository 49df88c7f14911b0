package io.trimtab.lab.process;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this machine offers to keep nodes apart.
 *
 * @param cgroups empty where it offers nothing
 * @param device {@code major:minor} of the disk under the lab; empty where reads can't be limited
 * @param why what is missing, for display; empty if nothing is
 */
public record Isolation(Optional<Cgroups> cgroups, Optional<String> device, String why) {
  /** What a disk is of which no more is known. */
  public static final String MACHINES_DISK = "the machine's";

  private static final Path SYS = Path.of("/sys/dev/block");

  public static Isolation none(String why) {
    return new Isolation(Optional.empty(), Optional.empty(), why);
  }

  /** What the disk under a folder is, to follow "a disk that is". */
  public static String diskKind(Path data) {
    return disk(data, SYS).flatMap(MemoryDisk::describe).orElse(MACHINES_DISK);
  }

  /**
   * Whether what nodes may read is limited at all. A disk in memory has its own pace; a limit would
   * be a second queue before it, whose waits nobody measures.
   */
  public boolean limitsReads() {
    return device.isPresent() && device.flatMap(MemoryDisk::describe).isEmpty();
  }

  /**
   * The disk in words: its numbers, and what it is where that is known; empty where there is none.
   */
  public String disk() {
    return device
        .map(its -> its + MemoryDisk.describe(its).map(what -> " (" + what + ")").orElse(""))
        .orElse("");
  }

  /** Looks at this machine, for data under {@code data}, by making a group and removing it. */
  public static Isolation find(Path data) {
    List<String> mounts;
    try {
      mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
    } catch (IOException e) {
      return none("no /proc/self/mountinfo");
    }
    Optional<Cgroups> found = find(mounts);
    if (found.isEmpty()) {
      return none("no control groups with cpu, memory and block I/O controllers are mounted");
    }
    String probe = Cgroups.PREFIX + "probe-" + ProcessHandle.current().pid();
    try {
      found.get().create(probe);
      found.get().limitCpu(probe, 1);
    } catch (UserError e) {
      return none("control groups can't be created: " + e.getMessage());
    } finally {
      for (Path folder : found.get().folders(probe)) {
        // A failure to remove what could not be made is no news.
        var ignored = folder.toFile().delete();
      }
    }
    Optional<String> device = disk(data, SYS);
    return new Isolation(found, device, device.isPresent() ? "" : "no separate disk under " + data);
  }

  /** The control groups among the lines of a mountinfo file; version 1 where both are usable. */
  public static Optional<Cgroups> find(List<String> mountinfo) {
    Map<String, Path> v1 = new HashMap<>();
    Optional<Cgroups> v2 = Optional.empty();
    for (String line : mountinfo) {
      String[] parts = line.split(" - ", 2);
      String[] tail = parts.length == 2 ? parts[1].split(" ") : new String[0];
      if (tail.length < 3) {
        continue;
      }
      Path mount = Path.of(parts[0].split(" ")[4]);
      if (tail[0].equals("cgroup")) {
        for (String option : tail[2].split(",")) {
          v1.putIfAbsent(option, mount);
        }
      } else if (tail[0].equals("cgroup2") && controllers(mount).containsAll(CgroupsV2.NEEDED)) {
        v2 = Optional.of(new CgroupsV2(mount));
      }
    }
    return v1.keySet().containsAll(CgroupsV1.NEEDED) ? Optional.of(new CgroupsV1(v1)) : v2;
  }

  private static List<String> controllers(Path mount) {
    try {
      return List.of(Files.readString(mount.resolve("cgroup.controllers")).strip().split(" "));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The whole disk that holds a folder: limits can't be set on a part of one. */
  static Optional<String> disk(Path data, Path sysDevBlock) {
    try {
      long dev = ((Number) Files.getAttribute(data, "unix:dev")).longValue();
      long major = ((dev >> 8) & 0xfff) | ((dev >> 32) & ~0xfffL);
      long minor = (dev & 0xff) | ((dev >> 12) & ~0xffL);
      Path entry = sysDevBlock.resolve(major + ":" + minor);
      if (!Files.exists(entry)) {
        return Optional.empty();
      }
      Path real = entry.toRealPath();
      Path disk = Files.exists(real.resolve("partition")) ? real.getParent() : real;
      return Optional.of(Files.readString(disk.resolve("dev")).strip());
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
