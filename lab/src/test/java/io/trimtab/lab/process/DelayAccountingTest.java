package io.trimtab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a plain file in place of the kernel's. */
class DelayAccountingTest {
  @TempDir Path folder;

  private Path note() {
    return folder.resolve("note");
  }

  @Test
  void whatWasOffIsSwitchedOnAndNoted() throws IOException {
    Path setting = Files.writeString(folder.resolve("task_delayacct"), "0\n");

    DelayAccounting.switchOn(setting, note());
    assertThat(setting).hasContent("1");
    assertThat(note()).hasContent(setting.toString());

    // A second node.
    DelayAccounting.switchOn(setting, note());
    assertThat(note()).hasContent(setting.toString());
  }

  @Test
  void whatWasOnIsNotSwitchedOffLater() throws IOException {
    Path setting = Files.writeString(folder.resolve("task_delayacct"), "1\n");
    DelayAccounting.switchOn(setting, note());
    assertThat(note()).doesNotExist();
  }

  @Test
  void aKernelWithoutTheSwitchIsLeftAlone() {
    DelayAccounting.switchOn(folder.resolve("task_delayacct"), note());
    assertThat(folder).isEmptyDirectory();
  }
}
