package io.trimtab.controller.settings;

/**
 * How a plan gives way to users' requests. Their level is what the cluster serves of them during
 * the plan, as a share of the least that it served in the samples before: the mean of all tables',
 * where none counts as more than 1. Requests that are slower, or fail, count as fewer.
 *
 * @param followUsers whether the pace follows the level at all; default true
 * @param slowBelow level below which the plan slows down, in (0, 1]; default 0.90
 * @param endBelow level below which the plan ends, if that lasts for two minutes, in [0,
 *     slowBelow]; default 0.50
 * @param slowAbove how many times longer than at worst before the plan requests may take, in [1,
 *     100]; default 2. Beyond, the level is that limit divided by the time
 * @param longest how many times longer pauses may make a plan, in [1, 10]; default 2
 */
public record PaceSettings(
    Boolean followUsers, Double slowBelow, Double endBelow, Double slowAbove, Double longest) {
  private static final double SLOW_ABOVE_MAX = 100;
  private static final double LONGEST_MAX = 10;

  /** All defaults. */
  public static final PaceSettings DEFAULTS = new PaceSettings(null, null, null, null, null);

  public PaceSettings {
    followUsers = followUsers == null || followUsers;
    slowBelow = SettingCheck.share("pace.slowBelow", slowBelow, 0.90);
    SettingCheck.that(slowBelow > 0, "pace.slowBelow", "above 0", slowBelow);
    endBelow = SettingCheck.share("pace.endBelow", endBelow, 0.50);
    SettingCheck.that(
        endBelow <= slowBelow,
        "pace.endBelow",
        "at most pace.slowBelow (" + slowBelow + ")",
        endBelow);
    slowAbove = slowAbove == null ? 2.0 : slowAbove;
    SettingCheck.that(
        slowAbove >= 1 && slowAbove <= SLOW_ABOVE_MAX,
        "pace.slowAbove",
        "from 1 to 100",
        slowAbove);
    longest = longest == null ? 2.0 : longest;
    SettingCheck.that(
        longest >= 1 && longest <= LONGEST_MAX, "pace.longest", "from 1 to 10", longest);
  }
}
