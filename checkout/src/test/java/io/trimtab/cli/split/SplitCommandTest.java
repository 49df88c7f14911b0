package io.trimtab.cli.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.cli.Main;
import io.trimtab.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SplitCommandTest {
  @TempDir private Path folder;

  private Path keys(String text) throws IOException {
    return Files.writeString(folder.resolve("keys.txt"), text);
  }

  private Path uniform(int requests) throws IOException {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < requests; i++) {
      text.append("user%05d\n".formatted(random.nextInt(1_000)));
    }
    return keys(text.toString());
  }

  @Test
  void theKeyWhereRequestsHalveIsFound() throws IOException {
    Path keys = uniform(5_000);
    Run run = Run.of("split", "--keys", keys.toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("verdict    split");
    // Sketches draw by chance: what is promised is the bound that is told.
    String key = told(run, "splitKey");
    double bound = Double.parseDouble(told(run, "bound"));
    List<String> all = Files.readAllLines(keys);
    long left = all.stream().filter(k -> k.compareTo(key) < 0).count();
    assertThat((double) left / all.size()).isCloseTo(0.5, within(bound));
    assertThat(bound).isLessThan(0.05);
  }

  private static String told(Run run, String name) {
    return run.out()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length()).strip())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void numbersAreAlikeInEveryLanguage() throws IOException {
    Path keys = uniform(5_000);
    Locale before = Locale.getDefault();
    try {
      for (String language : List.of("de-DE", "ar-EG")) {
        Locale.setDefault(Locale.forLanguageTag(language));
        Run run = Run.of("split", "--keys", keys.toString());
        assertThat(told(run, "leftShare")).as(language).matches("0[.][0-9]{3}");
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void jsonTellsTheVerdictAndTheTrace() throws IOException {
    Run run = Run.of("split", "--keys", uniform(5_000).toString(), "--json", "--trace", "1000");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("\"verdict\" : \"split\"", "\"leftShare\" : 0.", "\"verdict\" : \"wait\"")
        .contains("\"requests\" : 5000");
  }

  @Test
  void theThesisEstimatorsAnswerToo() throws IOException {
    Path file = uniform(5_000);
    for (String name : new String[] {"linear", "exponential", "pingpong"}) {
      Run run = Run.of("split", "--keys", file.toString(), "--estimator", name, "--json");
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains("\"splitKey\"", "\"leftShare\"");
    }
  }

  @Test
  void weightsStandForRepeatedRequests() throws IOException {
    Run run = Run.of("split", "--weights", "--keys", keys("a\t9000\nb\t100\n").toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("unsplittable-hot-key", "splitKey   a");
  }

  @Test
  void binaryKeysAreDigits() throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      text.append("00ff%04x\n".formatted(random.nextInt(4_096)));
    }
    Run run = Run.of("split", "--hex", "--keys", keys(text.toString()).toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).containsPattern("splitKey +00ff0[78][0-9a-f]{2}");
  }

  @Test
  void whatIsWrongIsNamedWithItsLine() throws IOException {
    refused("no such file", "split", "--keys", folder.resolve("none").toString());
    refused("keys.txt: has no keys", "split", "--keys", keys("").toString());
    refused(
        "keys.txt:2: a row key must not be empty", "split", "--keys", keys("a\n\nb\n").toString());
    refused("keys.txt:1: not hexadecimal", "split", "--hex", "--keys", keys("xyz\n").toString());
    refused("keys.txt:1: a line must be", "split", "--weights", "--keys", keys("a\n").toString());
    refused("--pairs must be", "split", "--pairs", "0", "--keys", keys("a\n").toString());
  }

  private static void refused(String message, String... args) {
    Run run = Run.of(args);
    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(Main.REFUSED);
    assertThat(run.err()).contains(message).doesNotContain("\tat ");
  }
}
