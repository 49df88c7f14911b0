package io.trimtab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.snapshot.DiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDisksTest {
  @TempDir Path folder;

  @Test
  void aFileSystemWithTwoFoldersCountsOnce() throws IOException {
    Path one = Files.createDirectory(folder.resolve("one"));
    Path two = Files.createDirectory(folder.resolve("two"));
    DiskSpace disk = LocalDisks.of(List.of(one, two), 7);
    assertThat(disk.known()).isTrue();
    assertThat(disk.storedBytes()).isEqualTo(7);
    assertThat(disk.usedBytes()).isLessThan(disk.capacityBytes());
    assertThat(disk.capacityBytes()).isBetween(1L, Files.getFileStore(folder).getTotalSpace());
  }

  @Test
  void whatCanNotBeAskedIsNotTakenForEmpty() throws IOException {
    assertThat(LocalDisks.of(List.of(), 7)).isEqualTo(new DiskSpace(-1, -1, 7));
    assertThatThrownBy(() -> LocalDisks.of(List.of(folder.resolve("none")), 7))
        .isInstanceOf(NoSuchFileException.class);
  }
}
