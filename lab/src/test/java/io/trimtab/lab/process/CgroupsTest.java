package io.trimtab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both versions against a tree of plain files in place of the kernel's. */
class CgroupsTest {
  private static final String GROUP = "trimtab-test-n1";

  @TempDir Path tree;

  @Test
  void version1WritesEachLimitToItsController() throws IOException {
    Cgroups cgroups = v1();
    cgroups.create(GROUP);

    cgroups.limitCpu(GROUP, 0.35);
    cgroups.limitMemory(GROUP, 700L << 20);
    cgroups.limitReads(GROUP, "254:0", 150);

    assertThat(read("cpu/" + GROUP + "/cpu.cfs_period_us")).isEqualTo("100000");
    assertThat(read("cpu/" + GROUP + "/cpu.cfs_quota_us")).isEqualTo("35000");
    assertThat(read("memory/" + GROUP + "/memory.limit_in_bytes")).isEqualTo("734003200");
    assertThat(read("blkio/" + GROUP + "/blkio.throttle.read_iops_device")).isEqualTo("254:0 150");
  }

  @Test
  void version1LiftsLimits() throws IOException {
    Cgroups cgroups = v1();
    cgroups.create(GROUP);

    cgroups.limitCpu(GROUP, 0);
    cgroups.limitReads(GROUP, "254:0", 0);

    assertThat(read("cpu/" + GROUP + "/cpu.cfs_quota_us")).isEqualTo("-1");
    assertThat(read("blkio/" + GROUP + "/blkio.throttle.read_iops_device")).isEqualTo("254:0 0");
  }

  @Test
  void version1GroupsAreInEveryTreeOnce() {
    Path shared = tree.resolve("cpu,cpuacct");
    Cgroups cgroups =
        new CgroupsV1(
            Map.of(
                "cpu",
                shared,
                "cpuacct",
                shared,
                "memory",
                tree.resolve("memory"),
                "blkio",
                tree.resolve("blkio")));

    assertThat(cgroups.folders(GROUP))
        .containsExactly(
            shared.resolve(GROUP),
            tree.resolve("memory").resolve(GROUP),
            tree.resolve("blkio").resolve(GROUP));
  }

  @Test
  void version2HandsItsControllersDownAndWritesLimits() throws IOException {
    Files.writeString(tree.resolve("cgroup.subtree_control"), "");
    Cgroups cgroups = new CgroupsV2(tree);
    cgroups.create(GROUP);

    cgroups.limitCpu(GROUP, 1.5);
    cgroups.limitMemory(GROUP, 1 << 20);
    cgroups.limitReads(GROUP, "8:0", 120);

    assertThat(read("cgroup.subtree_control")).isEqualTo("+cpu +memory +io");
    assertThat(read(GROUP + "/cpu.max")).isEqualTo("150000 100000");
    assertThat(read(GROUP + "/memory.max")).isEqualTo("1048576");
    assertThat(read(GROUP + "/io.max")).isEqualTo("8:0 riops=120");
    assertThat(cgroups.folders(GROUP)).containsExactly(tree.resolve(GROUP));
  }

  @Test
  void version2LiftsLimits() throws IOException {
    Files.writeString(tree.resolve("cgroup.subtree_control"), "");
    Cgroups cgroups = new CgroupsV2(tree);
    cgroups.create(GROUP);

    cgroups.limitCpu(GROUP, 0);
    cgroups.limitReads(GROUP, "8:0", 0);

    assertThat(read(GROUP + "/cpu.max")).isEqualTo("max 100000");
    assertThat(read(GROUP + "/io.max")).isEqualTo("8:0 riops=max");
  }

  @Test
  void readsOfADiskAreCounted() throws IOException {
    Cgroups v1 = v1();
    v1.create(GROUP);
    Path served = tree.resolve("blkio/" + GROUP + "/blkio.throttle.io_serviced");
    Files.writeString(
        served, "254:0 Read 17\n254:0 Write 4\n254:0 Total 21\n8:0 Read 3\nTotal 24\n");
    assertThat(v1.diskReads(GROUP, "254:0")).isEqualTo(17);
    assertThat(v1.diskReads(GROUP, "7:0")).isZero();

    Files.writeString(tree.resolve("cgroup.subtree_control"), "");
    Cgroups v2 = new CgroupsV2(tree);
    v2.create(GROUP);
    Files.writeString(
        tree.resolve(GROUP + "/io.stat"), "8:0 rbytes=90 rios=5 wios=2\n254:0 rios=7\n");
    assertThat(v2.diskReads(GROUP, "254:0")).isEqualTo(7);
  }

  @Test
  void theMemoryLimitInForceIsRead() throws IOException {
    Cgroups v1 = v1();
    v1.create(GROUP);
    v1.limitMemory(GROUP, 700L << 20);
    assertThat(v1.memoryLimit(GROUP)).isEqualTo(700L << 20);
    Files.writeString(
        tree.resolve("memory/" + GROUP + "/memory.limit_in_bytes"), "9223372036854771712\n");
    assertThat(v1.memoryLimit(GROUP)).isZero();

    Files.writeString(tree.resolve("cgroup.subtree_control"), "");
    Cgroups v2 = new CgroupsV2(tree);
    v2.create(GROUP);
    v2.limitMemory(GROUP, 1 << 20);
    assertThat(v2.memoryLimit(GROUP)).isEqualTo(1 << 20);
    Files.writeString(tree.resolve(GROUP + "/memory.max"), "max\n");
    assertThat(v2.memoryLimit(GROUP)).isZero();
  }

