package io.trimtab.controller.pace;

import io.trimtab.controller.settings.PaceSettings;
import java.time.Duration;

/**
 * The pace of a plan: additive increase, multiplicative decrease (Chiu and Jain 1989), as TCP finds
 * the rate that a network bears without knowing it. Half as many actions at once and pauses twice
 * as long where users notice the plan; one action more and shorter pauses where they don't. An
 * immutable value.
 *
 * @param atOnce actions of a kind that may run at the same time, ≥ 1
 * @param pause between two batches of actions
 */
public record Pace(int atOnce, Duration pause) {
  private static final Duration SHORTEST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(32);
  private static final Duration STEP = Duration.ofSeconds(2);

  /** As fast as the limits of actions at once allow. */
  public static final Pace FULL = new Pace(Integer.MAX_VALUE, Duration.ZERO);

  /**
   * The pace after the level was measured again.
   *
   * @param level of users' requests, ≥ 0; see {@link UsersLevel}
   * @param atOnceMax actions that ran at once, and may at most; ≥ 1
   */
  public Pace after(double level, PaceSettings settings, int atOnceMax) {
    int now = Math.min(atOnce, atOnceMax);
    if (level < settings.slowBelow()) {
      Duration longer = pause.multipliedBy(2);
      return new Pace(Math.max(1, now / 2), clamp(longer));
    }
    Duration shorter = pause.minus(STEP);
    return new Pace(Math.min(atOnceMax, now + 1), shorter.isNegative() ? Duration.ZERO : shorter);
  }

  private static Duration clamp(Duration pause) {
    return pause.compareTo(SHORTEST) < 0
        ? SHORTEST
        : pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }
}
