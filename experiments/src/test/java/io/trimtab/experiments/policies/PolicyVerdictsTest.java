package io.trimtab.experiments.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Ownership;
import io.trimtab.simulator.days.DayResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyVerdictsTest {
  private static final double MIB = 1 << 20;

  private static PolicyRun run(
      long seed, String policy, double overloaded, double nodeHours, double mib, double swings) {
    return run(Ownership.ASSIGNED, seed, policy, overloaded, nodeHours, mib, swings);
  }

  private static PolicyRun run(
      Ownership kind,
      long seed,
      String policy,
      double overloaded,
      double nodeHours,
      double mib,
      double swings) {
    DayResult result =
        new DayResult(
            kind, overloaded, nodeHours, 1, 1, 1, 2, mib * MIB, 0, 0, 0, 0, swings, 0, 0.5);
    return new PolicyRun(seed, policy, result, 2, "");
  }

  private static List<String> verdicts(int clusters, PolicyRun... runs) {
    return new PolicyVerdicts(List.of(runs), clusters).lines(Ownership.ASSIGNED);
  }

  @Test
  void eachTargetHasItsVerdict() {
    assertThat(
            verdicts(
                2,
                run(1, "autopilot", 20, 90, 400, 0),
                run(2, "autopilot", 30, 100, 500, 2),
                run(1, "met-1", 80, 90, 1_000, 0),
                run(2, "met-1", 20, 100, 1_000, 5),
                run(1, "tiramola", 50, 80, 1_000, 0),
                run(2, "tiramola", 40, 100, 500, 0)))
        .containsExactly(
            "**met**: autopilot has 0.50 times the minutes of overload of met-1; wanted is at most"
                + " 0.5; better on 1, equal on 0, worse on 1 of 2 clusters; 100 % of met-1's is on"
                + " its 2 largest, and without these it is – times",
            "**missed**: autopilot has 0.56 times the minutes of overload of tiramola; wanted is at"
                + " most 0.5; better on 2, equal on 0, worse on 0 of 2 clusters; 100 % of"
                + " tiramola's is on its 2 largest, and without these it is – times",
            "**met**: autopilot has 0.45 times the moved bytes of met-1; wanted is at most 0.5;"
                + " better on 2, equal on 0, worse on 0 of 2 clusters; 100 % of met-1's is on its 2"
                + " largest, and without these it is – times",
            "**missed**: autopilot has 0.60 times the moved bytes of tiramola; wanted is at most"
                + " 0.5; better on 1, equal on 1, worse on 0 of 2 clusters; 100 % of tiramola's is"
                + " on its 2 largest, and without these it is – times",
            "**met**: autopilot has 1.00 times the node hours of met-1; wanted is at most 1.0;"
                + " better on 0, equal on 2, worse on 0 of 2 clusters; 100 % of met-1's is on its 2"
                + " largest, and without these it is – times",
            "**missed**: autopilot has 1.06 times the node hours of tiramola; wanted is at most"
                + " 1.0; better on 0, equal on 1, worse on 1 of 2 clusters; 100 % of tiramola's is"
                + " on its 2 largest, and without these it is – times",
            "**missed**: with autopilot the number of nodes oscillates on 1 of 2 clusters (seeds"
                + " 2); wanted is on none");
  }

  @Test
  void aSumThatOneClusterMakesHidesTheOthersNoMore() {
    PolicyRun[] runs = {
      run(1, "met-1", 3_000, 1, 1, 0),
      run(2, "met-1", 1, 1, 1, 0),
      run(3, "met-1", 1, 1, 1, 0),
      run(1, "autopilot", 0, 1, 1, 0),
      run(2, "autopilot", 50, 1, 1, 0),
      run(3, "autopilot", 50, 1, 1, 0)
    };

    assertThat(verdicts(3, runs).get(0))
        .startsWith("**met**: autopilot has 0.03 times the minutes of overload of met-1;")
        .contains("better on 1, equal on 0, worse on 2 of 3 clusters");
  }

  @Test
  void theSumWithoutTheLargestIsTold() {
    List<PolicyRun> runs = new ArrayList<>();
    double[] others = {20, 800, 30, 700, 900, 50};
    double[] ours = {30, 10, 30, 10, 10, 60};
    for (int i = 0; i < others.length; i++) {
      runs.add(run(i, "tiramola", others[i], 1, 1, 0));
      runs.add(run(i, "autopilot", ours[i], 1, 1, 0));
    }

    assertThat(verdicts(6, runs.toArray(PolicyRun[]::new)).get(1))
        .startsWith("**met**: autopilot has 0.06 times ")
        .endsWith(
            "; better on 3, equal on 1, worse on 2 of 6 clusters; 96 % of tiramola's is on its 3"
                + " largest, and without these it is 1.20 times");
  }

  @Test
  void whatIsMissedOnOneKindIsNoMoreMadeUpForOnTheOther() {
    List<PolicyRun> runs =
        List.of(
            run(Ownership.ASSIGNED, 2, "met-1", 10, 100, 1, 0),
            run(Ownership.ASSIGNED, 2, "autopilot", 10, 70, 1, 0),
            run(Ownership.TOKENS, 3, "met-1", 10, 100, 1, 0),
            run(Ownership.TOKENS, 3, "autopilot", 10, 120, 1, 2));
    PolicyVerdicts verdicts = new PolicyVerdicts(runs, 2);

    assertThat(verdicts.lines(Ownership.ASSIGNED).get(4)).startsWith("**met**: autopilot has 0.70");
    assertThat(verdicts.lines(Ownership.TOKENS).get(4))
        .startsWith("**missed**: autopilot has 1.20");
    assertThat(verdicts.lines(Ownership.ASSIGNED).get(6)).startsWith("**met**: ");
    assertThat(verdicts.lines(Ownership.TOKENS).get(6)).startsWith("**missed**: ");
  }

  @Test
  void onlyClustersOfBothPoliciesAreCompared() {
    List<String> some =
        verdicts(
            2,
            run(1, "autopilot", 20, 90, 400, 0),
            run(2, "autopilot", 900, 900, 900, 0),
            run(1, "met-1", 80, 90, 1_000, 0));

    assertThat(some.get(0)).startsWith("**so far met**: autopilot has 0.25 times ");
    assertThat(some.get(1)).startsWith("**not known**: autopilot has – times ");
    assertThat(some.get(6)).startsWith("**met**: with autopilot ").contains(" 0 of 2 clusters;");
  }
}
