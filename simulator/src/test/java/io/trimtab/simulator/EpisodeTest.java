package io.trimtab.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.testkit.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Promises hold under seeded faults, and a seed can be replayed. */
class EpisodeTest {
  private static final int SEEDS = 300;

  /** Splits and merges are too rare: a few in some thousand seeds. */
  private static final List<String> KINDS =
      List.of(
          "add-node",
          "block-size",
          "cleanup",
          "compact",
          "drain",
          "move",
          "reconfigure",
          "remove-node",
          "replace-node",
          "set");

  @Test
  void noSeedBreaksAPromise() {
    Coverage coverage = new Coverage();
    Seeds.forEach(
        SEEDS,
        seed -> {
          Episode.Result result = Episode.run(seed);
          coverage.add(result.coverage());
          assertThat(result.violations())
              .as("replay: ./trimtab fuzz --seeds 1 --seed %d --verbose", seed)
              .isEmpty();
        });
    for (FaultKind fault : FaultKind.values()) {
      assertThat(coverage.of(fault)).as("%s", fault).isPositive();
    }
    for (String kind : KINDS) {
      assertThat(coverage.ofKind(kind)).as(kind).isPositive();
    }
    for (Policy policy :
        List.of(
            Policies.MET_1, Policies.MET, Policies.AUTOPILOT, Policies.TIRAMOLA, Policies.USAGE)) {
      assertThat(coverage.ofPolicy(policy.name())).as(policy.name()).isPositive();
    }
    for (PlanOutcome outcome : PlanOutcome.values()) {
      // A plan that is not tidied up after is told to nobody, one that is refused as abandoned.
      if (outcome != PlanOutcome.UNFINISHED && outcome != PlanOutcome.REFUSED) {
        assertThat(coverage.ofOutcome(outcome.toString())).as("%s", outcome).isPositive();
      }
    }
  }

  @Test
  void aSeedGivesTheSameEpisodeEachTime() {
    for (long seed : new long[] {1, 2, 3, 4}) {
      assertThat(Episode.run(seed).lines()).isEqualTo(Episode.run(seed).lines());
    }
  }
}
