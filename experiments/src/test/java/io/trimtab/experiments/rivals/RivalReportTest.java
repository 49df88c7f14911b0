package io.trimtab.experiments.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.lab.testbed.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RivalReportTest {
  @TempDir private Path folder;

  /** So many seconds of each level, one after another. */
  private static double[] steps(int seconds, double... levels) {
    double[] series = new double[seconds * levels.length];
    for (int i = 0; i < levels.length; i++) {
      Arrays.fill(series, i * seconds, (i + 1) * seconds, levels[i]);
    }
    return series;
  }

  private static RivalRun.PhaseResult phase(String title, double[] a, double[] b) {
    RunResult result =
        new RunResult(title, 1, Map.of("a", a, "b", b), a.length - 30, a.length, 0, 0, 0, 0, 0);
    return new RivalRun.PhaseResult(
        title, result, Map.of("a", 4.0, "b", 16.0), 3, 5 << 20, 7L << 20);
  }

  private static RivalRun run(Rival rival, int number) {
    return new RivalRun(
        rival.toString(),
        number,
        1,
        List.of(
            phase("before", steps(60, 100), steps(60, 400)),
            phase("badly placed", steps(60, 50, 200, 200), steps(60, 400, 200, 200)),
            phase("c writes", steps(60, 300), steps(60, 300))),
        1,
        List.of("moved"),
        "all records are there",
        "2026-11-26",
        "a machine",
        List.of(),
        "");
  }

  @Test
  void aLevelIsTheGeometricMeanOverTenants() {
    RivalRun run = run(Rival.MET, 1);

    assertThat(run.before().level()).isCloseTo(200, within(1e-6));
    assertThat(run.before().sum()).isCloseTo(500, within(1e-6));
    assertThat(run.before().p99()).isCloseTo(8, within(1e-6));
    assertThat(run.before().worstP99()).isEqualTo(16);
  }

  @Test
  void theTenantThatLosesMostIsSeen() {
    RivalRun run = run(Rival.MET, 1);

    // a doubles, b halves.
    assertThat(run.worstTenant(1)).isCloseTo(0.5, within(1e-6));
  }

  @Test
  void aPhaseIsSettledOnceItsLevelIsNearItsBest() {
    RivalRun.PhaseResult slow = phase("s", steps(60, 50, 200, 200), steps(60, 50, 200, 200));
    RivalRun.PhaseResult steady = phase("s", steps(60, 200), steps(60, 200));

    assertThat(slow.best()).isCloseTo(200, within(1e-6));
    // Nine of ten seconds at 200 and one at 50 are 185: above nine tenths.
    assertThat(slow.settled()).isEqualTo(69);
    assertThat(steady.settled()).isEqualTo(RivalRun.WINDOW);
    assertThat(slow.least()).isCloseTo(100, within(1e-6));
  }

  @Test
  void theReportNamesRunsThatAreMissingAndComparesTheSameLoadOnly() throws IOException {
    Path written =
        new RivalReport(folder, 2, 7, List.of("five nodes"))
            .write(List.of(run(Rival.MET, 1), run(Rival.MET, 2), run(Rival.AUTOPILOT, 1)));
    List<String> lines = Files.readAllLines(written);

    assertThat(lines)
        .contains(
            "**Runs that are missing:** StochasticLoadBalancer: 2; StochasticLoadBalancer by"
                + " requests: 2; met-1: 2; autopilot: 1.");
    List<String> met = lines.stream().filter(line -> line.startsWith("| met |")).toList();
    assertThat(met).hasSize(3);
    assertThat(met.get(0)).contains("| – |");
    assertThat(met.get(1)).contains("| 200 (200–200) | 1.00 (1.00–1.00) |");
    assertThat(met.get(2)).contains("| 300 (300–300) | – |");
    assertThat(folder.resolve("run-1.png")).isNotEmptyFile();
  }
}
