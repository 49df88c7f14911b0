package io.trimtab.controller.settings;

import java.time.Duration;

/**
 * When a partition, or the number of nodes, is left as it is because plans have moved it to and
 * fro.
 *
 * @param window time over which that is counted, and after which it is forgotten, in [1 min, 7 d];
 *     default 2 h
 * @param nodeSwings times that the number of nodes went up and down again within the window, from
 *     which on no node is removed, in [1, 1,000]; default 2
 * @param returns times that a partition came back to a node on which it had been within the window,
 *     from which on it is not moved, in [1, 1,000]; default 2
 */
public record StabilitySettings(Duration window, Integer nodeSwings, Integer returns) {
  private static final int MOST = 1_000;

  /** All defaults. */
  public static final StabilitySettings DEFAULTS = new StabilitySettings(null, null, null);

  public StabilitySettings {
    window = window == null ? Duration.ofHours(2) : window;
    SettingCheck.that(
        window.compareTo(Duration.ofMinutes(1)) >= 0 && window.compareTo(Duration.ofDays(7)) <= 0,
        "stability.window",
        "from 1m to 7d",
        window);
    nodeSwings = nodeSwings == null ? 2 : nodeSwings;
    SettingCheck.that(
        nodeSwings >= 1 && nodeSwings <= MOST, "stability.nodeSwings", "1 to 1,000", nodeSwings);
    returns = returns == null ? 2 : returns;
    SettingCheck.that(returns >= 1 && returns <= MOST, "stability.returns", "1 to 1,000", returns);
  }
}
