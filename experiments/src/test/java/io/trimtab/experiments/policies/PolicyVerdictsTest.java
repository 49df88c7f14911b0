package io.trimtab.experiments.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Ownership;
import io.trimtab.simulator.days.DayResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyVerdictsTest {
  private static PolicyRun run(
      long seed, String policy, double overloaded, double nodeHours, double bytes, double swings) {
    DayResult result =
        new DayResult(
            Ownership.ASSIGNED,
            overloaded,
            nodeHours,
            1,
            1,
            1,
            2,
            bytes,
            0,
            0,
            0,
            0,
            swings,
            0,
            0.5);
    return new PolicyRun(seed, policy, result, 2, "");
  }

  private static List<String> verdicts(int clusters, PolicyRun... runs) {
    return new PolicyVerdicts(List.of(runs), clusters).lines();
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
                + " 0.5",
            "**missed**: autopilot has 0.56 times the minutes of overload of tiramola; wanted is at"
                + " most 0.5",
            "**met**: autopilot has 0.45 times the moved bytes of met-1; wanted is at most 0.5",
            "**missed**: autopilot has 0.60 times the moved bytes of tiramola; wanted is at most"
                + " 0.5",
            "**met**: autopilot has 1.00 times the node hours of met-1; wanted is at most 1.0",
            "**missed**: autopilot has 1.06 times the node hours of tiramola; wanted is at most"
                + " 1.0",
            "**missed**: with autopilot the number of nodes oscillates on 1 of 2 clusters (seeds"
                + " 2); wanted is on none");
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
