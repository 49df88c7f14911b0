package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.trimtab.controller.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.util.diff.Delta;
import org.assertj.core.util.diff.DiffUtils;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** What a scenario's commands print; its file is in a folder of its own. */
  private static List<String> printed(Path folder, String... lines) throws Exception {
    Path file = Files.write(folder.resolve("scenario.txt"), List.of(lines));
    try (ScenarioRun run = new ScenarioRun(Scenario.read(file))) {
      return run.outputs();
    }
  }

  /** Settings of a policy that keeps the agreement in the folder of the scenarios. */
  private static String withAgreement(String policy) {
    Path given = FOLDER.toAbsolutePath();
    return """
        settings
          policy: %s
          slo:
            sla: "%s"
            tables: ["%s"]
            checks: 10
            listen: "127.0.0.1:0"\
        """
        .formatted(policy, given.resolve("sla.yaml"), given.resolve("provisioning.csv"));
  }

  /** That a node joined a ring of equal parts, and that each of the four has its share. */
  private static void assertGrown(List<String> printed) {
    assertThat(printed.get(0))
        .containsPattern("add-node +new-1 as HOMOGENEOUS\\R")
        .contains("the engine chooses its tokens: nodes claim equal parts of the ring")
        .contains("plan done: ");
    assertThat(Pattern.compile("cleanup +node00[123]:9042").matcher(printed.get(0)).results())
        .as("those that have handed something off")
        .hasSize(3);
    List<Double> usage =
        Pattern.compile("(?m)^node00\\d:9042 HOMOGENEOUS, usage (\\d\\.\\d\\d)$")
            .matcher(printed.get(1))
            .results()
            .map(node -> Double.valueOf(node.group(1)))
            .sorted()
            .toList();
    assertThat(usage).hasSize(4);
    assertThat(usage.get(3)).isLessThanOrEqualTo(1.15 * usage.get(0) + 0.01);
  }

  /** Riak's ownership; met-1's plan is in {@code claimed-grows.txt}. */
  @ParameterizedTest
  @ValueSource(strings = {"met", "autopilot", "tiramola"})
  void aRingOfEqualPartsGrowsEvenlyByEveryPolicyThatGoesByLoad(String policy, @TempDir Path folder)
      throws Exception {
    assertGrown(
        printed(
            folder,
            "cluster claimed nodes=3 copies=2 profiles=restart",
            "table shop.orders size=512m reads=33000",
            "settings",
            "  policy: " + policy,
            "  guard: {maxNodes: 4}",
            "> act for 40m",
            "> show"));
  }

  /** Riak's ownership, whose clients wait longer than was agreed. */
  @Test
  void aRingOfEqualPartsGrowsEvenlyByItsAgreement(@TempDir Path folder) throws Exception {
    List<String> printed =
        printed(
            folder,
            "cluster claimed nodes=3 copies=2 profiles=restart",
            "table shop.orders size=512m reads=12000",
            withAgreement("slo"),
            "  guard: {cooldown: 1m, maxNodes: 4}",
            "> clients 300 60ms 12MB/s",
            "> act for 20m",
            "> show");
    assertGrown(printed.subList(1, 3));
  }

  /**
   * By the tables 300 clients need 4 nodes for 40 ms, and for 36, which leave a tenth; two would do
   * for what nodes are used.
   */
  @Test
  void theAutopilotGivesAnAgreementItsNodesAndKeepsThem(@TempDir Path folder) throws Exception {
    List<String> printed =
        printed(
            folder,
            "cluster assigned nodes=2",
            "table orders partitions=12 size=512m reads=4000",
            withAgreement("autopilot"),
            "  guard: {cooldown: 1m, minNodes: 2}",
            "> clients 300 95ms 12MB/s",
            "> act for 6m",
            "> clients 300 20ms 12MB/s",
            "> act for 15m");
    assertThat(printed.get(1))
        .containsPattern("plan \\S+, policy autopilot\\R")
        .containsPattern("add-node +new-2 as ")
        .contains("shop: mean response time 95.0 ms > 40.0")
        .contains("by the tables it takes 4 nodes")
        .contains("plan done: ");
    assertThat(printed.get(3))
        .contains("to give nodes back is refused: agreement shop needs 4 nodes")
        .doesNotContain("remove-node");
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
