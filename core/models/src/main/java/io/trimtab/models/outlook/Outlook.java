package io.trimtab.models.outlook;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * The greatest rate that is expected within a time, as multiples of the present one.
 *
 * <p>Each of a few simple rules predicts: the rate stays; it goes on rising or falling as in the
 * last half hour, by less and less; it goes as at the same time yesterday, or a week ago, at
 * today's level. The rule that was least wrong in the last half day is believed, and its errors
 * give the interval. All of them begin with the interval that goes on: what has risen or fallen
 * since the last one ended has come already, and is not foreseen once more.
 *
 * @param low what is expected at least, at one standard deviation
 * @param high what is expected at most, at one standard deviation
 * @param rule the rule, as the end of "as …"
 * @param needs how much must have been recorded before a rule can be judged; empty if there is as
 *     much
 */
public record Outlook(
    double low, double expected, double high, String rule, Optional<Duration> needs) {
  /** Intervals whose changes tell whether a rate is rising or falling: half an hour of them. */
  private static final int TREND = 6;

  private static final double DAMPED = 0.9;

  /** Where the level differs more from a day's or a week's, that one tells nothing of today. */
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
  public static final double NOTHING = 1;

  /** Predicts the rate of the interval that comes {@code ahead} after the one at {@code now}. */
  private interface Rule {
    /**
     * @param rate of the interval at {@code now}
     * @return NaN where it can't be told
     */
    double predict(RateSeries series, int now, double rate, int ahead);
  }

  private record Named(String name, Rule rule) {}

  /** The rules, those that remember more after the others; the first can always be told. */
  private static Named[] rules(RateSeries series) {
    int day = (int) (Duration.ofDays(1).toMillis() / series.step().toMillis());
    return new Named[] {
      new Named("it is now", (s, now, rate, ahead) -> rate),
      new Named("it has changed lately", Outlook::trend),
      new Named("yesterday", (s, now, rate, ahead) -> again(s, now, rate, ahead, day)),
      new Named("a week ago", (s, now, rate, ahead) -> again(s, now, rate, ahead, 7 * day))
    };
  }

  /**
   * The outlook of a series.
   *
   * @param within &gt; 0
   */
  public static Outlook of(RateSeries series, Duration within) {
    int ahead = Math.max(1, (int) Math.ceil((double) within.toMillis() / series.step().toMillis()));
    Named[] rules = rules(series);
    Optional<Duration> needs = Optional.of(series.step().multipliedBy(intervalsToJudge(ahead)));
    if (series.isEmpty()) {
      return new Outlook(1, 1, 1, rules[0].name(), needs);
    }
    int now = series.size();
    double[] most = new double[rules.length];
    double[] errors = new double[rules.length];
    for (int i = 0; i < rules.length; i++) {
      most[i] = most(rules[i].rule(), series, now, series.present(), ahead);
      // What can't be told of now is of no use, however right it was before.
      errors[i] =
          Double.isNaN(most[i])
              ? Double.POSITIVE_INFINITY
              : error(rules[i].rule(), series, now, ahead);
    }
    boolean judged = Double.isFinite(errors[0]);
    if (!judged) {
      errors[0] = UNJUDGED;
    }
    int best = best(errors);
    double factor = (most[best] + NOTHING) / (series.present() + NOTHING);
    double wrong = Math.exp(errors[best]);
    return new Outlook(
        factor / wrong,
        factor,
        factor * wrong,
        rules[best].name(),
        judged ? Optional.empty() : needs);
  }

  /**
   * The rate that is meant by a multiple of the present one, which counts {@link #NOTHING} more
   * than there is, so that there are multiples of nothing, too.
   *
   * @param factor {@link #low}, {@link #expected} or {@link #high}
   * @param present in requests a second, ≥ 0
   * @return ≥ 0
   */
  public static double rate(double factor, double present) {
    return Math.max(0, factor * (present + NOTHING) - NOTHING);
  }

  /** Of which the least recent one can just be judged. */
  private static int intervalsToJudge(int ahead) {
    return ahead + (JUDGED_MIN - 1) * JUDGED_EVERY + 1;
  }

  /**
   * In quiet hours all are right, and a rule that remembers may know of what comes. That it goes on
   * as in the last half hour remembers nothing, and is believed only where it was better.
   */
  private static int best(double[] errors) {
    double least = Arrays.stream(errors).min().orElseThrow();
    int best = errors[1] < errors[0] ? 1 : 0;
    for (int i = 2; i < errors.length; i++) {
      best = errors[i] <= least + ABOUT_AS_GOOD ? i : best;
    }
    return best;
  }

  /**
   * The greatest rate that a rule predicts within so many intervals; NaN if it tells nothing. Of an
   * hour of which nothing was recorded nothing is foreseen.
   */
  private static double most(Rule rule, RateSeries series, int now, double rate, int ahead) {
    double most = Double.NaN;
    for (int i = 1; i <= ahead; i++) {
      most = greater(most, rule.predict(series, now, rate, i));
    }
    return most;
  }

  /** Of two, of which either may not be known. */
  private static double greater(double one, double other) {
    return Double.isNaN(one) || other > one ? other : one;
  }

  /**
   * By the median change of an interval, since the mean takes each step for a rise that goes on.
   */
  private static double trend(RateSeries series, int now, double rate, int ahead) {
    double[] changes = new double[TREND];
    int known = 0;
    for (int i = now; i > now - TREND; i--) {
      double change = series.known(i) - series.known(i - 1);
      if (!Double.isNaN(change)) {
        changes[known++] = change;
      }
    }
    if (known < TREND / 2) {
      return Double.NaN;
    }
    Arrays.sort(changes, 0, known);
    double median = (changes[(known - 1) / 2] + changes[known / 2]) / 2;
    double way = (1 - Math.pow(DAMPED, ahead)) / (1 - DAMPED);
    return Math.max(0, rate + median * way);
  }

  private static double again(RateSeries series, int now, double rate, int ahead, int period) {
    int then = now - period;
    double ratio = (rate + NOTHING) / (series.rate(then) + NOTHING);
    if (!(ratio <= LEVEL_MAX && ratio >= 1 / LEVEL_MAX)) {
      return Double.NaN;
    }
    // Further ahead than a period it is as in the period before.
    return series.known(then + (ahead - 1) % period + 1) * ratio;
  }

  /**
   * Root mean square of the logarithms of how wrong a rule was about the greatest rate; infinite if
   * it can't be told.
   */
  private static double error(Rule rule, RateSeries series, int now, int ahead) {
    double squares = 0;
    int judged = 0;
    for (int i = 0; i < JUDGED_MAX; i++) {
      int then = now - ahead - i * JUDGED_EVERY;
      double rate = series.rate(then);
      if (Double.isNaN(rate)) {
        continue;
      }
      double was = Double.NaN;
      for (int k = 1; k <= ahead; k++) {
        was = greater(was, series.known(then + k));
      }
      double predicted = most(rule, series, then, rate, ahead);
      if (!Double.isNaN(was) && !Double.isNaN(predicted)) {
        double wrong = Math.log((predicted + NOTHING) / (was + NOTHING));
        squares += wrong * wrong;
        judged++;
      }
    }
    return judged >= JUDGED_MIN ? Math.sqrt(squares / judged) : Double.POSITIVE_INFINITY;
  }
}
