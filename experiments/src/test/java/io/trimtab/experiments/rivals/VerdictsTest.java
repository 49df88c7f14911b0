package io.trimtab.experiments.rivals;

import static io.trimtab.experiments.rivals.Fixtures.level;
import static io.trimtab.experiments.rivals.Fixtures.phase;
import static io.trimtab.experiments.rivals.Fixtures.run;
import static io.trimtab.experiments.rivals.Fixtures.steps;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.experiments.bed.PlanSpan;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictsTest {
  private static List<String> verdicts(int runs, RivalRun... made) {
    return new Verdicts(MadeRuns.of(List.of(made)), runs).lines();
  }

  private static RivalRun placed(Rival rival, int number, double a, double b) {
    return run(rival, number, level("before", 100, 100), level("badly placed", a, b));
  }

  @Test
  void theAutopilotIsComparedWithTheBestBalancerOfTheSameStart() {
    List<String> met =
        verdicts(
            2,
            placed(Rival.AUTOPILOT, 1, 300, 300),
            placed(Rival.AUTOPILOT, 2, 400, 400),
            placed(Rival.BALANCER, 1, 200, 200),
            placed(Rival.BALANCER, 2, 100, 100),
            placed(Rival.BALANCER_BY_REQUESTS, 1, 100, 100),
            placed(Rival.BALANCER_BY_REQUESTS, 2, 250, 250));

    // 300 to 200 and 400 to 250.
    assertThat(met.get(0))
        .isEqualTo(
            "**met**: autopilot has 1.55 (1.50–1.60) times the level of the best of HBase's"
                + " balancers with the same start and nodes; wanted is 1.5, as the geometric mean"
                + " over the runs");
    assertThat(met.get(1)).startsWith("**not known**: autopilot on bucket caches has – times");
  }

  @Test
  void aLevelThatWasMeasuredUnderAPlanIsTold() {
    PlanSpan open = new PlanSpan(95, -1, 4, 0, "", "");
    RivalRun ours =
        run(
            Rival.AUTOPILOT,
            1,
            List.of(open),
            "",
            level("before", 100, 100),
            level("badly placed", 300, 300));

    assertThat(
            verdicts(
                    1,
                    ours,
                    placed(Rival.BALANCER, 1, 100, 100),
                    placed(Rival.BALANCER_BY_REQUESTS, 1, 200, 200))
                .get(0))
        .startsWith("**met**: autopilot has 1.50 ")
        .endsWith("; while its level was measured a plan was under way in 1 run");
  }

  @Test
  void whatIsMissingLeavesAVerdictOpen() {
    List<String> open =
        verdicts(
            2,
            placed(Rival.AUTOPILOT, 1, 140, 140),
            placed(Rival.AUTOPILOT_ON_BUCKET_CACHES, 1, 160, 160),
            placed(Rival.CACHE_AWARE, 1, 100, 100),
            placed(Rival.BALANCER, 1, 100, 100));

    assertThat(open.get(0)).startsWith("**not known**: ");
    assertThat(open.get(1))
        .startsWith("**so far met**: autopilot on bucket caches has 1.60 (1.60–1.60) times");
    assertThat(open.get(2)).startsWith("**so far met**: autopilot's worst tenant, ");
    assertThat(open.get(3)).startsWith("**not known**: ");
    assertThat(open.get(4)).startsWith("**not known**: ");
    assertThat(verdicts(2)).allMatch(line -> line.startsWith("**not known**: "));
  }

  @Test
  void noTenantMayLoseMoreThanATwentieth() {
    List<String> lost =
        verdicts(
            2,
            placed(Rival.AUTOPILOT, 1, 500, 96),
            placed(Rival.AUTOPILOT, 2, 500, 90),
            placed(Rival.NONE, 1, 100, 80),
            placed(Rival.NONE, 2, 100, 90));

    assertThat(lost.get(2))
        .isEqualTo(
            "**missed**: autopilot's worst tenant, b, has 0.93 (0.90–0.96) of its start, and 1.10"
                + " (1.00–1.20) of what it has at the same time where nobody acts; the least of any"
                + " tenant in any run is 0.90 (b, run 2); wanted is 0.95 of the start, as the"
                + " geometric mean");
    assertThat(verdicts(1, placed(Rival.AUTOPILOT, 1, 500, 96)).get(2)).startsWith("**met**: ");
  }

  /** One that loses much in one run may be well on average. */
  @Test
  void theLeastOfAnyRunIsToldBesideTheMean() {
    List<String> lines =
        verdicts(2, placed(Rival.AUTOPILOT, 1, 200, 96), placed(Rival.AUTOPILOT, 2, 70, 100));

    assertThat(lines.get(2))
        .startsWith("**met**: autopilot's worst tenant, b, has 0.98 (0.96–1.00) of its start")
        .contains("; the least of any tenant in any run is 0.70 (a, run 2); wanted is 0.95 ");
  }

  @Test
  void afterAChangeOfTheLoadTheBestIsSoonThereAgain() {
    RivalRun.PhaseResult soon = phase("c", steps(110, 50, 200, 200), steps(110, 50, 200, 200));
    RivalRun.PhaseResult late = phase("f", steps(310, 50, 200), steps(310, 50, 200));

    assertThat(changed(soon))
        .startsWith("**met**: autopilot is back within a tenth of its own best half minute")
        .contains(" 300 s after 1 of 1 changes");
    assertThat(changed(soon, late))
        .startsWith("**missed**: ")
        .contains(" 300 s after 1 of 2 changes");
  }

  /** As where a plan, or the next one, costs what the one before has brought. */
  @Test
  void aBestThatIsNotKeptIsNotBack() {
    RivalRun.PhaseResult lost = phase("c", steps(110, 50, 200, 150), steps(110, 50, 200, 150));

    assertThat(lost.settled()).isLessThan(150);
    assertThat(changed(lost))
        .startsWith("**missed**: ")
        .contains(" 300 s after 0 of 1 changes", "slowest from 330 s on");
  }

  /** Who has little is soon back at it. */
  @Test
  void whatAnotherRivalHasIsTheMeasureToo() {
    RivalRun ours = changed(Rival.AUTOPILOT, flat(50));
    List<String> worse = verdicts(1, ours, changed(Rival.MET_1, flat(100)));
    List<String> alike = verdicts(1, ours, changed(Rival.MET_1, flat(55)));

    assertThat(worse.get(3)).startsWith("**met**: ");
    assertThat(worse.get(4))
        .isEqualTo(
            "**so far missed**: autopilot is back within a tenth of the best half minute that any"
                + " rival has of the new load with the same start and nodes within 300 s after 0 of"
                + " 1 changes, and stays there to the end; its level at the end is 0.50"
                + " (0.50–0.50) of that; where nobody acts that is so after 0 of 0; wanted is after"
                + " all");
    assertThat(alike.get(4)).startsWith("**so far met**: ").contains(" after 1 of 1 changes");
  }

  @Test
  void theMeasureIsOfTheSameStartAndNodesAndOfAnother() {
    RivalRun ours = changed(Rival.AUTOPILOT, flat(50));

    assertThat(verdicts(1, ours).get(4)).as("alone").startsWith("**not known**: ");
    assertThat(verdicts(1, ours, changed(Rival.CACHE_AWARE, flat(100))).get(4))
        .as("on other nodes")
        .startsWith("**not known**: ");
    RivalRun[] all =
        Rival.on(false).stream()
            .map(rival -> changed(rival, flat(rival == Rival.AUTOPILOT ? 50 : 100)))
            .toArray(RivalRun[]::new);
    assertThat(verdicts(1, all).get(4)).startsWith("**missed**: ");
  }

  @Test
  void whatDoingNothingReachesIsTold() {
    List<String> lines =
        verdicts(1, changed(Rival.AUTOPILOT, flat(100)), changed(Rival.NONE, flat(50)));

    assertThat(lines.get(3)).contains("; where nobody acts that is so after 1 of 1; ");
    assertThat(lines.get(4))
        .contains(" after 1 of 1 changes", "; where nobody acts that is so after 0 of 1; ");
  }

  private static RivalRun.PhaseResult flat(double level) {
    return phase("c", steps(330, level), steps(330, level));
  }

  private static String changed(RivalRun.PhaseResult... changes) {
    return verdicts(1, changed(Rival.AUTOPILOT, changes)).get(3);
  }

  private static RivalRun changed(Rival rival, RivalRun.PhaseResult... changes) {
    RivalRun.PhaseResult[] all = new RivalRun.PhaseResult[changes.length + 2];
    all[0] = level("before", 100, 100);
    all[1] = level("badly placed", 200, 200);
    System.arraycopy(changes, 0, all, 2, changes.length);
    return run(rival, 1, all);
  }
}
