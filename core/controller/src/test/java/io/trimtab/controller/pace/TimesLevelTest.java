package io.trimtab.controller.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.ServedTimes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimesLevelTest {
  private static final double NONE = Double.NaN;

  private static double level(ServedTimes before, ServedTimes now) {
    return TimesLevel.of(before, now, 2).orElseThrow().level();
  }

  private static ServedTimes p99(double ms) {
    return new ServedTimes(ms, NONE, NONE);
  }

  @Test
  void upToTheLimitRequestsMayBeSlower() {
    assertThat(level(p99(50), p99(20))).isEqualTo(1);
    assertThat(level(p99(50), p99(100))).isEqualTo(1);
    assertThat(level(p99(50), p99(200))).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void whatNobodyNoticesIsNoReason() {
    assertThat(level(p99(0.5), p99(20))).isEqualTo(1);
    assertThat(level(p99(0.5), p99(40))).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void theWorstOfAllIsTold() {
    Optional<TimesLevel> level =
        TimesLevel.of(new ServedTimes(50, 0.001, 20), new ServedTimes(110, 0.001, 100), 2);

    assertThat(level.orElseThrow().level()).isCloseTo(0.4, within(1e-9));
    assertThat(level.get().told())
        .isEqualTo("clients wait 100.0 ms, before the plan at most 20.0 ms");
  }

  @Test
  void requestsThatFailWeighMost() {
    assertThat(level(new ServedTimes(50, 0.001, NONE), new ServedTimes(50, 0.003, NONE)))
        .isCloseTo(0.8, within(1e-9));
    assertThat(level(new ServedTimes(NONE, 0, NONE), new ServedTimes(NONE, 0.5, NONE))).isZero();
    assertThat(level(new ServedTimes(NONE, 0.2, NONE), new ServedTimes(NONE, 0.1, NONE)))
        .isEqualTo(1);
  }

  /** Nothing is made up of what is known on one side only. */
  @Test
  void withoutALevelBeforeThereIsNone() {
    assertThat(TimesLevel.of(ServedTimes.UNKNOWN, new ServedTimes(900, 0.5, 900), 2)).isEmpty();
    assertThat(TimesLevel.of(new ServedTimes(9, 0, 9), ServedTimes.UNKNOWN, 2)).isEmpty();
  }
}
