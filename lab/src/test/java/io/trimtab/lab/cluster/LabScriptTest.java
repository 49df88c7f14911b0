package io.trimtab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.lab.process.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell script that outlives the JVM, with {@code sleep} in place of databases. */
class LabScriptTest {
  @TempDir Path home;
  private LabDir dir;
  private Path script;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void setUp() throws IOException {
    dir = new LabDir(home.resolve("lab with blank"));
    Files.createDirectories(dir.run());
    Files.createDirectories(dir.logs());
    script = home.resolve("lab.sh");
    try (InputStream in = LabBoot.class.getResourceAsStream("lab.sh")) {
      Files.write(script, in.readAllBytes());
    }
  }

  @AfterEach
  void killAll() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void aProcessIsInItsGroupAndOnRecordBeforeItsFirstInstruction() throws Exception {
    Path group = Files.createDirectories(home.resolve("group"));

    Process sleeper = startInLab("n1-datanode", group);
    awaitFile(group.resolve("cgroup.procs"));

    assertThat(Files.readString(group.resolve("cgroup.procs")).strip())
        .isEqualTo(Long.toString(sleeper.pid()));
    assertThat(new Processes(dir).pid("n1-datanode")).hasValue(sleeper.pid());
  }

  @Test
  void aPidThatSomeoneElseHasByNowIsNotOurs() throws IOException {
    long self = ProcessHandle.current().pid();
    Files.writeString(dir.pid("master"), self + " 1");

    assertThat(new Processes(dir).alive("master")).isFalse();
    LabBoot.clean(dir, false);
    assertThat(ProcessHandle.current().isAlive()).isTrue();
  }

