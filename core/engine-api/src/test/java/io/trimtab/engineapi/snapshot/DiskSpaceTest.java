package io.trimtab.engineapi.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiskSpaceTest {
  @Test
  void whatIsNotToldIsUnknown() {
    assertThat(DiskSpace.UNKNOWN.known()).isFalse();
    assertThat(new DiskSpace(0, 0, 0).known()).as("no disk has no capacity").isFalse();
    assertThat(new DiskSpace(10, -5, 0)).isEqualTo(new DiskSpace(10, -1, 0));
    assertThat(new DiskSpace(10, 0, -1).known()).isTrue();
  }

  @Test
  void aCapacityFromElsewhereIsForThoseThatTellNone() {
    assertThat(new DiskSpace(10, 5, 4).orOf(20)).isEqualTo(new DiskSpace(10, 5, 4));
    assertThat(new DiskSpace(-1, -1, 4).orOf(20)).isEqualTo(new DiskSpace(20, 4, 4));
    assertThat(DiskSpace.UNKNOWN.orOf(20).known()).isFalse();
  }
}
