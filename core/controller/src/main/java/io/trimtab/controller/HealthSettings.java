package io.trimtab.controller;

import java.time.Duration;

/**
 * When a node is in a bad state (Cruz 2016, §3.2.2, Stage A).
 *
 * @param high server usage above which a node is overloaded, in [0, 1]; default 0.80
 * @param low server usage below which a node is underloaded, in [0, high); default 0.30
 * @param suboptimal share of nodes in a bad state above which nodes are added, in [0, 1]; default
 *     0.5
 * @param replaceAfter how long a node of a ring must have been dead before another takes its place;
 *     missing: never
 */
public record HealthSettings(Double high, Double low, Double suboptimal, Duration replaceAfter) {
  public HealthSettings {
    high = Check.share("health.high", high, 0.80);
    low = Check.share("health.low", low, 0.30);
    Check.that(low < high, "health.low", "below health.high (" + high + ")", low);
    suboptimal = Check.share("health.suboptimal", suboptimal, 0.5);
    Check.that(
        replaceAfter == null || replaceAfter.compareTo(Duration.ofSeconds(1)) >= 0,
        "health.replaceAfter",
        "at least 1s",
        replaceAfter);
  }
}