  @Test
  void cleaningEndsAllProcessesAlsoThoseWithoutAPidFile() throws Exception {
    Process known = startInLab("master");
    Process lost = startInLab("zookeeper");
    awaitFile(dir.pid("master"));
    awaitFile(dir.pid("zookeeper"));
    Files.delete(dir.pid("zookeeper"));
    Files.writeString(dir.cgroups(), home.resolve("gone") + "\n");

    LabBoot.clean(dir, false);

    assertThat(known.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(lost.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(dir.root()).doesNotExist();
  }

  @Test
  void cleaningRemovesControlGroups() throws IOException {
    Path group = Files.createDirectories(home.resolve("trimtab-group"));
    Files.writeString(dir.cgroups(), group + "\n");

    LabBoot.clean(dir, false);

    assertThat(group).doesNotExist();
  }

  @Test
  void cleaningGivesBackTheMemoryOfBucketCachesAndTouchesNothingElse() throws IOException {
    Path caches = Files.createDirectories(home.resolve("trimtab-lab-s1"));
    Files.writeString(caches.resolve("n1-regionserver"), "blocks");
    Files.writeString(dir.memory(), caches + "\n");
    LabBoot.clean(dir, false);
    assertThat(caches).doesNotExist();

    Path other = Files.createDirectories(home.resolve("somebody-elses"));
    Files.createDirectories(dir.run());
    Files.writeString(dir.memory(), other + "\n");
    LabBoot.clean(dir, false);
    assertThat(other).exists();
  }

  private Path note() {
    return home.resolve("note");
  }

  /** A lab with one group that needs delay accounting, which was off before the first one. */
  private Path accounted(LabDir lab) throws IOException {
    Path setting = Files.writeString(home.resolve("task_delayacct"), "1\n");
    Files.writeString(note(), setting + "\n");
    Files.writeString(lab.delayAccounting(), note() + "\n");
    Path group = group("trimtab-" + lab.root().getFileName().toString().replace(' ', '-'));
    Files.writeString(lab.cgroups(), group + "\n");
    return setting;
  }

  private Path group(String name) throws IOException {
    return Files.createDirectories(home.resolve("tree").resolve(name));
  }

  @Test
  void delayAccountingIsSwitchedOffAfterTheLastLab() throws IOException {
    Path setting = accounted(dir);
    LabDir without = new LabDir(home.resolve("a lab without groups"));
    Files.createDirectories(without.run());
    // What is left of a lab that was killed needs nothing.
    Files.createFile(group("trimtab-killed").resolve("cgroup.procs"));

    LabBoot.clean(dir, false);

    assertThat(setting).hasContent("0");
    assertThat(note()).doesNotExist();
  }

  @Test
  void aStartThatFailedSwitchesItOffToo() throws IOException {
    Path setting = accounted(dir);

    LabBoot.clean(dir, true);

    assertThat(setting).hasContent("0");
  }

  @Test
  void delayAccountingStaysForOtherLabs() throws IOException {
    Path setting = accounted(dir);
    // Of another home, or another user.
    Path theirs = Files.writeString(group("trimtab-theirs").resolve("cgroup.procs"), "1\n");

    LabBoot.clean(dir, false);
    assertThat(setting).hasContent("1");
    assertThat(note()).exists();

    Files.writeString(theirs, "");
    LabDir last = new LabDir(home.resolve("last"));
    Files.createDirectories(last.run());
    accounted(last);
    LabBoot.clean(last, false);
    assertThat(setting).hasContent("0");
  }

  @Test
  void theNoteStaysWhereTheSwitchCannotBeWritten() throws IOException {
    Path setting = accounted(dir);
    // Root may write everything but this.
    Files.delete(setting);
    Files.createDirectory(setting);

    LabBoot.clean(dir, false);

    assertThat(note()).exists();
  }

  @Test
  void logsOfAFailedStartAreKeptButNoKeys() throws IOException {
    Files.writeString(dir.log("master"), "why");
    Files.createDirectories(dir.secure());
    Files.writeString(dir.secure().resolve("trimtab.keytab"), "keys");
    Files.writeString(dir.state(), "{}");

    LabBoot.clean(dir, true);

    assertThat(dir.log("master")).hasContent("why");
    assertThat(dir.state()).doesNotExist();
    assertThat(dir.run()).doesNotExist();
    assertThat(dir.secure()).doesNotExist();
  }

  @Test
  void logsOfAProcessThatEndedByItselfAreKept() throws Exception {
    Process dead = startInLab("n1-regionserver");
    awaitFile(dir.pid("n1-regionserver"));
    dead.destroyForcibly().waitFor();
    Process stopped = startInLab("master");
    awaitFile(dir.pid("master"));
    new Processes(dir).kill("master");
    assertThat(stopped.waitFor(10, TimeUnit.SECONDS)).isTrue();
    Files.writeString(dir.log("n1-regionserver"), "why");

    String said = LabBoot.clean(dir, false);

    Path kept = home.resolve(".lab with blank-lost");
    assertThat(said)
        .isEqualTo(
            "these processes had ended by themselves: n1-regionserver; the logs are in " + kept);
    assertThat(kept.resolve("n1-regionserver.log")).hasContent("why");
    assertThat(dir.root()).doesNotExist();
  }

  @Test
  void nothingStartsInALabThatIsBeingCleaned() throws Exception {
    Files.createFile(dir.run().resolve("closing"));

    Process refused = startInLab("master");

    assertThat(refused.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(refused.exitValue()).isEqualTo(1);
  }

  @Test
  void theGuardCleansUpWhenTheOwnerIsKilled() throws Exception {
    Process owner = run(List.of("sleep", "300"));
    Process member = startInLab("master");
    awaitFile(dir.pid("master"));
    Process guard = watch(owner);

    owner.destroyForcibly();

    assertThat(guard.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(member.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(dir.root()).doesNotExist();
  }

  @Test
  void theGuardRetiresWhenTheLabIsToStay() throws Exception {
    Process owner = run(List.of("sleep", "300"));
    Process member = startInLab("master");
    awaitFile(dir.pid("master"));
    Process guard = watch(owner);

    Files.createFile(dir.keep());

    assertThat(guard.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(member.isAlive()).isTrue();
    assertThat(dir.root()).exists();
  }

  @Test
  void theGuardLeavesALabThatHasAnotherOwnerByNow() throws Exception {
    Process owner = run(List.of("sleep", "300"));
    Process member = startInLab("master");
    awaitFile(dir.pid("master"));
    Process guard = watch(owner);

    Files.writeString(dir.owner(), "1 1");

    assertThat(guard.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(member.isAlive()).isTrue();
  }

  private Process watch(Process owner) throws IOException {
    String start = Processes.startTicks(owner.pid());
    Files.writeString(dir.owner(), owner.pid() + " " + start);
    return run(
        List.of(
            "sh",
            script.toString(),
            "watch",
            dir.root().toString(),
            Long.toString(owner.pid()),
            start));
  }

  private Process startInLab(String name, Path... groups) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("sh", script.toString(), "start", dir.root().toString(), name));
    for (Path group : groups) {
      command.add(group.toString());
    }
    command.addAll(List.of("--", "sleep", "300"));
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("TRIMTAB_LAB", dir.root().toString());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private Process run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    started.add(process);
    return process;
  }

  private static void awaitFile(Path file) {
    for (int i = 0; file.toFile().length() == 0 && i < 1000; i++) {
      Processes.sleep(10);
    }
    assertThat(file).isNotEmptyFile();
  }
}
