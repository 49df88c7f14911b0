package io.trimtab.experiments.latency.cost;

import io.trimtab.experiments.report.MedianInterval;
import io.trimtab.experiments.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

/**
 * Two arms of COST, block by block.
 *
 * @param pairs of all blocks that have both
 * @param rounds the median of each round's pairs
 * @param compiling the compilers' share of the CPU time, the median of these halves
 * @param asked the most that there may be; NaN where nothing is asked
 */
record CostComparison(
    String what,
    CostArm arm,
    CostArm base,
    MedianInterval pairs,
    List<Double> rounds,
    double compiling,
    double asked) {
  /** Fewer pairs decide nothing. */
  static final int PAIRS_LEAST = 20;

  /** Where compilers take more, what runs is not what nodes will run. */
  static final double COMPILING_MUCH = 0.02;

  /** Whether what is asked holds. */
  enum Verdict {
    MET,
    MISSED,
    /** More pairs, or rounds, are needed. */
    OPEN,
    /** Nothing is asked. */
    NONE
  }

  /**
   * Compares.
   *
   * @param of what is compared, of the arm and of the base in the same block
   * @return empty while no block has both
   */
  static Optional<CostComparison> of(
      List<CostHalf> halves,
      String what,
      CostArm arm,
      CostArm base,
      double asked,
      ToDoubleBiFunction<CostHalf, CostHalf> of) {
    List<Double> all = new ArrayList<>();
    List<Double> rounds = new ArrayList<>();
    List<Double> compiling = new ArrayList<>();
    int last = halves.stream().mapToInt(CostHalf::round).max().orElse(0);
    for (int round = 1; round <= last; round++) {
      List<Double> its = new ArrayList<>();
      for (CostHalf half : halves) {
        if (half.round() == round && half.arm() == arm && half.phase() == CostHalf.Phase.COMPARED) {
          partner(halves, half, base)
              .ifPresent(
                  other -> {
                    its.add(of.applyAsDouble(half, other));
                    compiling.add(half.compiling());
                    compiling.add(other.compiling());
                  });
        }
      }
      if (!its.isEmpty()) {
        all.addAll(its);
        rounds.add(Spread.of(array(its)).median());
      }
    }
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CostComparison(
                what,
                arm,
                base,
                MedianInterval.of(array(all)),
                rounds,
                Spread.of(array(compiling)).median(),
                asked));
  }

  private static Optional<CostHalf> partner(List<CostHalf> halves, CostHalf of, CostArm base) {
    return halves.stream()
        .filter(half -> half.phase() == of.phase() && half.block() == of.block())
        .filter(half -> half.arm() == base)
        .findFirst();
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /**
   * Pairs of a round share their processes, and are no news of others: each round must agree with
   * the interval of all pairs.
   */
  Verdict verdict() {
    if (Double.isNaN(asked)) {
      return Verdict.NONE;
    }
    if (pairs.spread().runs() < PAIRS_LEAST || compiling > COMPILING_MUCH) {
      return Verdict.OPEN;
    }
    if (pairs.high() <= asked && rounds.stream().allMatch(median -> median <= asked)) {
      return Verdict.MET;
    }
    if (pairs.low() > asked && rounds.stream().allMatch(median -> median > asked)) {
      return Verdict.MISSED;
    }
    return Verdict.OPEN;
  }
}
