package io.trimtab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  /** A disk that tells what a crash would leave when it is asked to keep something. */
  private final class Told implements WholeFile.Disk {
    final List<String> kept = new ArrayList<>();
    private final Path file;

    Told(Path file) {
      this.file = file;
    }

    @Override
    public void file(Path part) throws IOException {
      kept.add(Files.readString(part) + " before " + Files.readString(file));
    }

    @Override
    public void folder(Path of) {
      assertThat(of).isEqualTo(folder);
      assertThat(file).hasContent("new");
      kept.add("the name");
    }
  }

  @Test
  void theContentIsOnTheDiskBeforeItHasTheName() throws IOException {
    Path file = Files.writeString(folder.resolve("notes"), "old");
    Told disk = new Told(file);
    WholeFile.replace(file, NEW, disk);
    assertThat(disk.kept).containsExactly("new before old", "the name");
  }

  @Test
  void aDiskThatIsFullLeavesWhatWasThere() throws IOException {
    Path file = Files.writeString(folder.resolve("notes"), "old");
    WholeFile.Disk full =
        new WholeFile.Disk() {
          @Override
          public void file(Path part) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public void folder(Path of) {
            throw new IllegalStateException("nothing has a new name");
          }
        };
    assertThatThrownBy(() -> WholeFile.replace(file, NEW, full)).hasMessageContaining("No space");
    assertThat(file).hasContent("old");
    assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void onlyItsOwnerReadsAPrivateOne() throws IOException {
    Path file = folder.resolve("notes");
    PrivateFiles.replace(file, NEW);
    PrivateFiles.replace(file, NEW);
    assertThat(file).hasContent("new");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PrivateFiles.PERMISSIONS);
    assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
  }
}
