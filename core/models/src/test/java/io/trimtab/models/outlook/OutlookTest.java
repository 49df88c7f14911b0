package io.trimtab.models.outlook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class OutlookTest {
  private static final Duration STEP = Duration.ofMinutes(5);
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** Samples twice a minute, with 3 % of noise. */
  private static RateSeries series(double hours, DoubleUnaryOperator rateAtHour) {
    Random random = new Random(1);
    RateSeries series = RateSeries.of(STEP, 15 * 288);
    for (int i = 0; i < hours * 120; i++) {
      double rate = rateAtHour.applyAsDouble(i / 120.0) * (1 + 0.03 * random.nextGaussian());
      series = series.with(BEGIN.plusSeconds(30L * i), rate);
    }
    return series;
  }

  private static double daily(double hour) {
    return 1_000 * (1 - 0.7 * Math.cos(2 * Math.PI * hour / 24));
  }

  @Test
  void aSteadyRateStays() {
    Outlook outlook = Outlook.of(series(12, hour -> 500), Duration.ofHours(1));

    assertThat(outlook.expected()).isCloseTo(1, within(0.05));
    assertThat(outlook.low()).isGreaterThan(0.9);
    assertThat(outlook.high()).isLessThan(1.1);
  }

  @Test
  void onTheSecondDayTheMorningIsForeseen() {
    // At 5 o'clock, for the hour that comes.
    double truth = daily(6) / daily(5);
    Outlook outlook = Outlook.of(series(29, OutlookTest::daily), Duration.ofHours(1));

    assertThat(truth).isGreaterThan(1.2);
    assertThat(outlook.expected()).isCloseTo(truth, within(0.1));
    assertThat(outlook.low()).isGreaterThan(1.1);
  }

  @Test
  void aStepAtTheSameHourIsForeseenTheNextDay() {
    DoubleUnaryOperator steps = hour -> hour % 24 >= 8 && hour % 24 < 18 ? 3_000 : 1_000;
    Outlook before = Outlook.of(series(24 + 7.5, steps), Duration.ofHours(1));

    assertThat(before.rule()).isEqualTo("yesterday");
    assertThat(before.expected()).isCloseTo(3, within(0.4));
  }

  /** Office hours on the first five days of a week. */
  private static double weekly(double hour) {
    boolean office = hour % 24 >= 8 && hour % 24 < 18;
    return office && hour / 24 % 7 < 5 ? 3_000 : 1_000;
  }

  @Test
  void afterAWeekendTheFirstMorningIsForeseenAsAWeekAgo() {
    Outlook before = Outlook.of(series(7 * 24 + 7.5, OutlookTest::weekly), Duration.ofHours(1));

    assertThat(before.rule()).isEqualTo("a week ago");
    assertThat(before.expected()).isCloseTo(3, within(0.4));
    assertThat(before.low()).isGreaterThan(2);
  }

  /** The first week, of which nothing is known, has had the morning for nothing. */
  @Test
  void onTheSecondSaturdayNoMorningIsForeseen() {
    double saturday = 5 * 24;
    Outlook first = Outlook.of(series(saturday + 7.5, OutlookTest::weekly), Duration.ofHours(1));
    Outlook second =
        Outlook.of(series(7 * 24 + saturday + 7.5, OutlookTest::weekly), Duration.ofHours(1));

    assertThat(first.rule()).isEqualTo("yesterday");
    assertThat(first.expected()).isGreaterThan(2);
    assertThat(second.rule()).isEqualTo("a week ago");
    assertThat(second.high()).isLessThan(1.3);
  }

  @Test
  void aRiseThatHasComeIsNotForeseenOnceMore() {
    DoubleUnaryOperator steps = hour -> hour % 24 >= 8 && hour % 24 < 18 ? 3_000 : 1_000;
    Outlook after = Outlook.of(series(24 + 8 + 4.0 / 60, steps), Duration.ofHours(1));

    assertThat(after.expected()).isLessThan(1.3);
  }

  /** The load of a tenant that has been the same for six hours, and then is another. */
  private static DoubleUnaryOperator from6(double before, double after) {
    return hour -> hour < 6 ? before : after;
  }

  /** What is expected at least, every minute from an hour on. */
  private static void assertNothingMore(
      DoubleUnaryOperator rateAtHour, double fromHour, int minutes, double most, Duration within) {
    for (int minute = 0; minute < minutes; minute++) {
      double hour = fromHour + minute / 60.0;
      Outlook outlook = Outlook.of(series(hour, rateAtHour), within);
      assertThat(outlook.low()).as("%s at hour %s", outlook, hour).isLessThanOrEqualTo(most);
    }
  }

  @Test
  void aFallIsNotFoughtFromItsFirstMinuteOn() {
    for (Duration within : List.of(Duration.ofMinutes(12), Duration.ofHours(1))) {
      assertNothingMore(from6(1_000, 500), 6, 40, 1, within);
      // As that of a tenant that turns from reading from memory to writing.
      assertNothingMore(from6(8_000, 500), 6, 40, 1, within);
      assertNothingMore(hour -> 1_000 - 80 * Math.max(0, hour - 4), 5, 60, 1, within);
    }
  }

  /** Yesterday it did not fall: today's level counts all the same. */
  @Test
  void aFallOnTheSecondDayIsNotFoughtEither() {
    assertNothingMore(hour -> hour < 34 ? 1_000 : 500, 34, 60, 1.05, Duration.ofHours(1));
  }

  @Test
  void aStepUpIsNotTakenForARiseThatGoesOn() {
    for (Duration within : List.of(Duration.ofMinutes(12), Duration.ofHours(1))) {
      assertNothingMore(from6(1_000, 3_000), 6, 40, 1, within);
    }
  }

  @Test
  void ofADailyCurveTheFallIsForeseenAsWell() {
    for (double hour = 38; hour < 47; hour += 0.5) {
      Outlook outlook = Outlook.of(series(hour, OutlookTest::daily), Duration.ofMinutes(12));
      assertThat(outlook.low()).as("%s at hour %s", outlook, hour).isLessThan(1);
      assertThat(outlook.high()).as("%s at hour %s", outlook, hour).isLessThan(1.1);
    }
  }

  @Test
  void whatADayHasShownHoldsAtTodaysLevel() {
    // From 6 o'clock on half of what it was yesterday, while the morning's rise goes on.
    DoubleUnaryOperator halved = hour -> daily(hour) * (hour < 30 ? 1 : 0.5);
    double truth = daily(7.5) / daily(6.5);
    Outlook outlook = Outlook.of(series(30.5, halved), Duration.ofHours(1));

    assertThat(outlook.rule()).isEqualTo("yesterday");
    assertThat(outlook.expected()).isCloseTo(truth, within(0.1));
  }

  @Test
  void howMuchHistoryItNeedsIsToldUntilThereIsAsMuch() {
    Outlook early = Outlook.of(series(1, hour -> 500), Duration.ofMinutes(10));

    assertThat(early.rule()).isEqualTo("it is now");
    assertThat(early.needs()).contains(Duration.ofMinutes(90));
    assertThat(Outlook.of(series(1.6, hour -> 500), Duration.ofMinutes(10)).needs()).isEmpty();
  }

  @Test
  void withoutHistoryNothingIsSure() {
    Outlook outlook = Outlook.of(series(0.3, hour -> 500), Duration.ofHours(1));

    assertThat(outlook.expected()).isCloseTo(1, within(0.05));
    assertThat(outlook.high() / outlook.low()).isGreaterThan(1.5);
    assertThat(Outlook.of(RateSeries.of(STEP, 10), Duration.ofHours(1)).expected()).isEqualTo(1);
  }

  @Test
  void gapsAndClocksThatGoBackDoNoHarm() {
    RateSeries series = RateSeries.of(STEP, 20);
    series = series.with(BEGIN, 100);
    series = series.with(BEGIN.plus(Duration.ofDays(30)), 200);
    Instant back = BEGIN.plus(Duration.ofDays(30)).minus(Duration.ofMinutes(20));
    assertThat(series.with(back, 1_000_000)).isSameAs(series);
    assertThat(series.with(BEGIN, 1_000_000).size()).isZero();
    assertThat(series.size()).isEqualTo(20);
    assertThat(Outlook.of(series, Duration.ofHours(1)).expected()).isEqualTo(1);
  }
}
