package io.trimtab.controller.plan;

import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.tenants.TableLevels;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * How much of what plans promise comes of them. A prediction may be wrong in the same way each time
 * it is made: without this a policy would make one plan after the other, each for a gain that the
 * one before has not brought.
 *
 * @param atFirst share of what is promised that was believed at {@code at}, in [0, 1]
 * @param before usage of the most used node when the last plan was decided
 * @param promised usage of the most used node that was predicted to come of it, for as much load;
 *     no less than {@code before} where there is nothing to compare, or it has been compared
 * @param at when that was decided or compared
 * @param levels what tables were served when it was decided, or earlier ones
 */
public record PlanEffect(
    double atFirst, double before, double promised, Instant at, TableLevels levels) {
  /** Of a smaller promise it is left to chance what comes of it. */
  private static final double LEAST = 0.05;

  /** After which the load may be another one. */
  private static final Duration COMPARED = Duration.ofHours(2);

  /** After which half of a disbelief is forgotten (ours). */
  private static final Duration HALF_LIFE = Duration.ofHours(2);

  /** Below it, it is told how much is believed. */
  private static final double TOLD = 0.95;

  public PlanEffect {
    // Older journals don't know it.
    levels = levels == null ? TableLevels.NONE : levels;
  }

  /** When nothing is known of any plan. */
  public static PlanEffect unknown(Instant at) {
    return new PlanEffect(1, 0, 0, at, TableLevels.NONE);
  }

  /** Share of what is promised that is believed by now, in [0, 1]. */
  public double believed(Instant now) {
    double halves = (double) age(now).toMillis() / HALF_LIFE.toMillis();
    return 1 - (1 - Math.max(0, Math.min(1, atFirst))) * Math.pow(0.5, halves);
  }

  /** Clocks of hosts differ. */
  private Duration age(Instant now) {
    Duration age = Duration.between(at, now);
    return age.isNegative() ? Duration.ZERO : age;
  }

  /** Whether something was promised that was not compared yet. */
  public boolean isOpen() {
    return before - promised >= LEAST;
  }

  /**
   * The same when it has been seen what came of the last plan: half of what was believed, and half
   * of what came of the promise. A saturated node tells nothing.
   *
   * @param most usage of the most used node, with caches that have filled
   */
  public PlanEffect compared(double most, Instant now) {
    boolean told =
        isOpen()
            && age(now).compareTo(COMPARED) <= 0
            && !Saturation.isReached(most)
            && !Saturation.isReached(before);
    double came = Math.max(0, Math.min(1, (before - most) / (before - promised)));
    return new PlanEffect(told ? (believed(now) + came) / 2 : believed(now), 0, 0, now, levels);
  }

  /**
   * The same when a plan is decided. If the one before was not compared until then, it is now: it
   * was not enough, whatever its caches.
   *
   * @param most usage of the most used node
   * @param predicted the same after the plan
   */
  public PlanEffect promising(double most, double predicted, Instant now) {
    return new PlanEffect(compared(most, now).atFirst(), most, predicted, now, levels);
  }

  /** The same that knows what tables are served. */
  public PlanEffect with(TableLevels served) {
    return new PlanEffect(atFirst, before, promised, at, served);
  }

  /**
   * How much is believed, to end a text; empty if it is nearly all.
   *
   * @param believed share in [0, 1]
   */
  public static String told(double believed) {
    return believed < TOLD
        ? String.format(
            Locale.ROOT,
            "; the last plans brought less than predicted, so only %.2f of what the next one is to"
                + " save counts, unless it adds or removes nodes",
            believed)
        : "";
  }
}
