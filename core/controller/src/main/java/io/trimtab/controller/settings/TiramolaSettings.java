package io.trimtab.controller.settings;

/**
 * Thresholds of the TIRAMOLA policy (Konstantinou 2012, §4.4).
 *
 * @param addAbove CPU share of any node above which one node is added, in [0, 1]; default 0.40
 * @param removeBelow CPU share of all nodes below which one is removed, in [0, addAbove); default
 *     0.15
 */
public record TiramolaSettings(Double addAbove, Double removeBelow) {
  public TiramolaSettings {
    addAbove = SettingCheck.share("tiramola.addAbove", addAbove, 0.40);
    removeBelow = SettingCheck.share("tiramola.removeBelow", removeBelow, 0.15);
    SettingCheck.that(
        removeBelow < addAbove,
        "tiramola.removeBelow",
        "below tiramola.addAbove (" + addAbove + ")",
        removeBelow);
  }
}
