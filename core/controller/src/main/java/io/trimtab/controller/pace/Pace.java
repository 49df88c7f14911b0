package io.trimtab.controller.pace;

import io.trimtab.controller.settings.PaceSettings;

/**
 * How many actions of a plan run at once, and how long a batch of them may be waited for: additive
 * increase, multiplicative decrease (Chiu and Jain 1989), as TCP finds the rate that a network
 * bears without knowing it. An immutable value.
 *
 * @param atOnce actions of a kind that may run at the same time, ≥ 1
 * @param patience pauses that a batch may wait for, in [0, {@link #PATIENCE_MAX}]
 */
public record Pace(int atOnce, int patience) {
  /** Half a minute in pauses of five seconds: a cold cache is filled by then. */
  public static final int PATIENCE_MAX = 6;

  /** Less is what a level does by itself from one pause to the next. */
  private static final double RISE_MIN = 0.1;

  /** As fast as the limits of actions at once allow. */
  public static final Pace FULL = new Pace(Integer.MAX_VALUE, PATIENCE_MAX);

  /**
   * The pace after the level was measured again: half as many where users notice the plan, one more
   * where they don't.
   *
   * @param level of users' requests, as a share of the least before the plan, ≥ 0
   * @param atOnceMax actions that ran at once, and may at most; ≥ 1
   */
  public Pace after(double level, PaceSettings settings, int atOnceMax) {
    int now = Math.min(atOnce, atOnceMax);
    return level < settings.slowBelow()
        ? new Pace(Math.max(1, now / 2), patience)
        : new Pace(Math.min(atOnceMax, now + 1), Math.min(PATIENCE_MAX, patience + 1));
  }

  /**
   * The pace after a batch was waited for. Where waiting brings nothing, it is the plan's middle
   * that users notice and not its actions, and the way out is through: half the patience.
   *
   * @param from level at the first pause
   * @param to level after the last one
   */
  public Pace waited(double from, double to) {
    return rises(from, to) ? this : new Pace(atOnce, patience / 2);
  }

  /** Whether a level has risen by more than chance. */
  public static boolean rises(double from, double to) {
    return to >= from + RISE_MIN;
  }
}
