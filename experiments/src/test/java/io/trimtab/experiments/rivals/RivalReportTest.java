package io.trimtab.experiments.rivals;

import static io.trimtab.experiments.rivals.Fixtures.level;
import static io.trimtab.experiments.rivals.Fixtures.phase;
import static io.trimtab.experiments.rivals.Fixtures.run;
import static io.trimtab.experiments.rivals.Fixtures.steps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.NodeId;
import io.trimtab.experiments.bed.PlanSpan;
import io.trimtab.experiments.report.KeptRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RivalReportTest {
  @TempDir private Path folder;

  private List<String> report(int runs, RivalRun... made) throws IOException {
    return Files.readAllLines(
        new RivalReport(folder, runs, 7, List.of("five nodes")).write(List.of(made)));
  }

  @Test
  void aLevelIsTheGeometricMeanOverTenants() {
    RivalRun run = run(Rival.MET, 1);

    assertThat(run.before().level()).isCloseTo(200, within(1e-6));
    assertThat(run.before().sum()).isCloseTo(500, within(1e-6));
    assertThat(run.before().p99()).isCloseTo(8, within(1e-6));
    assertThat(run.before().levelP99()).isCloseTo(6, within(1e-6));
    assertThat(run.before().worstLevelP99()).isEqualTo(18);
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
    RivalRun.PhaseResult steady = level("s", 200, 200);

    assertThat(slow.best()).isCloseTo(200, within(1e-6));
    // 26 seconds at 200 and four at 50 are nine tenths of 200, but for rounding.
    assertThat(slow.settled()).isBetween(86, 87);
    assertThat(steady.settled()).isEqualTo(RivalRun.WINDOW);
    assertThat(slow.least()).isCloseTo(100, within(1e-6));
  }

  @Test
  void theReportNamesRunsThatAreMissingAndComparesTheSameLoadOnly() throws IOException {
    List<String> lines = report(2, run(Rival.MET, 1), run(Rival.MET, 2), run(Rival.AUTOPILOT, 1));

    assertThat(lines)
        .contains(
            "**Runs that are missing:** none: 2; StochasticLoadBalancer: 2; StochasticLoadBalancer"
                + " by requests: 2; met-1: 2; autopilot: 1.");
    List<String> met = lines.stream().filter(line -> line.startsWith("| met |")).toList();
    assertThat(met).hasSize(3);
    assertThat(met.get(0)).contains("| – |");
    assertThat(met.get(1)).contains("| 200 (200–200) | 1.00 (1.00–1.00) |");
    assertThat(met.get(2)).contains("| 300 (300–300) | – |");
    assertThat(folder.resolve("run-1.png")).isNotEmptyFile();
  }

  @Test
  void theReportSaysWhereTheMachineItselfWasFull() throws IOException {
    Map<String, double[]> series = Map.of("a", steps(60, 100), "b", steps(60, 400));
    RivalRun run = run(Rival.MET, 1, phase("1", series, 0.6), phase("2", series, 0.97));

    assertThat(report(1, run))
        .contains(
            "**The machine itself was full**, so that nodes had less than their limit and tenants"
                + " paid for each other: met, run 1, 2.")
        .anyMatch(line -> line.startsWith("| met |") && line.contains("| 97 (97–97) |"));
    assertThat(report(1, run(Rival.MET, 1))).noneMatch(line -> line.contains("was full"));
  }

  @Test
  void aLevelThatIsLostAgainDoesNotStay() {
    RivalRun.PhaseResult dip = phase("d", steps(60, 200, 50, 200), steps(60, 200, 50, 200));
    RivalRun.PhaseResult steady = level("s", 200, 200);
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

    assertThat(run.gibPerPercent(1, run.before().level())).isNaN();
    assertThat(run.gibPerPercent(1, Double.NaN)).isNaN();
    assertThat(run.gain(2)).isCloseTo(1.5, within(1e-9));
    assertThat(run.gibPerPercent(2, 200)).isCloseTo(5.0 / 1024 / 50, within(1e-9));
    assertThat(run.least(2)).isCloseTo(600.0 / 500, within(1e-9));
    assertThat(run.worstTenant(2)).isCloseTo(0.75, within(1e-9));
  }

  @Test
  void aTenantWhoseLoadHasChangedHasNoLoss() {
    RivalRun.PhaseResult before = phase("1", Map.of("a", steps(60, 100), "c", steps(60, 1000)));
    RivalRun.PhaseResult changed = phase("3", Map.of("a", steps(60, 90), "c", steps(60, 10)));
    RivalRun run = run(Rival.MET, 1, before, before, changed);

    assertThat(run.worstTenant(2)).isCloseTo(0.9, within(1e-9));
    assertThat(run.sameLoad(1)).containsExactly("a", "c");
    assertThat(run.sameLoad(2)).containsExactly("a");
  }

  @Test
  void plansThatWereUnderWayWhileTheLevelWasMeasuredAreTold() throws IOException {
    // Levels are of seconds 30 to 60 and 90 to 120.
    PlanSpan early = new PlanSpan(61, 80, 4, 0, "done", "all is done");
    PlanSpan paced = new PlanSpan(85, 95, 4, 2, "abandoned", "users");
    PlanSpan open = new PlanSpan(119, -1, 4, 0, "", "");
    RivalRun run =
        run(
            Rival.AUTOPILOT,
            1,
            List.of(early, paced, open),
            "",
            level("before", 100, 400),
            level("badly placed", 200, 400));

    assertThat(run.plansInWindow(0)).isZero();
    assertThat(run.plansInWindow(1)).isEqualTo(2);
    assertThat(report(1, run))
        .anyMatch(
            line ->
                line.startsWith(
                    "- autopilot, run 1: 3 plans (1 abandoned, 1 done, 1 under way), 1 of them"
                        + " waited for users or other work; 0 operations failed"));
  }

  @Test
  void aRestartedServersCompactionsCountFromItsRestart() {
    NodeId one = new NodeId("a:1");
    NodeId two = new NodeId("b:1");
    NodeId three = new NodeId("c:1");

    // The third did not answer before, and has 2 from the time when it was loaded.
    assertThat(Phases.since(Map.of(one, 10L, two, 10L), Map.of(one, 15L, two, 3L, three, 2L)))
        .isEqualTo(5 + 3);
  }

  @Test
  void nodesWithABucketCacheHaveTablesOfTheirOwn() throws IOException {
    List<String> lines =
        report(
            1,
            run(Rival.AUTOPILOT, 1),
            run(Rival.AUTOPILOT_ON_BUCKET_CACHES, 1),
            run(Rival.CACHE_AWARE, 1));

    assertThat(lines).contains("## badly placed", "## Bucket cache: badly placed");
    assertThat(
            lines.subList(
                lines.indexOf("## With the same start"),
                lines.indexOf("## On nodes with a bucket cache")))
        .noneMatch(line -> line.contains("bucket caches"));
    List<String> aware =
        lines.stream().filter(line -> line.startsWith("| " + Rival.CACHE_AWARE)).toList();
    assertThat(aware).hasSize(3);
    assertThat(aware.get(1))
        .contains("| 200 (200–200) | 1.00 (1.00–1.00) | 1.00 (1.00–1.00) |")
        .endsWith("| 5 (5–5) | – | 7 (7–7) | 50 (50–50) | – |");
    // None of the balancers that it is compared with has been measured.
    assertThat(lines).anyMatch(line -> line.startsWith("| autopilot | 200 (200–200) | – | – |"));
  }

  @Test
  void runsWithTheSameStartAreComparedOneByOne() throws IOException {
    List<String> lines =
        report(
            2,
            run(Rival.AUTOPILOT, 1, level("before", 100, 100), level("badly placed", 300, 300)),
            run(Rival.AUTOPILOT, 2, level("before", 100, 100), level("badly placed", 400, 400)),
            run(Rival.BALANCER, 1, level("before", 100, 100), level("badly placed", 200, 200)),
            run(Rival.BALANCER, 2, level("before", 100, 100), level("badly placed", 100, 100)),
            run(
                Rival.BALANCER_BY_REQUESTS,
                1,
                level("before", 100, 100),
                level("badly placed", 100, 100)),
            run(Rival.NONE, 2, level("before", 100, 100), level("badly placed", 80, 50)));

    assertThat(lines)
        .contains(
            "| badly placed | the best of HBase's balancers | 1.50 | – | 1.50 (1.50–1.50) |",
            "| badly placed | StochasticLoadBalancer | 1.50 | 4.00 | 2.45 (1.50–4.00) |",
            "| badly placed | met | – | – | – |",
            "| badly placed | none | 0.80 (–) | 0.50 (–) |",
            "| badly placed | StochasticLoadBalancer | 1.50 (1.25) | 1.50 (2.00) |");
  }

  @Test
  void aRunThatFailedIsToldAndStaysMissing() throws IOException {
    List<String> lines =
        report(
            1,
            run(Rival.MET, 1, List.of(), "n2-regionserver has ended", level("before", 100, 400)));

    assertThat(lines)
        .contains("**Failed, or reads were wrong or lost (see Data):** met, run 1.")
        .anyMatch(line -> line.startsWith("**Runs that are missing:**") && line.contains("met: 1"))
        .anyMatch(line -> line.endsWith("**failed after phase 1**: n2-regionserver has ended"))
        .noneMatch(line -> line.startsWith("| met |"));
  }

  @Test
  void aRunIsReadAsItWasKept() throws IOException {
    RivalRun failed =
        run(
            Rival.AUTOPILOT,
            1,
            List.of(new PlanSpan(3, -1, 4, 1, "", "")),
            "the cluster broke",
            level("before", 100, 400));
    KeptRuns<RivalRun> kept = KeptRuns.open(folder, RivalRun.class, "RIVALS", KeptRuns.Start.NEW);
    kept.madeWith(List.of("five nodes"));
    kept.add(failed);

    RivalRun read =
        KeptRuns.open(folder, RivalRun.class, "RIVALS", KeptRuns.Start.CONTINUE).runs().get(0);

    assertThat(read).usingRecursiveComparison().isEqualTo(failed);
  }

  @Test
  void theBalancerThatIsNamedExists() throws ClassNotFoundException {
    String name = Rival.CACHE_AWARE.site().get("hbase.master.loadbalancer.class");

    assertThat(Class.forName(name, false, getClass().getClassLoader()).getSimpleName())
        .isEqualTo("CacheAwareLoadBalancer");
    assertThat(Rival.on(false)).hasSize(6).noneMatch(Rival::bucketCache);
    assertThat(Rival.AUTOPILOT_ON_BUCKET_CACHES.site())
        .containsEntry("hbase.rs.prefetchblocksonopen", "true")
        .doesNotContainKey("hbase.master.loadbalancer.class");
  }
}
