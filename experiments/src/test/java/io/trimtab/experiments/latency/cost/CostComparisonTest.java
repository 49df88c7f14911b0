package io.trimtab.experiments.latency.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.experiments.latency.cost.CostComparison.Verdict;
import io.trimtab.experiments.latency.cost.CostHalf.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CostComparisonTest {
  private static final int BLOCKS = 7;

  /**
   * Ten thousand reads.
   *
   * @param micros of CPU time of each, without compilers
   * @param compilerS CPU time of compilers
   */
  static CostHalf half(
      Phase phase, int round, int block, CostArm arm, double micros, double compilerS) {
    return half(phase, round, block, arm, micros, compilerS, 30_000);
  }

  private static CostHalf half(
      Phase phase, int round, int block, CostArm arm, double micros, double compilerS, long bytes) {
    double cpuS = micros * 10_000 / 1e6 + compilerS;
    return new CostHalf(
        round,
        phase,
        block,
        0,
        arm,
        1_000,
        10,
        10_000,
        cpuS,
        10_000,
        bytes * 10_000,
        20_000,
        compilerS);
  }

  /** Each block is slower or faster as a whole, by far more than the arms differ. */
  private static List<CostHalf> rounds(double... ratios) {
    List<CostHalf> halves = new ArrayList<>();
    for (int round = 1; round <= ratios.length; round++) {
      for (int i = 0; i < BLOCKS; i++) {
        int block = (round - 1) * BLOCKS + i;
        double base = 200 + 60 * Math.sin(block);
        double noise = 1 + 0.001 * (i - BLOCKS / 2);
        CostHalf stock = half(Phase.COMPARED, round, block, CostArm.STOCK, base, 0.001);
        CostHalf plain = half(Phase.COMPARED, round, block, CostArm.PLAIN, base, 0.001);
        CostHalf ours =
            half(
                Phase.COMPARED,
                round,
                block,
                CostArm.OWN_FIRST,
                base * ratios[round - 1] * noise,
                0.003,
                30_400 + i);
        halves.add(plain);
        halves.add(block % 2 == 0 ? stock : ours);
        halves.add(block % 2 == 0 ? ours : stock);
      }
    }
    return halves;
  }

  private static CostComparison ratio(List<CostHalf> halves) {
    return CostReport.ratios(halves).get(0);
  }

  @Test
  void aHalfIsComparedWithTheOtherOneOfItsBlock() {
    CostComparison ratio = ratio(rounds(1.01, 1.01, 1.01));

    assertThat(ratio.pairs().spread().runs()).isEqualTo(21);
    assertThat(ratio.pairs().median()).isCloseTo(1.01, within(1e-9));
    assertThat(ratio.pairs().spread().max()).isCloseTo(1.01 * 1.003, within(1e-9));
    assertThat(ratio.rounds()).hasSize(3);
    assertThat(ratio.verdict()).isEqualTo(Verdict.MET);
  }

  @Test
  void bytesAreWhatIsInAddition() {
    CostComparison bytes = CostReport.bytes(rounds(1, 1, 1)).get(0);

    assertThat(bytes.pairs().median()).isEqualTo(403);
    assertThat(bytes.pairs().spread().min()).isEqualTo(400);
    assertThat(bytes.verdict()).isEqualTo(Verdict.MET);
  }

  @Test
  void moreThanAskedIsMissed() {
    assertThat(ratio(rounds(1.05, 1.06, 1.05)).verdict()).isEqualTo(Verdict.MISSED);
  }

  /** Pairs of other rounds do not outvote one whose processes were compiled in another way. */
  @Test
  void roundsThatDisagreeDecideNothing() {
    assertThat(ratio(rounds(1.00, 1.00, 1.04)).verdict()).isEqualTo(Verdict.OPEN);
    assertThat(ratio(rounds(1.05, 1.05, 1.00)).verdict()).isEqualTo(Verdict.OPEN);
    assertThat(ratio(rounds(1.00, 1.00, 1.00, 1.04)).verdict()).isEqualTo(Verdict.OPEN);
    assertThat(ratio(rounds(1.05, 1.05, 1.05, 1.00)).verdict()).isEqualTo(Verdict.OPEN);
    assertThat(ratio(rounds(1.05, 1.05, 1.05, 1.05)).verdict()).isEqualTo(Verdict.MISSED);
  }

  @Test
  void fewPairsDecideNothingHoweverClearTheyAre() {
    assertThat(ratio(rounds(1.00, 1.00)).verdict()).isEqualTo(Verdict.OPEN);
    assertThat(ratio(rounds(1.50)).verdict()).isEqualTo(Verdict.OPEN);
    assertThat(ratio(rounds(1.00, 1.00, 1.00)).verdict()).isEqualTo(Verdict.MET);
  }

  /** Code that is not compiled yet takes more than it will. */
  @Test
  void nodesThatStillCompileDecideNothing() {
    List<CostHalf> compiling =
        rounds(1.00, 1.00, 1.00).stream()
            .map(
                h -> half(h.phase(), h.round(), h.block(), h.arm(), h.cpuMicros(), 0.03 * h.cpuS()))
            .toList();

    assertThat(ratio(compiling).pairs().median()).isCloseTo(1, within(1e-9));
    assertThat(ratio(compiling).verdict()).isEqualTo(Verdict.OPEN);
  }

  @Test
  void compilersAreLeftOutAndShownBeside() {
    List<CostHalf> two =
        List.of(
            half(Phase.COMPARED, 1, 0, CostArm.STOCK, 200, 1),
            half(Phase.COMPARED, 1, 0, CostArm.OWN_FIRST, 202, 2));

    assertThat(ratio(two).pairs().median()).isCloseTo(1.01, within(1e-9));
    assertThat(CostReport.wholeRatios(two).get(0).pairs().median())
        .isCloseTo(4.02 / 3, within(1e-9));
  }

  @Test
  void onlyWholePairsOfTheComparisonCount() {
    List<CostHalf> halves = new ArrayList<>(rounds(1.01));
    halves.add(half(Phase.COMPARED, 2, 99, CostArm.OWN_FIRST, 9_999, 0));
    halves.add(half(Phase.WARM_UP, 1, -1, CostArm.STOCK, 1, 0));
    halves.add(half(Phase.WARM_UP, 1, -1, CostArm.OWN_FIRST, 9_999, 0));

    assertThat(ratio(halves).pairs().spread().runs()).isEqualTo(BLOCKS);
    assertThat(ratio(halves).rounds()).hasSize(1);
    assertThat(CostReport.ratios(List.of())).isEmpty();
  }

  /** Whatever drifts from half to half by the same amount must not favour an arm. */
  @Test
  void twoBlocksThatFollowEachOtherAreMirrored() {
    Set<List<CostArm>> seen = new HashSet<>();
    for (int block = 0; block < 40; block += 2) {
      List<CostArm> order = CostArm.order(7, block);
      List<CostArm> next = CostArm.order(7, block + 1);
      seen.add(order);
      assertThat(order).containsExactlyInAnyOrder(CostArm.values());
      for (int i = 0; i < order.size(); i++) {
        assertThat(next.get(order.size() - 1 - i)).isEqualTo(order.get(i));
      }
    }

    assertThat(seen).hasSizeGreaterThan(5);
    assertThat(CostArm.order(7, 3)).isEqualTo(CostArm.order(7, 3));
  }
}
