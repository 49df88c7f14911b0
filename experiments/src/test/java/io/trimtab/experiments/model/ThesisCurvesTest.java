package io.trimtab.experiments.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.plugincore.SplitEstimator;
import io.trimtab.plugincore.SteppingEstimator;
import org.junit.jupiter.api.Test;

/** The shapes of Cruz 2016, Figures 4.1 to 4.3: Zipf over 10,000 keys, 20,000 requests. */
class ThesisCurvesTest {
  private static final int KEYS = 10_000;

  /** Mean distance of the left share from one half over requests from … to. */
  private static double error(SplitEstimator estimator, int from, int to, long seed) {
    KnownRequests requests = KnownRequests.zipf(KEYS, seed);
    double sum = 0;
    for (int i = 1; i <= to; i++) {
      estimator.add(requests.next());
      if (i > from) {
        sum += Math.abs(requests.below((int) estimator.split().orElseThrow()) - 0.5);
      }
    }
    return sum / (to - from);
  }

  private static double median(java.util.function.LongToDoubleFunction run) {
    return java.util.stream.LongStream.range(0, 9)
        .mapToDouble(run)
        .sorted()
        .skip(4)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void linearIsNearTheOptimumByEightThousandRequests() {
    assertThat(median(s -> error(SteppingEstimator.linear(1), 8_000, 20_000, s))).isLessThan(0.06);
  }

  @Test
  void exponentialIsSoonerThereAndLessSteady() {
    double linear = median(s -> error(SteppingEstimator.linear(1), 15_000, 20_000, s));
    double exponential = median(s -> error(SteppingEstimator.exponential(1), 15_000, 20_000, s));
    assertThat(exponential).isGreaterThan(linear);
  }

  @Test
  void pingPongIsAsSteadyAsLinearInTheEnd() {
    double exponential = median(s -> error(SteppingEstimator.exponential(1), 15_000, 20_000, s));
    double mixed = median(s -> error(SteppingEstimator.pingPong(2, 1), 15_000, 20_000, s));
    assertThat(mixed).isLessThan(exponential);
  }
}
