package io.trimtab.lab.process;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Control groups of this machine, of either version. A group's name is its folder's name. */
public abstract sealed class Cgroups permits CgroupsV1, CgroupsV2 {
  /** Begins every group's name, so that people know whose it is. */
  public static final String PREFIX = "trimtab-";

  static final int CPU_PERIOD_US = 100_000;

  /** Version 1 tells the largest number of whole pages. */
  private static final long NO_LIMIT = 1L << 62;

  /** The folders that make up a group; a process belongs in all of them. */
  public abstract List<Path> folders(String group);

  /**
   * @param cores CPU time per time; 0 = no limit
   */
  public abstract void limitCpu(String group, double cores);

  /**
   * @param bytes of anonymous memory and page cache together
   */
  public abstract void limitMemory(String group, long bytes);

  /** What {@link #limitMemory} has set, in whole pages; 0 = no limit. */
  public abstract long memoryLimit(String group);

  /**
   * Has the kernel take back page cache until the group has no more than so many bytes in all, as
   * far as it can at once; pages that are still to be written can't be taken.
   *
   * @param most the group's limit, which stays
   */
  public abstract void reclaim(String group, long bytes, long most);

  /**
   * How often the kernel has killed a process of the group for lack of memory; 0 where it does not
   * tell (Linux before 4.13), or the group is gone.
   */
  public abstract long oomKills(String group);

  /** Bytes that a group's processes hold, and the kernel for them, without the page cache. */
  public abstract long heldBytes(String group);

  /**
   * @param device {@code major:minor} of a whole disk
   * @param perSecond read operations that reach the disk; 0 = no limit
   */
  public abstract void limitReads(String group, String device, int perSecond);

  /**
   * Reads that have reached a disk since the group began; 0 where it read nothing yet.
   *
   * @param device {@code major:minor} of a whole disk
   */
  public abstract long diskReads(String group, String device);

  /** Name for display: {@code cgroup v1}. */
  public abstract String version();

  public void create(String group) {
    for (Path folder : folders(group)) {
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new UserError(folder + ": control group can't be created: " + FileProblem.of(e), e);
      }
    }
  }

  /** Memory in use, minus one line of the statistics next to it. */
  static long less(Path used, String stat) {
    Path stats = used.resolveSibling("memory.stat");
    try {
      long part =
          line(stats, stat).orElseThrow(() -> new UserError(stats + ": has no line " + stat));
      return Long.parseLong(Files.readString(used).strip()) - part;
    } catch (IOException | NumberFormatException e) {
      throw new UserError(stats + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  public static long oomKills(Path stats) {
    try {
      return line(stats, "oom_kill").orElse(0);
    } catch (IOException | NumberFormatException e) {
      // The group of a node that another JVM has just removed.
      return 0;
    }
  }

  /** The number in the line that begins with a name. */
  private static OptionalLong line(Path stats, String name) throws IOException {
    for (String line : Files.readAllLines(stats)) {
      if (line.startsWith(name + " ")) {
        return OptionalLong.of(Long.parseLong(line.substring(name.length() + 1)));
      }
    }
    return OptionalLong.empty();
  }

  /** The number in a file; 0 for a word, which is {@code max}, and for what is no limit at all. */
  static long limit(Path file) {
    String text = lines(file).get(0).strip();
    try {
      long limit = Long.parseLong(text);
      return limit < NO_LIMIT ? limit : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  static void set(Path file, String value) {
    try {
      Files.writeString(file, value);
    } catch (IOException e) {
      throw new UserError(file + ": can't be set to '" + value + "': " + FileProblem.of(e), e);
    }
  }
}
