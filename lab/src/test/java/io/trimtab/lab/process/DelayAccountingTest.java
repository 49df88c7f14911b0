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

  private Path pointer() {
    return folder.resolve("pointer");
  }

  @Test
  void whatWasOffIsSwitchedOnAndNoted() throws IOException {
    Path setting = Files.writeString(folder.resolve("task_delayacct"), "0\n");

    DelayAccounting.switchOn(setting, note(), pointer());
    assertThat(setting).hasContent("1");
    assertThat(note()).hasContent(setting.toString());

    assertThat(pointer()).hasContent(note().toString());

    // A second node finds it on, and notes nothing; the file tells that it did not.
    Files.delete(note());
    DelayAccounting.switchOn(setting, note(), pointer());
    assertThat(note()).doesNotExist();
  }

  @Test
  void whatWasOnIsNotSwitchedOffLater() throws IOException {
    Path setting = Files.writeString(folder.resolve("task_delayacct"), "1\n");
    DelayAccounting.switchOn(setting, note(), pointer());
    assertThat(note()).doesNotExist();
    assertThat(pointer()).as("another lab may have switched it on").exists();
  }

  @Test
  void aKernelWithoutTheSwitchIsLeftAlone() {
    DelayAccounting.switchOn(folder.resolve("task_delayacct"), note(), pointer());
    assertThat(folder).isEmptyDirectory();
  }
}
