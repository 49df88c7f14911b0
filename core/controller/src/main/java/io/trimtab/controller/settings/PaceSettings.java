package io.trimtab.controller.settings;

/**
 * How a plan gives way to users' requests. Their level is what the cluster serves of them during
 * the plan, as a share of the least that it served in the samples before: the mean of all tables',
 * where none counts as more than 1.
 *
 * @param followUsers whether the pace follows the level at all; default true
 * @param slowBelow level below which the plan slows down, in (0, 1]; default 0.90
 * @param endBelow level below which the plan ends, if that lasts for two minutes, in [0,
 *     slowBelow]; default 0.50
 * @param longest how many times longer pauses may make a plan, in [1, 10]; default 2
 */
public record PaceSettings(Boolean followUsers, Double slowBelow, Double endBelow, Double longest) {
  private static final double LONGEST_MAX = 10;

  /** All defaults. */
  public static final PaceSettings DEFAULTS = new PaceSettings(null, null, null, null);

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
    longest = longest == null ? 2.0 : longest;
    SettingCheck.that(
        longest >= 1 && longest <= LONGEST_MAX, "pace.longest", "from 1 to 10", longest);
  }
}
