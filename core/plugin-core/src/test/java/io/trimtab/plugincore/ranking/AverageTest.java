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

  /** Three reads that a pause of 50 ms has held up end together: nobody need leave the replica. */
  @Test
  void aPauseCountsOnceHoweverManyReadsItHoldsUp() {
    double one = afterPause(1);

    assertThat(afterPause(3)).isLessThan(1.3 * one);
    assertThat(one).isBetween(1.3e6, 1.7e6);
  }

  private static double afterPause(int reads) {
    Average told = Average.ofServiceTimes();
    long now = 0;
    for (int i = 0; i < 100; i++) {
      now += 20_000_000;
      told.add(500_000, now);
    }
    now += 50_000_000;
    for (int i = 0; i < reads; i++) {
      now += 200_000;
      told.add(50_000_000 + i * 200_000, now);
    }
    return told.value();
  }

  /** Eight that wait for a disk of ten reads a second end one after another. */
  @Test
  void aSlowDiskIsToldThoughItsReadsWaitAtOnce() {
    Average told = Average.ofServiceTimes();
    long now = 0;
    for (int i = 0; i < 100; i++) {
      now += 20_000_000;
      told.add(500_000, now);
    }
    for (int i = 1; i <= 8; i++) {
      now += 100_000_000;
      told.add(i * 100_000_000, now);
    }
    assertThat(told.value()).isGreaterThan(50e6);
  }
}
