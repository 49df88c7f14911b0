package io.trimtab.experiments.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelRivalsTest {
  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private Path run(int seeds, String... rivals) throws Exception {
    return run(7, seeds, rivals);
  }

  private Path run(long seed, int seeds, String... rivals) throws Exception {
    Order order =
        new Order(
            seeds,
            seed,
            folder,
            Optional.empty(),
            "lab",
            KeptRuns.Start.NEW,
            List.of(rivals),
            Optional.empty(),
            Duration.ofHours(1));
    Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8), false);
    return new ModelRivals(console, order).run();
  }

  @Test
  void eachSeedIsALineOfTheReportWhichSaysThatItIsAModel() throws Exception {
    List<String> lines = Files.readAllLines(run(2, "none"));

    assertThat(lines)
        .anyMatch(line -> line.startsWith("**A model, not a measurement**"))
        .anyMatch(line -> line.matches("\\| none \\| 7 \\| \\d+ \\| – \\| .*; 0 \\+ 0 \\|"))
        .anyMatch(line -> line.startsWith("| none | 8 | "));
    // The mean of both, with the range.
    assertThat(lines)
        .anyMatch(
            line ->
                line.matches(
                    "\\| none \\| – \\| – \\| \\d\\.\\d\\d \\(\\S+–\\S+\\)"
                        + " \\| [a-f] \\S+; mean \\S+ \\| .* \\| 0 \\+ 0 \\|"));
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("none, 7, ", "none, 8, ");
    assertThat(folder.resolve("results.json")).exists();
  }

  @Test
  void theAutopilotIsInCharge() throws Exception {
    // A start by which one node is asked for much more than the others.
    List<String> lines = Files.readAllLines(run(12, 1, "autopilot"));

    assertThat(lines)
        .filteredOn(line -> line.startsWith("| autopilot | 12 |"))
        .singleElement()
        .asString()
        // The first plan has ended, and has moved or changed something.
        .doesNotContain("| – |")
        .doesNotMatch(".*; 0 \\+ 0 \\|[^;]*; 0 \\+ 0 \\|[^;]*; 0 \\+ 0 \\|");
  }
}
