package io.trimtab.models.outlook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class LastingTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private static RateSeries series(double hours, DoubleUnaryOperator rateAtHour) {
    return series(hours, hour -> true, rateAtHour);
  }

  /**
   * @param runs at which hours there is a controller
   */
  private static RateSeries series(
      double hours, DoublePredicate runs, DoubleUnaryOperator rateAtHour) {
    RateSeries series = RateSeries.of(Duration.ofMinutes(5), 15 * 288);
    for (int i = 0; i < hours * 120; i++) {
      if (runs.test(i / 120.0)) {
        series = series.with(BEGIN.plusSeconds(30L * i), rateAtHour.applyAsDouble(i / 120.0));
      }
    }
    return series;
  }

  private static Duration minutes(long minutes) {
    return Duration.ofMinutes(minutes);
  }

  @Test
  void ofALoadThatHasNotChangedNothingIsKnown() {
    assertThat(Lasting.of(List.of())).isEmpty();
    assertThat(Lasting.of(List.of(RateSeries.of(minutes(5), 10)))).isEmpty();
    assertThat(Lasting.of(List.of(series(5, hour -> 500)))).isEmpty();
    assertThat(Lasting.of(List.of(series(5, hour -> 500 + 10 * hour)))).isEmpty();
  }

  @Test
  void aNewLoadIsExpectedToLastAsLongAsTheOnesBefore() {
    assertThat(Lasting.of(List.of(series(6.25, hour -> hour < 6 ? 1_000 : 3_000))))
        .contains(Duration.ofHours(6));
    DoubleUnaryOperator quarters = hour -> (int) (4 * hour) % 2 == 0 ? 1_000 : 2_000;
    assertThat(Lasting.of(List.of(series(4.1, quarters)))).contains(minutes(15));
  }

  @Test
  void oneThatHasLastedLongerIsExpectedToGoOnAsLongAgain() {
    DoubleUnaryOperator last = hour -> hour < 1 && (int) (4 * hour) % 2 == 0 ? 1_000 : 2_000;
    // Since the last quarter of the first hour began.
    assertThat(Lasting.of(List.of(series(4.75, last)))).contains(Duration.ofHours(4));
  }

  @Test
  void hoursWithoutAControllerAreNoPartOfALoadsTime() {
    DoublePredicate notFrom2To12 = hour -> hour < 2 || hour >= 12;

    // Two hours before and one after were recorded of the first load.
    assertThat(Lasting.of(List.of(series(13.25, notFrom2To12, h -> h < 13 ? 1_000 : 3_000))))
        .contains(Duration.ofHours(3));
    // An hour before and a half after of the present one.
    assertThat(Lasting.of(List.of(series(12.5, notFrom2To12, h -> h < 1 ? 1_000 : 3_000))))
        .contains(minutes(90));
  }

  /** As where one tenant's requests become another's. */
  @Test
  void anotherMixIsAnotherLoad() {
    RateSeries falls = series(2, hour -> hour < 1 ? 1_000 : 200);
    RateSeries rises = series(2, hour -> hour < 1 ? 200 : 1_000);

    assertThat(Lasting.of(List.of(falls, rises))).contains(Duration.ofHours(1));
  }

  @Test
  void oneIntervalAloneIsAChangeAndNoLoad() {
    // Steps in the middle of an interval, whose mean is between.
    DoubleUnaryOperator steps = hour -> hour < 2 + 2.5 / 60 ? 1_000 : 6_000;
    assertThat(Lasting.of(List.of(series(2.5, steps)))).contains(Duration.ofHours(2));
  }
}
