package io.trimtab.models.outlook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RateSeriesTest {
  private static final Duration STEP = Duration.ofMinutes(5);
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void theHighestRateIsOfTheTimeThatIsAskedFor() {
    RateSeries series = RateSeries.of(STEP, 100);
    assertThat(series.highest(Duration.ofHours(1))).isZero();

    series = series.with(NOON, 900);
    // Half an hour of which nothing is known.
    series = series.with(NOON.plus(Duration.ofMinutes(35)), 100).with(minutes(36), 300);
    series = series.with(minutes(40), 50);

    assertThat(series.highest(Duration.ofMinutes(10))).isEqualTo(200);
    assertThat(series.highest(Duration.ofHours(1))).isEqualTo(900);
    assertThat(series.highest(Duration.ofDays(30))).isEqualTo(900);
    assertThat(series.with(minutes(41), 5_000).highest(STEP)).isEqualTo(2_525);
  }

  private static Instant minutes(int minutes) {
    return NOON.plus(Duration.ofMinutes(minutes));
  }
}
