package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.trimtab.controller.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.util.diff.Delta;
import org.assertj.core.util.diff.DiffUtils;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Scenarios that a person can read, with the plans that are made of them. With {@code
 * -Dtrimtab.scenarios=rewrite} the files get what is printed now.
 */
@Timeout(120)
class ScenariosTest {
  private static final Path FOLDER = Path.of("src/test/resources/scenarios");
  private static final boolean REWRITE =
      "rewrite".equals(System.getProperty("trimtab.scenarios", ""));

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.toAbsolutePath())) {
      return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
    }
  }

  @TestFactory
  List<DynamicTest> scenarios() throws IOException {
    return files().stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)))
        .toList();
  }

  private static void check(Path file) throws Exception {
    Scenario scenario = Scenario.read(file);
    List<String> found;
    try (ScenarioRun run = new ScenarioRun(scenario)) {
      found = scenario.with(run.outputs());
    }
    if (REWRITE) {
      Files.write(file, found);
    } else if (!found.equals(scenario.text())) {
      fail(difference(file, scenario.text(), found));
    }
  }

  static String difference(Path file, List<String> expected, List<String> found) {
    String lines =
        DiffUtils.diff(expected, found).getDeltas().stream()
            .map(ScenariosTest::said)
            .collect(Collectors.joining());
    return file.getFileName()
        + " prints something else (- expected, + found):\n"
        + lines
        + "If that is as it should be: -Dtrimtab.scenarios=rewrite";
  }

  private static String said(Delta<String> delta) {
    StringBuilder text =
        new StringBuilder("line " + (delta.getOriginal().getPosition() + 1) + "\n");
    delta.getOriginal().getLines().forEach(line -> text.append("- ").append(line).append('\n'));
    delta.getRevised().getLines().forEach(line -> text.append("+ ").append(line).append('\n'));
    return text.toString();
  }

  @Test
  void aDifferenceIsToldByItsLines() {
    assertThat(difference(Path.of("x.txt"), List.of("a", "b", "c"), List.of("a", "d", "c")))
        .startsWith("x.txt prints something else")
        .contains("line 2\n- b\n+ d\nIf that");
  }

  /** A policy that no scenario shows would change unseen. */
  @Test
  void everyPolicyHasAScenarioWithAPlan() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path file : files()) {
      all.append(Files.readString(file));
    }
    for (String policy : Policies.ALL.names()) {
      assertThat(all.toString()).containsPattern("(?m)^plan \\S+, policy " + policy + "\\R");
    }
  }
}
