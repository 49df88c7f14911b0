package io.trimtab.controller.pace;

import io.trimtab.controller.settings.PaceSettings;

/**
 * How many actions of a plan run at once: additive increase, multiplicative decrease (Chiu and Jain
 * 1989), as TCP finds the rate that a network bears without knowing it. An immutable value.
 *
 * @param atOnce actions of a kind that may run at the same time, ≥ 1
 */
public record Pace(int atOnce) {
  /** As fast as the limits of actions at once allow. */
  public static final Pace FULL = new Pace(Integer.MAX_VALUE);

  /**
   * The pace after the level was measured again: half as many where users notice the plan, one more
   * where they don't.
   *
   * @param level of users' requests, as a share of the least before the plan, ≥ 0
   * @param atOnceMax actions that ran at once, and may at most; ≥ 1
   */
  public Pace after(double level, PaceSettings settings, int atOnceMax) {
    int now = Math.min(atOnce, atOnceMax);
    return new Pace(
        level < settings.slowBelow() ? Math.max(1, now / 2) : Math.min(atOnceMax, now + 1));
  }
}
