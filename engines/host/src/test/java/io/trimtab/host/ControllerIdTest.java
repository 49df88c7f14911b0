package io.trimtab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerIdTest {
  private static final ControllerId SELF = ControllerId.of(ProcessHandle.current(), "me");

  @Test
  void survivesTheWayThroughZooKeeper() {
    assertThat(ControllerId.parse(SELF.text())).isEqualTo(SELF);
    assertThat(SELF.text().split("\n")).hasSize(5);
  }

  @Test
  void aRunningProcessHasNotDied() {
    assertThat(SELF.diedBeside(SELF)).isFalse();
  }

  @Test
  void aProcessThatEndedHereHasDied() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("sleep", "60").start();
    ControllerId holder = ControllerId.of(process.toHandle(), "gone");
    assertThat(holder.diedBeside(SELF)).isFalse();
    process.destroyForcibly().waitFor();

    assertThat(holder.diedBeside(SELF)).isTrue();
  }

  @Test
  void aNumberThatAnotherProcessGotHasDied() {
    ControllerId earlier =
        new ControllerId(
            SELF.machine(), SELF.pid(), SELF.startedTicks() - 6_000, SELF.host(), "earlier");

    assertThat(earlier.diedBeside(SELF)).isTrue();
  }

  @Test
  void aProcessOfAnotherMachineCantBeJudged() {
    ControllerId elsewhere =
        new ControllerId("another machine", 999_999_999, 1, "far.example", "them");

    assertThat(elsewhere.diedBeside(SELF)).isFalse();
    assertThat(elsewhere).hasToString("them (far.example:999999999)");
  }

  @Test
  void whatCantBeReadBelongsToSomeoneElse() {
    assertThat(ControllerId.parse("what\never").diedBeside(SELF)).isFalse();
    assertThat(ControllerId.parse("what\never").toString()).doesNotContain("\n");
  }

  /** For want of file handles, for example. */
  @Test
  void aProcessWhoseStateCantBeReadMayLive(@TempDir Path proc) throws IOException {
    Path stat = Files.createDirectories(proc.resolve(SELF.pid() + "/stat"));
    assertThat(SELF.diedBeside(SELF, proc)).as("no file").isFalse();
    Files.delete(stat);
    Files.writeString(stat, "");
    assertThat(SELF.diedBeside(SELF, proc)).as("empty").isFalse();
    Files.delete(stat);
    assertThat(SELF.diedBeside(SELF, proc)).as("gone").isTrue();
  }

  /** Where /proc hides the processes of other users, a living one looks like none. */
  @Test
  void aProcessOfAnotherUserCantBeJudged() throws IOException {
    String uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    assertThat(SELF.machine()).endsWith("/" + uid);
    String otherUsers = SELF.machine().replaceAll("[0-9]+$", Integer.parseInt(uid) + 1 + "");
    ControllerId other =
        new ControllerId(otherUsers, 999_999_999, SELF.startedTicks(), SELF.host(), "eve");
    assertThat(other.diedBeside(SELF)).isFalse();
  }

  @Test
  void aMachineThatIsNotKnownIsNotTheSame() {
    ControllerId unknown = new ControllerId("", 999_999_999, -1, SELF.host(), "eve");
    assertThat(unknown.diedBeside(new ControllerId("", 1, -1, SELF.host(), "me"))).isFalse();
  }

  @Test
  void aRunningProcessWithoutAStartTimeHasNotDied() {
    ControllerId unknown = new ControllerId(SELF.machine(), SELF.pid(), -1, SELF.host(), "me");
    assertThat(unknown.diedBeside(SELF)).isFalse();
  }
}
