package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AverageTest {
  @Test
  void theFirstValueCountsWhole() {
    Average average = new Average(0.1);
    assertThat(average.isKnown()).isFalse();
    assertThat(average.or(7)).isEqualTo(7);

    average.add(20);
    average.add(30);

    assertThat(average.value()).isCloseTo(21, within(1e-9));
    assertThat(average.or(7)).isCloseTo(21, within(1e-9));
  }

  /** What a limit of a disk holds up now and then is no slow disk; ten of ten are one. */
  @Test
  void oneSlowReadIsNoSlowReplica() {
    Average told = Average.ofServiceTimes();
    for (int i = 0; i < 100; i++) {
      told.add(0.8);
    }
    assertThat(told.value()).isCloseTo(0.8, within(1e-6));
    told.add(90);
    assertThat(told.value()).isCloseTo(2.57, within(0.01));

    for (int i = 0; i < 20; i++) {
      told.add(90);
    }
    assertThat(told.value()).isGreaterThan(60);
    for (int i = 0; i < 20; i++) {
      told.add(0.8);
    }
    assertThat(told.value()).isLessThan(2);
  }
}