  @Test
  void whatProcessesHoldIsAllButThePageCache() throws IOException {
    Cgroups v1 = v1();
    v1.create(GROUP);
    Path memory = tree.resolve("memory/" + GROUP);
    Files.writeString(memory.resolve("memory.usage_in_bytes"), "5000\n");
    Files.writeString(memory.resolve("memory.stat"), "cache 1200\nrss 3000\ntotal_cache 9\n");
    assertThat(v1.heldBytes(GROUP)).isEqualTo(3_800);

    Files.writeString(tree.resolve("cgroup.subtree_control"), "");
    Cgroups v2 = new CgroupsV2(tree);
    v2.create(GROUP);
    Files.writeString(tree.resolve(GROUP).resolve("memory.current"), "700\n");
    Files.writeString(tree.resolve(GROUP).resolve("memory.stat"), "anon 500\nfile 150\n");
    assertThat(v2.heldBytes(GROUP)).isEqualTo(550);
    Files.writeString(tree.resolve(GROUP).resolve("memory.stat"), "anon 500\n");
    assertThatThrownBy(() -> v2.heldBytes(GROUP))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("memory.stat: has no line file");
  }

  @Test
  void processesThatTheKernelKilledForMemoryAreCounted() throws IOException {
    Cgroups v1 = v1();
    v1.create(GROUP);
    Path control = tree.resolve("memory/" + GROUP + "/memory.oom_control");
    Files.writeString(control, "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    assertThat(v1.oomKills(GROUP)).isEqualTo(1);
    Files.writeString(control, "oom_kill_disable 0\nunder_oom 0\n");
    assertThat(v1.oomKills(GROUP)).as("an old kernel").isZero();
    assertThat(v1.oomKills("trimtab-gone-n1")).isZero();

    Files.writeString(tree.resolve("cgroup.subtree_control"), "");
    Cgroups v2 = new CgroupsV2(tree);
    v2.create(GROUP);
    Files.writeString(tree.resolve(GROUP).resolve("memory.events"), "low 0\noom 3\noom_kill 2\n");
    assertThat(v2.oomKills(GROUP)).isEqualTo(2);
  }

  @Test
  void reclaimingLeavesTheLimitAsItWas() throws IOException {
    Cgroups v1 = v1();
    v1.create(GROUP);
    v1.reclaim(GROUP, 1_000, 5_000);
    assertThat(tree.resolve("memory/" + GROUP + "/memory.limit_in_bytes")).hasContent("5000");

    Files.writeString(tree.resolve("cgroup.subtree_control"), "");
    Cgroups v2 = new CgroupsV2(tree);
    v2.create(GROUP);
    v2.reclaim(GROUP, 1_000, 5_000);
    assertThat(tree.resolve(GROUP + "/memory.high")).hasContent("max");
    assertThat(tree.resolve(GROUP + "/memory.max")).doesNotExist();
  }

  @Test
  void aLimitThatCantBeSetNamesTheFile() {
    assertThatThrownBy(() -> v1().limitMemory("trimtab-none", 1))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("memory/trimtab-none/memory.limit_in_bytes: can't be set to '1'");
  }

  @Test
  void mountsOfVersion1AreFoundAlsoWhereControllersShareATree() {
    List<String> mounts =
        List.of(
            "23 27 0:22 / /sys rw - sysfs sysfs rw",
            "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup"
                + " rw,cpu,cpuacct",
            "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory",
            "38 31 0:35 / /sys/fs/cgroup/blkio rw,relatime - cgroup cgroup rw,blkio",
            "41 31 0:38 / " + tree + " rw,relatime - cgroup2 cgroup2 rw");

    assertThat(Isolation.find(mounts).orElseThrow().folders(GROUP))
        .containsExactly(
            Path.of("/sys/fs/cgroup/cpu,cpuacct", GROUP),
            Path.of("/sys/fs/cgroup/memory", GROUP),
            Path.of("/sys/fs/cgroup/blkio", GROUP));
  }

  @Test
  void version2CountsOnlyWithTheNeededControllers() throws IOException {
    List<String> mounts = List.of("30 23 0:26 / " + tree + " rw - cgroup2 cgroup2 rw");

    assertThat(Isolation.find(mounts)).isEmpty();
    Files.writeString(tree.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
    assertThat(Isolation.find(mounts).orElseThrow().folders(GROUP))
        .containsExactly(tree.resolve(GROUP));
  }

  @Test
  void withoutControlGroupsNothingIsFound() {
    assertThat(Isolation.find(List.of("23 27 0:22 / /sys rw - sysfs sysfs rw", ""))).isEmpty();
  }

  private Cgroups v1() {
    return new CgroupsV1(
        Map.of(
            "cpu", tree.resolve("cpu"),
            "memory", tree.resolve("memory"),
            "blkio", tree.resolve("blkio")));
  }

  private String read(String file) throws IOException {
    return Files.readString(tree.resolve(file));
  }
}
