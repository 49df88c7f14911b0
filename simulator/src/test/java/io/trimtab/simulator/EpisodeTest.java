package io.trimtab.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Promises hold under seeded faults, and a seed can be replayed. */
class EpisodeTest {
  private static final int SEEDS = 300;

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
      assertThat(coverage.table()).contains(fault.toString());
    }
  }

  @Test
  void aSeedGivesTheSameEpisodeEachTime() {
    for (long seed : new long[] {1, 2, 3, 4}) {
      assertThat(Episode.run(seed).lines()).isEqualTo(Episode.run(seed).lines());
    }
  }
}
