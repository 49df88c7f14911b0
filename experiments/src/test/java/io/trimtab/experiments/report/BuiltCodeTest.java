package io.trimtab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuiltCodeTest {
  @TempDir private Path folder;

  private String digest(long at, String... namesAndContents) throws IOException {
    Path file = folder.resolve(at + ".jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (int i = 0; i < namesAndContents.length; i += 2) {
        JarEntry entry = new JarEntry(namesAndContents[i]);
        entry.setTime(at);
        jar.putNextEntry(entry);
        jar.write(namesAndContents[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      return BuiltCode.of(List.of(jar));
    }
  }

  @Test
  void onlyOtherClassesMakeAnotherBuild() throws IOException {
    String first = digest(1_000_000_000_000L, "a.class", "one", "b.class", "two", "x.txt", "text");
    assertThat(first).matches("[0-9a-f]{8}");
    assertThat(digest(1_100_000_000_000L, "x.txt", "other", "b.class", "two", "a.class", "one"))
        .isEqualTo(first);
    assertThat(digest(1_200_000_000_000L, "a.class", "one", "b.class", "three"))
        .isNotEqualTo(first);
    assertThat(digest(1_300_000_000_000L, "a.class", "one")).isNotEqualTo(first);
  }
}
