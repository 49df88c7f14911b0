package io.trimtab.lab.process;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Version 2: one tree. */
final class CgroupsV2 extends Cgroups {
  static final List<String> NEEDED = List.of("cpu", "memory", "io");

  private final Path mount;

  CgroupsV2(Path mount) {
    this.mount = mount;
  }

  @Override
  public List<Path> folders(String group) {
    return List.of(mount.resolve(group));
  }

  @Override
  public void create(String group) {
    // A controller's files appear in a group only after its parent has handed it down.
    set(mount.resolve("cgroup.subtree_control"), "+cpu +memory +io");
    super.create(group);
  }

  @Override
  public void limitCpu(String group, double cores) {
    String quota = cores == 0 ? "max" : Long.toString(Math.round(cores * CPU_PERIOD_US));
    set(mount.resolve(group).resolve("cpu.max"), quota + " " + CPU_PERIOD_US);
  }

  @Override
  public void limitMemory(String group, long bytes) {
    set(mount.resolve(group).resolve("memory.max"), Long.toString(bytes));
  }

  @Override
  public long memoryLimit(String group) {
    return limit(mount.resolve(group).resolve("memory.max"));
  }

  @Override
  public void reclaim(String group, long bytes, long most) {
    // Above this the kernel takes back, but kills nothing.
    Path high = mount.resolve(group).resolve("memory.high");
    set(high, Long.toString(Math.min(most, bytes)));
    set(high, "max");
  }

  @Override
  public long oomKills(String group) {
    return oomKills(mount.resolve(group).resolve("memory.events"));
  }

  @Override
  public long heldBytes(String group) {
    return less(mount.resolve(group).resolve("memory.current"), "file");
  }

  @Override
  public void limitReads(String group, String device, int perSecond) {
    String limit = perSecond == 0 ? "max" : Integer.toString(perSecond);
    set(mount.resolve(group).resolve("io.max"), device + " riops=" + limit);
  }

  @Override
  public long diskReads(String group, String device) {
    return lines(mount.resolve(group).resolve("io.stat")).stream()
        .filter(line -> line.startsWith(device + " "))
        .flatMap(line -> Arrays.stream(line.split(" ")))
        .filter(part -> part.startsWith("rios="))
        .mapToLong(part -> Long.parseLong(part.substring("rios=".length())))
        .sum();
  }

  @Override
  public String version() {
    return "cgroup v2";
  }
}
