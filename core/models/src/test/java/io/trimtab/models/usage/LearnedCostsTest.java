package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.usage.UsageModel.Load;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LearnedCostsTest {
  private static final double READ = 250e-6;
  private static final double MISS_CPU = 40e-6;
  private static final double MISS_WAIT = 4e-3;
  private static final double UPDATE = 30e-6;

  /** A node that serves reads, of which some miss, and updates; with 2 % of noise. */
  private static CostSample sample(Random random, double reads, double misses, double updates) {
    double noise = 1 + 0.02 * random.nextGaussian();
    return new CostSample(
        reads,
        0,
        0,
        misses,
        updates,
        noise * (0.03 + READ * reads + MISS_CPU * misses + UPDATE * updates),
        noise * MISS_WAIT * misses);
  }

  private static CostLearner learned(Random random, int samples, boolean updates) {
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < samples; i++) {
      double reads = 800 * random.nextDouble();
      double misses = Math.min(reads, 120 * random.nextDouble());
      learner =
          learner.with(sample(random, reads, misses, updates ? 2_000 * random.nextDouble() : 0));
    }
    return learner;
  }

  @Test
  void costsAreFoundFromSamplesThatDiffer() {
    LearnedCosts costs = learned(new Random(1), 240, true).costs();

    assertThat(costs.costs()[0]).isCloseTo(READ, within(0.05 * READ));
    assertThat(costs.missSeconds()).isCloseTo(MISS_CPU + MISS_WAIT, within(0.05 * MISS_WAIT));
    assertThat(costs.costs()[4]).isCloseTo(UPDATE, within(0.2 * UPDATE));
    assertThat(costs.idle()).isCloseTo(0.03, within(0.01));
    Load load = Load.withoutScans(0.9, 500, 1_000, 100);
    double truth = 0.03 + READ * 500 + (MISS_CPU + MISS_WAIT) * 50 + UPDATE * 1_000;
    assertThat(costs.usage(load)).isCloseTo(truth, within(0.02));
    assertThat(costs.deviation(load)).isLessThan(0.02);
  }

  @Test
  void whatWasNeverSeenIsUncertain() {
    LearnedCosts costs = learned(new Random(2), 240, false).costs();
    Load reads = Load.ofReads(0.9, 500);
    Load scans = new Load(0.9, 0, 500, new ScanShape(1, 100, 1, 4), 0, 0);

    assertThat(costs.deviation(reads)).isLessThan(0.02);
    assertThat(costs.deviation(scans)).isGreaterThan(0.1);
  }

  /** Nodes tell calls, so 10 scans of 8 calls must cost what 80 calls did. */
  @Test
  void aScanCostsWhatItsCallsAndRowsCost() {
    Random random = new Random(6);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      double calls = 200 * random.nextDouble();
      double rows = calls * (1 + 30 * random.nextDouble());
      double misses = 50 * random.nextDouble();
      double cpu = 0.03 + 150e-6 * calls + 4e-6 * rows + MISS_CPU * misses;
      learner = learner.with(new CostSample(0, calls, rows, misses, 0, cpu, MISS_WAIT * misses));
    }
    LearnedCosts costs = learner.costs();

    // 80 calls, 800 rows, 30 blocks of which 3 miss.
    Load load = new Load(0.9, 0, 10, new ScanShape(8, 80, 1, 3), 0, 0);
    double truth = 0.03 + 150e-6 * 80 + 4e-6 * 800 + (MISS_CPU + MISS_WAIT) * 3;
    assertThat(costs.usage(load)).isCloseTo(truth, within(0.002));
  }

  /** All nodes are asked alike all the time: what a read and a miss cost can't be told apart. */
  @Test
  void withoutVariationOnlyTheSameLoadIsKnownWell() {
    Random random = new Random(3);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      learner = learner.with(sample(random, 400, 100, 0));
    }
    LearnedCosts costs = learner.costs();

    Load same = Load.ofReads(0.75, 400);
    assertThat(costs.usage(same)).isCloseTo(0.03 + READ * 400 + 0.404, within(0.03));
    assertThat(costs.deviation(same)).isLessThan(0.003);
    assertThat(costs.deviation(Load.ofReads(0.1, 400))).isGreaterThan(0.02);
    assertThat(costs.deviation(Load.ofReads(1, 1_600))).isGreaterThan(0.05);
  }

  @Test
  void itSaysWhatWouldMakeItCertain() {
    Random random = new Random(3);
    CostLearner steady = CostLearner.NOTHING;
    CostLearner together = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      steady = steady.with(sample(random, 400 + i / 8.0, 0, 0));
      double reads = 800 * random.nextDouble();
      together = together.with(sample(random, reads, 0.25 * reads, 0));
    }

    assertThat(steady.costs().uncertainty(Load.ofReads(1, 1_600)))
        .matches(
            "± \\d+ points, too little variation: reads between 39\\d and 43\\d/s lately, 1,600/s"
                + " now; it takes some minutes of about so many");
    assertThat(steady.costs().uncertainty(Load.ofReads(0.5, 415)))
        .contains("misses between 0.0 and 0.0/s lately, 208/s now");
    assertThat(together.costs().uncertainty(Load.ofReads(0.6, 400)))
        .contains(
            "misses rose and fell only with the rest of the load lately; it takes some minutes in"
                + " which they do not");
  }

  @Test
  void twoThatHaveSeenPartsKnowWhatOneThatHasSeenAllKnows() {
    Random random = new Random(9);
    CostLearner one = CostLearner.NOTHING;
    CostLearner other = CostLearner.NOTHING;
    CostLearner all = CostLearner.NOTHING;
    for (int i = 0; i < 100; i++) {
      CostSample sample = sample(random, 800 * random.nextDouble(), 50 * random.nextDouble(), i);
      one = i % 3 == 0 ? one.with(sample) : one;
      other = i % 3 == 0 ? other : other.with(sample);
      all = all.with(sample);
    }

    assertThat(one.plus(other).weight()).isEqualTo(100);
    assertThat(one.plus(other).costs().costs()).containsExactly(all.costs().costs(), within(1e-9));
  }

  @Test
  void costsAreNeverBelowNothing() {
    Random random = new Random(4);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 50; i++) {
      double updates = 1_000 * random.nextDouble();
      // What more updates make cheaper is something else.
      learner = learner.with(new CostSample(100, 0, 0, 0, updates, 0.5 - 1e-4 * updates, 0));
    }

    assertThat(Arrays.stream(learner.costs().costs()).boxed().toList()).allMatch(cost -> cost >= 0);
  }

  @Test
  void itForgets() {
    Random random = new Random(5);
    CostLearner old = learned(random, 240, true);
    CostLearner later = old.after(Duration.ofDays(2));
    for (int i = 0; i < 60; i++) {
      double reads = 800 * random.nextDouble();
      later = later.with(new CostSample(reads, 0, 0, 0, 0, 0.03 + 3 * READ * reads, 0));
    }

    assertThat(later.weight()).isLessThan(61);
    assertThat(later.costs().costs()[0]).isCloseTo(3 * READ, within(0.1 * READ));
    assertThat(old.costs().costs()[0]).isCloseTo(READ, within(0.05 * READ));
  }

  @Test
  void withoutSamplesItKnowsNothing() {
    assertThat(CostLearner.NOTHING.costs().deviation(Load.ofReads(0.9, 500))).isGreaterThan(0.1);
  }

  /**
   * A node with a share of a core and a slow disk, on which reads and misses come nearly together:
   * what is usual of ordinary nodes must not decide between them.
   */
  @Test
  void aSlowNodeIsNotTakenForAnOrdinaryOne() {
    Random random = new Random(7);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 480; i++) {
      double reads = 10 + 60 * random.nextDouble();
      double misses = reads * (0.3 + 0.3 * random.nextDouble());
      double noise = 0.025 * random.nextGaussian();
      double cpu = 0.05 + 0.6e-3 * reads + 3.3e-3 * misses + noise;
      learner = learner.with(new CostSample(reads, 0, 0, misses, 0, cpu, 7e-3 * misses));
    }
    LearnedCosts costs = learner.costs();

    for (double hits : new double[] {0.4, 0.7, 0.9}) {
      double truth = 0.05 + 0.6e-3 * 70 + (3.3e-3 + 7e-3) * 70 * (1 - hits);
      assertThat(costs.usage(Load.ofReads(hits, 70))).isCloseTo(truth, within(0.1 * truth));
    }
  }

  /** Twice as many as ever is a guess, whatever the samples agree on. */
  @Test
  void whatLiesBeyondAllThatWasSeenIsLessCertain() {
    Random random = new Random(8);
    LearnedCosts costs = learned(random, 2_000, false).costs();

    // Up to 800 reads and 120 misses a second were seen.
    assertThat(costs.deviation(Load.ofReads(0.9, 780))).isLessThan(0.005);
    double reads = 0.25 * READ * 800;
    double misses = 0.25 * (MISS_CPU + MISS_WAIT) * 120;
    assertThat(costs.deviation(Load.ofReads(0.95, 1_600))).isCloseTo(reads, within(0.1 * reads));
    assertThat(costs.deviation(Load.ofReads(0.7, 800))).isCloseTo(misses, within(0.1 * misses));
    assertThat(costs.deviation(Load.ofReads(0.85, 1_600)))
        .as("wrong for both alike")
        .isCloseTo(reads + misses, within(0.1 * (reads + misses)));
  }

  /** The variance of the samples alone would name misses. */
  @Test
  void whatLiesFurthestBeyondIsNamed() {
    Random random = new Random(8);
    LearnedCosts costs = learned(random, 2_000, false).costs();

    assertThat(costs.uncertainty(Load.ofReads(0.98, 4_000)))
        .matches(".*reads between 0.0 and \\d+/s lately, 4,000/s now.*");
  }

  /** On one of twenty nodes: far beyond the spread of all samples. */
  @Test
  void whatTheHottestNodeServesWasSeen() {
    Random random = new Random(10);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 40; i++) {
      for (int node = 0; node < 20; node++) {
        double reads = (node == 0 ? 2_000 : 100) * (0.9 + 0.2 * random.nextDouble());
        learner = learner.with(sample(random, reads, 0.02 * reads, 0));
      }
      learner = learner.after(Duration.ofSeconds(30));
    }

    assertThat(learner.costs().deviation(Load.ofReads(0.98, 2_000))).isLessThan(0.02);
  }

  @Test
  void aLoadThatHasRisenWasSeenAtOnce() {
    Random random = new Random(11);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 7 * 120; i++) {
      double reads = (i < 6 * 120 ? 100 : 2_000) * (0.9 + 0.2 * random.nextDouble());
      learner = learner.with(sample(random, reads, 0.02 * reads, 0)).after(Duration.ofSeconds(30));
      if (i == 6 * 120 + 4) {
        assertThat(learner.costs().deviation(Load.ofReads(0.98, 2_000))).isLessThan(0.04);
      }
    }
    // A day later as well, but not for ever.
    CostLearner later = learner.after(Duration.ofDays(1));
    assertThat(later.costs().deviation(Load.ofReads(0.98, 2_000))).isLessThan(0.1);
    assertThat(learner.after(Duration.ofDays(30)).costs().deviation(Load.ofReads(0.98, 2_000)))
        .isGreaterThan(0.1);
  }

  /** Waits without a miss, as of compactions, say nothing of what a miss costs. */
  @Test
  void waitsThatNoMissCausesDoNotMakeMissesDearer() {
    Random random = new Random(12);
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      double reads = 100 + 200 * random.nextDouble();
      learner = learner.with(new CostSample(reads, 0, 0, 0, 0, 0.03 + READ * reads, 0.03));
    }

    assertThat(learner.costs().missSeconds()).isLessThan(3e-3);
  }

  /** A node that does next to nothing does not say that requests are dear. */
  @Test
  void idlingIsNotTakenForSlowness() {
    CostLearner idling = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      idling = idling.with(new CostSample(1, 0, 0, 0, 1, 0.04, 0));
    }

    LearnedCosts costs = idling.costs();
    assertThat(costs.idle()).isCloseTo(0.04, within(0.005));
    assertThat(costs.deviation(Load.NONE)).isLessThan(0.02);
    assertThat(costs.costs()[0]).isLessThan(5 * 100e-6);
  }
}
