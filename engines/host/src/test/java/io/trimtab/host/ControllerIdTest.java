package io.trimtab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

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
}
