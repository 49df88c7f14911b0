package io.trimtab.controller.plan;

import io.trimtab.controller.health.Saturation;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * How much of what plans promise comes of them. A prediction may be wrong in the same way each time
 * it is made: without this a policy would make one plan after the other, each for a gain that the
 * one before has not brought.
 *
 * @param believed share of what is promised that is believed, in [0, 1]
 * @param before usage of the most used node when the last plan was decided
 * @param promised usage of the most used node that was predicted to come of it, for as much load;
 *     the same as {@code before} where nothing is compared, as of a plan by which nodes come or go
 * @param at when it was decided
 */
public record PlanEffect(double believed, double before, double promised, Instant at) {
  /** Of a smaller promise it is left to chance what comes of it. */
  private static final double LEAST = 0.05;

  /** After which the load may be another one. */
  private static final Duration COMPARED = Duration.ofHours(1);

  /** Below it, it is told how much is believed. */
  private static final double TOLD = 0.95;

  /** After which half of a disbelief is forgotten (ours). */
  private static final Duration HALF_LIFE = Duration.ofHours(2);

  /** When nothing is known of any plan. */
  public static PlanEffect unknown(Instant at) {
    return new PlanEffect(1, 0, 0, at);
  }

  /** The same when a plan is decided. */
  public PlanEffect promising(double most, double predicted, Instant now) {
    return new PlanEffect(believed, most, predicted, now);
  }

  /**
   * What is believed by now: half of what was, and half of what has come of the last plan. A
   * saturated node tells nothing.
   *
   * @param most usage of the most used node now
   */
  public PlanEffect seen(double most, Instant now) {
    Duration age = Duration.between(at, now);
    double forgotten =
        1 - (1 - believed) * Math.pow(0.5, (double) age.toMillis() / HALF_LIFE.toMillis());
    boolean told =
        before - promised >= LEAST
            && age.compareTo(COMPARED) <= 0
            && !Saturation.isReached(most)
            && !Saturation.isReached(before);
    double came = Math.max(0, Math.min(1, (before - most) / (before - promised)));
    return new PlanEffect(told ? (forgotten + came) / 2 : forgotten, before, promised, now);
  }

  /** How much is believed, to end a text; empty if it is all. */
  public String told() {
    return believed < TOLD
        ? String.format(
            Locale.ROOT,
            "; what plans with the same nodes save counts as %.2f of what is predicted, since the"
                + " last ones have brought less than that",
            believed)
        : "";
  }
}
