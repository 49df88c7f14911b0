package io.trimtab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MedianIntervalTest {
  private static double[] upTo(int n) {
    return IntStream.rangeClosed(1, n).mapToDouble(i -> n + 1 - i).toArray();
  }

  /** As in tables of the sign test. */
  @Test
  void theEndsAreTheRanksOfTheSignTest() {
    MedianInterval twenty = MedianInterval.of(upTo(20));

    assertThat(twenty.median()).isEqualTo(10.5);
    assertThat(twenty.low()).isEqualTo(6);
    assertThat(twenty.high()).isEqualTo(15);
    assertThat(twenty.coverage()).isCloseTo(0.9586, within(1e-4));
    assertThat(MedianInterval.of(upTo(21)).coverage()).isCloseTo(0.9734, within(1e-4));
  }

  @Test
  void fewMeasurementsSayHowLittleTheyHold() {
    MedianInterval five = MedianInterval.of(3, 1, 4, 1.5, 9);
    MedianInterval one = MedianInterval.of(7);

    assertThat(five.low()).isEqualTo(1);
    assertThat(five.high()).isEqualTo(9);
    assertThat(five.coverage()).isCloseTo(1 - 2 / 32.0, within(1e-9));
    assertThat(one.low()).isEqualTo(7);
    assertThat(one.high()).isEqualTo(7);
    assertThat(one.coverage()).isZero();
    assertThatThrownBy(MedianInterval::of).isInstanceOf(IllegalArgumentException.class);
  }

  /** Of a skewed distribution, whose median is known. */
  @Test
  void theTrueMedianIsInsideAsOftenAsItSays() {
    Random random = new Random(5);
    int inside = 0;
    int tries = 4_000;
    for (int i = 0; i < tries; i++) {
      double[] values = random.doubles(21).map(u -> -Math.log(1 - u)).toArray();
      MedianInterval interval = MedianInterval.of(values);
      inside += interval.low() <= Math.log(2) && Math.log(2) <= interval.high() ? 1 : 0;
    }

    assertThat((double) inside / tries).isCloseTo(0.9734, within(0.01));
  }
}
