package io.trimtab.experiments.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.NodeId;
import io.trimtab.experiments.report.KeptRuns;
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

  @Test
  void aLevelThatIsLostAgainDoesNotStay() {
    RivalRun.PhaseResult dip = phase("d", steps(60, 200, 50, 200), steps(60, 200, 50, 200));
    RivalRun.PhaseResult steady = phase("s", steps(60, 200), steps(60, 200));
    RivalRun.PhaseResult falls = phase("f", steps(60, 200, 50), steps(60, 200, 50));

    assertThat(dip.settled()).isEqualTo(RivalRun.WINDOW);
    // Half a minute with four seconds of the dip is at nine tenths.
    assertThat(dip.steady()).isBetween(116, 117);
    assertThat(steady.steady()).isZero();
    assertThat(falls.steady()).isEqualTo(120);
  }

  @Test
  void whatIsMovedIsToldForEachPercentGained() {
    RivalRun run = run(Rival.MET, 1);

    assertThat(run.gibPerPercent(1)).isNaN();
    assertThat(run.gain(2)).isCloseTo(1.5, within(1e-9));
    assertThat(run.gibPerPercent(2)).isCloseTo(5.0 / 1024 / 50, within(1e-9));
    assertThat(run.least(2)).isCloseTo(600.0 / 500, within(1e-9));
    assertThat(run.worstTenant(2)).isCloseTo(0.75, within(1e-9));
  }

  @Test
  void aTenantWhoseLoadHasChangedHasNoLoss() {
    RunResult before = result(Map.of("a", steps(60, 100), "c", steps(60, 1000)));
    RunResult changed = result(Map.of("a", steps(60, 90), "c", steps(60, 10)));
    RivalRun.PhaseResult first = new RivalRun.PhaseResult("1", before, Map.of(), 0, 0, null);
    RivalRun.PhaseResult third = new RivalRun.PhaseResult("3", changed, Map.of(), 0, 0, null);
    List<RivalRun.PhaseResult> phases = List.of(first, first, third);
    RivalRun run = new RivalRun("met", 1, 1, phases, 0, List.of(), "", "", "", null, null);

    assertThat(run.worstTenant(2)).isCloseTo(0.9, within(1e-9));
    assertThat(third.compactedMib()).isNaN();
  }

  private static RunResult result(Map<String, double[]> series) {
    return new RunResult("", 1, series, 30, 60, 0, 0, 0, 0, 0);
  }

  @Test
  void aRestartedServersCompactionsCountFromItsRestart() {
    NodeId one = new NodeId("a:1");
    NodeId two = new NodeId("b:1");
    NodeId three = new NodeId("c:1");

    assertThat(Phases.since(Map.of(one, 10L, two, 10L), Map.of(one, 15L, two, 3L, three, 2L)))
        .isEqualTo(5 + 3 + 2);
  }

  @Test
  void nodesWithABucketCacheHaveTablesOfTheirOwn() throws IOException {
    Path written =
        new RivalReport(folder, 1, 7, List.of("five nodes"))
            .write(
                List.of(
                    run(Rival.AUTOPILOT, 1),
                    run(Rival.BALANCER_ON_BUCKET_CACHES, 1),
                    run(Rival.CACHE_AWARE, 1)));
    List<String> lines = Files.readAllLines(written);

    assertThat(lines).contains("## badly placed", "## Bucket cache: badly placed");
    assertThat(lines.subList(0, lines.indexOf("## On nodes with a bucket cache")))
        .noneMatch(line -> line.contains("bucket caches"));
    List<String> aware =
        lines.stream().filter(line -> line.startsWith("| " + Rival.CACHE_AWARE)).toList();
    assertThat(aware).hasSize(3);
    assertThat(aware.get(1))
        .contains("| 200 (200–200) | 1.00 (1.00–1.00) | 1.00 (1.00–1.00) |")
        .endsWith("| 5 (5–5) | – | 7 (7–7) |");
    // Neither of the balancers that it is compared with has been measured.
    assertThat(lines).anyMatch(line -> line.startsWith("| autopilot | 200 (200–200) | – | – |"));
  }

  @Test
  void aRunThatFailedIsToldAndStaysMissing() throws IOException {
    RivalRun failed =
        new RivalRun(
            "met",
            1,
            1,
            List.of(phase("before", steps(60, 100), steps(60, 400))),
            0,
            List.of(),
            "",
            "2026-11-26",
            "a machine",
            List.of(),
            "n2-regionserver has ended");
    List<String> lines =
        Files.readAllLines(new RivalReport(folder, 1, 7, List.of()).write(List.of(failed)));

    assertThat(lines)
        .contains("**Failed, or reads were wrong or lost (see Data):** met, run 1.")
        .anyMatch(line -> line.startsWith("**Runs that are missing:**") && line.contains("met: 1"))
        .anyMatch(line -> line.endsWith("**failed after phase 1**: n2-regionserver has ended"))
        .noneMatch(line -> line.startsWith("| met |"));
  }

  /** As they were kept before there were nodes with a bucket cache. */
  @Test
  void olderRunsAreContinued() throws IOException {
    Files.writeString(
        folder.resolve("runs.json"),
        """
        {"setting": ["five nodes"], "runs": [{"rival": "met", "run": 1, "seed": 7, "phases": [
          {"title": "before", "p99Ms": {"a": 4.0}, "moves": 3, "movedBytes": 5, "result":
            {"label": "l", "seed": 7, "opsPerSecond": {"a": [1.0, 2.0]}, "measureFrom": 0,
             "measureTo": 2, "errors": 0, "retries": 0, "wrong": 0, "lost": 0,
             "longestErrorSeconds": 0}}],
          "plans": 1, "actions": ["moved"], "verified": "all", "day": "d", "machine": "m"}]}
        """);

    RivalRun run = KeptRuns.read(folder, RivalRun.class, "RIVALS").runs().get(0);

    assertThat(run.failure()).isEmpty();
    assertThat(run.cached()).isEmpty();
    assertThat(run.before().compactedMib()).isNaN();
    assertThat(run.before().moves()).isEqualTo(3);
  }

  @Test
  void theBalancerThatIsNamedExists() throws ClassNotFoundException {
    String name = Rival.CACHE_AWARE.site().get("hbase.master.loadbalancer.class");

    assertThat(Class.forName(name, false, getClass().getClassLoader()).getSimpleName())
        .isEqualTo("CacheAwareLoadBalancer");
    assertThat(Rival.on(false)).hasSize(5).noneMatch(Rival::bucketCache);
    assertThat(Rival.BALANCER_ON_BUCKET_CACHES.site())
        .containsEntry("hbase.rs.prefetchblocksonopen", "true")
        .doesNotContainKey("hbase.master.loadbalancer.class");
  }
}
