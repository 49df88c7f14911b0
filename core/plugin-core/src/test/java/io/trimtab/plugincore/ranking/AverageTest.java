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
    Average told = Average.ofServiceTimes(4);
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

  private static final long MS = 1_000_000;

  /** Of a node that has long taken 0.5 ms a read. */
  private static Average quick(int readers, long until) {
    Average told = Average.ofServiceTimes(readers);
    for (long now = 0; now < until; now += 20 * MS) {
      told.add(MS / 2, now);
    }
    return told;
  }

  /** Reads that a pause of 50 ms has held up end together: nobody need leave the replica. */
  @Test
  void aPauseCountsOnceHoweverManyReadsItHoldsUp() {
    double one = afterPause(1);

    assertThat(afterPause(3)).isLessThan(1.3 * one);
    assertThat(afterPause(8)).isLessThan(2 * one);
    assertThat(one).isBetween(1.3 * MS, 1.7 * MS);
  }

  private static double afterPause(int reads) {
    Average told = quick(4, 2_000 * MS);
    long now = 2_000 * MS;
    told.add(50 * MS, now);
    for (int i = 1; i < reads; i++) {
      now += MS / 5;
      told.add(50 * MS, now);
    }
    return told.value();
  }

  /** Eight that wait for a disk of ten reads a second end one after another. */
  @Test
  void aSlowDiskIsToldThoughItsReadsWaitAtOnce() {
    Average told = quick(8, 2_000 * MS);
    for (int i = 1; i <= 8; i++) {
      told.add(i * 100 * MS, (2_000 + i * 100) * MS);
    }
    assertThat(told.value()).isGreaterThan(50 * MS);
  }

  /** Thirty-two at a time, half of them from memory: what ends between slow ones is no pause. */
  @Test
  void slowReadsAmongManyQuickOnesAreTold() {
    Average told = quick(32, 2_000 * MS);
    long now = 2_000 * MS;
    for (int i = 0; i < 200; i++) {
      now += 5 * MS / 8;
      told.add(i % 2 == 0 ? 40 * MS : MS / 10, now);
    }
    assertThat(told.value()).isGreaterThan(4.0 * MS);
  }
}
