package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/safety.md names tests that exist, for every promise or "none yet". */
final class SafetyDocumentTest {
  private static final Path ROOT = Sources.root();
  private static final Pattern ROW =
      Pattern.compile("\\| (R?\\d+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|([^|]*)\\|");
  private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z]+)(?:\\.([a-zA-Z]+))?`");
  private static final int PROMISES = 30;

  @Test
  void everyPromiseNamesATestThatExists() throws IOException {
    List<Path> sources;
    try (Stream<Path> all = Files.walk(ROOT)) {
      sources =
          all.filter(p -> p.toString().endsWith(".java") && p.toString().contains("/src/"))
              .toList();
    }
    int promises = 0;
    for (String line : Sources.text(ROOT.resolve("docs").resolve("safety.md")).lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (!row.matches()) {
        continue;
      }
      promises++;
      Matcher test = TEST.matcher(row.group(4));
      boolean named = row.group(4).strip().equals("none yet");
      while (test.find()) {
        named = true;
        String file = test.group(1) + ".java";
        Path source =
            sources.stream()
                .filter(p -> p.getFileName().toString().equals(file))
                .findFirst()
                .orElseThrow(() -> new AssertionError(line + ": there is no " + file));
        if (test.group(2) != null) {
          assertThat(Sources.text(source)).as(line).contains(" " + test.group(2) + "(");
        }
      }
      assertThat(named).as(line).isTrue();
    }
    assertThat(promises).isEqualTo(PROMISES);
  }
}
