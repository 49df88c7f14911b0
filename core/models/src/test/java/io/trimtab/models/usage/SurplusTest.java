package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SurplusTest {
  @Test
  void itIsTheMeanOfWhatIsDrawnAboveNothing() {
    Random random = new Random(1);
    for (double mean : new double[] {-0.2, -0.05, 0, 0.1, 0.4}) {
      double sum = 0;
      for (int i = 0; i < 200_000; i++) {
        sum += Math.max(0, mean + 0.1 * random.nextGaussian());
      }
      assertThat(Surplus.expected(mean, 0.1)).isCloseTo(sum / 200_000, within(0.001));
    }
  }

  @Test
  void whatIsCertainIsTheNumberItself() {
    assertThat(Surplus.expected(0.3, 0)).isEqualTo(0.3);
    assertThat(Surplus.expected(-0.3, 0)).isZero();
    assertThat(Surplus.expected(-3, 0.01)).isCloseTo(0, within(1e-12));
  }
}
