package io.trimtab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileProblemTest {
  @TempDir private Path folder;

  private static String problem(ThrowingCallable use) {
    return FileProblem.of(catchThrowableOfType(IOException.class, use));
  }

  /** Root may read everything, so that this one can't be provoked wherever tests run. */
  @Test
  void aMissingPermissionIsNamed() {
    assertThat(FileProblem.of(new AccessDeniedException("/etc/x"))).isEqualTo("no permission");
  }

  @Test
  void whatTheFileSystemRefusesIsSaidWithoutTheNameAgain() throws IOException {
    Path file = Files.write(folder.resolve("a"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(problem(() -> Files.readString(file, StandardCharsets.UTF_8)))
        .isEqualTo("it is not UTF-8 text");
    assertThat(problem(() -> Files.createDirectories(file))).isEqualTo("it exists already");
    assertThat(problem(() -> Files.createDirectories(file.resolve("b"))))
        .doesNotContain(folder.toString());
    assertThat(problem(() -> Files.newDirectoryStream(file))).isEqualTo("it is no folder");
    assertThat(problem(() -> Files.delete(folder))).isEqualTo("it is not empty");
    assertThat(problem(() -> Files.delete(folder.resolve("none"))))
        .isEqualTo("no such file or folder");
    assertThat(problem(() -> Files.readString(folder))).isEqualTo("Is a directory");
    assertThat(FileProblem.of(new FileSystemException("/x", null, "No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(FileProblem.of(new IOException())).isEqualTo("IOException");
  }
}
