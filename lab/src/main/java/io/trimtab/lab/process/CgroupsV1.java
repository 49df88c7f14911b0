package io.trimtab.lab.process;

import io.trimtab.config.UserError;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Version 1: a tree per controller, though some controllers may share one. */
final class CgroupsV1 extends Cgroups {
  static final List<String> NEEDED = List.of("cpu", "memory", "blkio");

  private final Map<String, Path> mounts;

  /**
   * @param mounts where each controller's tree is; {@link #NEEDED} at least
   */
  CgroupsV1(Map<String, Path> mounts) {
    this.mounts = Map.copyOf(mounts);
  }

  @Override
  public List<Path> folders(String group) {
    Set<Path> folders = new LinkedHashSet<>();
    for (String controller : List.of("cpu", "cpuacct", "memory", "blkio")) {
      if (mounts.containsKey(controller)) {
        folders.add(mounts.get(controller).resolve(group));
      }
    }
    return List.copyOf(folders);
  }

  private Path file(String controller, String group, String name) {
    return mounts.get(controller).resolve(group).resolve(name);
  }

  @Override
  public void limitCpu(String group, double cores) {
    set(file("cpu", group, "cpu.cfs_period_us"), Integer.toString(CPU_PERIOD_US));
    long quota = cores == 0 ? -1 : Math.round(cores * CPU_PERIOD_US);
    set(file("cpu", group, "cpu.cfs_quota_us"), Long.toString(quota));
  }

  @Override
  public void limitMemory(String group, long bytes) {
    set(file("memory", group, "memory.limit_in_bytes"), Long.toString(bytes));
  }

  @Override
  public long memoryLimit(String group) {
    return limit(file("memory", group, "memory.limit_in_bytes"));
  }

  @Override
  public void reclaim(String group, long bytes, long most) {
    // A limit under which the group would have to stay could get its processes killed: they grow.
    try {
      limitMemory(group, Math.min(most, bytes));
    } catch (UserError e) {
      // Not all could be taken; what was, is.
    }
    limitMemory(group, most);
  }

  @Override
  public long oomKills(String group) {
    return oomKills(file("memory", group, "memory.oom_control"));
  }

  @Override
  public long heldBytes(String group) {
    return less(file("memory", group, "memory.usage_in_bytes"), "cache");
  }

  @Override
  public void limitReads(String group, String device, int perSecond) {
    set(file("blkio", group, "blkio.throttle.read_iops_device"), device + " " + perSecond);
  }

  @Override
  public long diskReads(String group, String device) {
    String start = device + " Read ";
    return lines(file("blkio", group, "blkio.throttle.io_serviced")).stream()
        .filter(line -> line.startsWith(start))
        .mapToLong(line -> Long.parseLong(line.substring(start.length())))
        .sum();
  }

  @Override
  public String version() {
    return "cgroup v1";
  }
}
