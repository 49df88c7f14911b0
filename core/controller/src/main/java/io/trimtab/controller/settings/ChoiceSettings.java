package io.trimtab.controller.settings;

import java.time.Duration;

/**
 * How the autopilot policy weighs one change against another.
 *
 * @param horizon how long the load is expected to last: what a change brings is counted over this
 *     time, and must be more than it costs, in [1 min, 7 d]; default 1 h
 * @param lossWeight how many nodes it is worth that the requests of one node are served, in [1,
 *     1,000]; default 5
 * @param deviations standard deviations of a prediction that must fit below the target, too, in [0,
 *     5]; default 1
 * @param predictions maximum number of predictions of one node's usage for each kind of change, in
 *     [100, 100,000,000]; default 20,000
 * @param awaitMaintenance whether work beside serving that was asked for and ends by itself
 *     (repair, major compaction) is waited for, at most for the horizon; also before nodes join or
 *     leave a ring by a plan of another policy; default true
 * @param lossAversion by how much each twentieth that a table is served less than now multiplies
 *     the weight of its loss, in [1, 10]; default 2
 */
public record ChoiceSettings(
    Duration horizon,
    Double lossWeight,
    Double deviations,
    Integer predictions,
    Boolean awaitMaintenance,
    Double lossAversion) {
  private static final double WEIGHT_MAX = 1_000;
  private static final double DEVIATIONS_MAX = 5;
  private static final double AVERSION_MAX = 10;

  /** All defaults. */
  public static final ChoiceSettings DEFAULTS =
      new ChoiceSettings(null, null, null, null, null, null);

  public ChoiceSettings {
    horizon = horizon == null ? Duration.ofHours(1) : horizon;
    SettingCheck.that(
        horizon.compareTo(Duration.ofMinutes(1)) >= 0 && horizon.compareTo(Duration.ofDays(7)) <= 0,
        "choice.horizon",
        "from 1m to 7d",
        horizon);
    lossWeight = lossWeight == null ? 5 : lossWeight;
    SettingCheck.that(
        lossWeight >= 1 && lossWeight <= WEIGHT_MAX, "choice.lossWeight", "1 to 1,000", lossWeight);
    deviations = deviations == null ? 1 : deviations;
    SettingCheck.that(
        deviations >= 0 && deviations <= DEVIATIONS_MAX, "choice.deviations", "0 to 5", deviations);
    predictions = SettingCheck.within("choice.predictions", predictions, 20_000, 100, 100_000_000);
    awaitMaintenance = awaitMaintenance == null || awaitMaintenance;
    lossAversion = lossAversion == null ? 2 : lossAversion;
    SettingCheck.that(
        lossAversion >= 1 && lossAversion <= AVERSION_MAX,
        "choice.lossAversion",
        "1 to 10",
        lossAversion);
  }
}
