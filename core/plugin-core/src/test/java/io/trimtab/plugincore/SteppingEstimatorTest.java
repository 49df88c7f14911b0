package io.trimtab.plugincore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteppingEstimatorTest {
  @Test
  void anEstimateNeverLeavesTheKeysSeen() {
    for (SplitEstimator estimator :
        new SplitEstimator[] {
          SteppingEstimator.linear(0),
          SteppingEstimator.exponential(0),
          SteppingEstimator.pingPong(4, 0)
        }) {
      java.util.Random random = new java.util.Random(5);
      long low = Long.MAX_VALUE;
      long high = Long.MIN_VALUE;
      for (int i = 0; i < 10_000; i++) {
        long image = random.nextLong();
        low = Math.min(low, image);
        high = Math.max(high, image);
        estimator.add(image);
        assertThat(estimator.split().orElseThrow()).isBetween(low, high);
      }
    }
  }
}
