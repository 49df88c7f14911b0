package io.trimtab.models.outlook;

import java.time.Duration;

/**
 * The greatest rate that is expected within a time, as multiples of the present one.
 *
 * <p>Each of a few simple rules predicts: the rate stays; it goes on rising or falling as in the
 * last half hour, by less and less; it goes as at the same time yesterday, or a week ago, at
 * today's level. The rule that was least wrong in the last half day is believed, and its errors
 * give the interval.
 *
 * @param low what is expected at least, at one standard deviation
 * @param high what is expected at most, at one standard deviation
 * @param rule the rule, as the end of "as …"
 */
public record Outlook(double low, double expected, double high, String rule) {
  private static final int SMOOTH = 3;
  private static final double DAMPED = 0.9;

  /** Of a day's or a week's level against the last one's. */
  private static final double LEVEL_MAX = 3;

  /** Past forecasts that a rule is judged by, at least and at most. */
  private static final int JUDGED_MIN = 6;

  private static final int JUDGED_MAX = 48;
  private static final int JUDGED_EVERY = 3;

  /** Standard deviation of a forecast's logarithm while nothing is known of its errors. */
  private static final double UNJUDGED = 0.3;

  /** Rules whose errors differ by less are equally good. */
  private static final double ABOUT_AS_GOOD = 0.05;

  /** Below it rates are no different from none, in requests a second. */
  private static final double NOTHING = 1;

  /** Predicts the interval that comes {@code ahead} after the one at {@code now}. */
  private interface Rule {
    double predict(RateSeries series, int now, int ahead);
  }

  private record Named(String name, Rule rule) {}

  /**
   * The outlook of a series.
   *
   * @param within &gt; 0
   */
  public static Outlook of(RateSeries series, Duration within) {
    int ahead = Math.max(1, (int) Math.ceil((double) within.toMillis() / series.step().toMillis()));
    int now = series.size() - 1;
    double last = level(series, now);
    if (!(last >= 0)) {
      return new Outlook(1, 1, 1, "it is now");
    }
    Named[] rules = rules(series);
    double[] errors = new double[rules.length];
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < rules.length; i++) {
      errors[i] = error(series, now, ahead, rules[i].rule());
      least = Math.min(least, errors[i]);
    }
    int best = 0;
    for (int i = 0; i < rules.length; i++) {
      // In quiet hours all are right; a rule that remembers may know of what comes.
      best = errors[i] <= least + ABOUT_AS_GOOD ? i : best;
    }
    double most = 0;
    for (int i = 1; i <= ahead; i++) {
      double predicted = rules[best].rule().predict(series, now, i);
      // Of an hour of which nothing was recorded nothing is foreseen.
      most = Math.max(most, Double.isNaN(predicted) ? last : predicted);
    }
    // What has risen since the last interval ended has come already.
    double factor = (most + NOTHING) / (series.present() + NOTHING);
    double wrong = Math.exp(errors[best]);
    return new Outlook(factor / wrong, factor, factor * wrong, rules[best].name());
  }

  private static Named[] rules(RateSeries series) {
    int day = (int) (Duration.ofDays(1).toMillis() / series.step().toMillis());
    return new Named[] {
      new Named("it is now", (s, now, ahead) -> level(s, now)),
      new Named("it has changed lately", Outlook::trend),
      new Named("yesterday", (s, now, ahead) -> again(s, now, ahead, day)),
      new Named("a week ago", (s, now, ahead) -> again(s, now, ahead, 7 * day))
    };
  }

  /** Mean of the last intervals that are known. */
  private static double level(RateSeries series, int now) {
    double sum = 0;
    int known = 0;
    for (int i = now; i > now - SMOOTH; i--) {
      double rate = series.rate(i);
      if (!Double.isNaN(rate)) {
        sum += rate;
        known++;
      }
    }
    return known == 0 ? Double.NaN : sum / known;
  }

  private static double trend(RateSeries series, int now, int ahead) {
    double last = level(series, now);
    double slope = (last - level(series, now - SMOOTH)) / SMOOTH;
    double way = (1 - Math.pow(DAMPED, ahead)) / (1 - DAMPED);
    return Math.max(0, last + slope * way);
  }

  private static double again(RateSeries series, int now, int ahead, int period) {
    // Further ahead than a period it is as in the period before.
    int then = now - period;
    double before = level(series, then);
    double ratio = (level(series, now) + NOTHING) / (before + NOTHING);
    double bounded = Math.max(1 / LEVEL_MAX, Math.min(LEVEL_MAX, ratio));
    return series.rate(then + (ahead - 1) % period + 1) * bounded;
  }

  /** Root mean square of the logarithms of how wrong a rule was; infinite if it can't be told. */
  private static double error(RateSeries series, int now, int ahead, Rule rule) {
    double squares = 0;
    int judged = 0;
    for (int i = 0; i < JUDGED_MAX; i++) {
      int then = now - ahead - i * JUDGED_EVERY;
      double was = level(series, then + ahead);
      double predicted = rule.predict(series, then, ahead);
      if (then >= 0 && !Double.isNaN(was) && !Double.isNaN(predicted)) {
        double wrong = Math.log((predicted + NOTHING) / (was + NOTHING));
        squares += wrong * wrong;
        judged++;
      }
    }
    if (judged >= JUDGED_MIN) {
      return Math.sqrt(squares / judged);
    }
    double simplest = rule.predict(series, now, ahead);
    return Double.isNaN(simplest) || simplest != level(series, now)
        ? Double.POSITIVE_INFINITY
        : UNJUDGED;
  }
}
