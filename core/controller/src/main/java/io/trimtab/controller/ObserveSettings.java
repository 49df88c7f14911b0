package io.trimtab.controller;

import java.time.Duration;

/**
 * How a cluster is watched (Cruz 2016, §3.2.1 and §3.4).
 *
 * @param period between two samples, in [1 s, 1 h]; default 30 s
 * @param samples that a decision needs since the last action, in [2, 1,000]; default 6
 * @param alpha weight of the newest sample in exponential smoothing, in (0, 1]; default 0.5
 * @param coverageMin least share of partitions that a usable snapshot covers, in [0, 1]; default
 *     0.99
 */
public record ObserveSettings(Duration period, Integer samples, Double alpha, Double coverageMin) {
  /** A snapshot older than this many periods is stale. */
  public static final int STALE_PERIODS = 2;

  public ObserveSettings {
    period = period == null ? Duration.ofSeconds(30) : period;
    Check.that(
        period.compareTo(Duration.ofSeconds(1)) >= 0 && period.compareTo(Duration.ofHours(1)) <= 0,
        "observe.period",
        "in [1s, 1h]",
        period);
    samples = Check.within("observe.samples", samples, 6, 2, 1_000);
    alpha = alpha == null ? 0.5 : alpha;
    Check.that(alpha > 0 && alpha <= 1, "observe.alpha", "in (0, 1]", alpha);
    coverageMin = Check.share("observe.coverageMin", coverageMin, 0.99);
  }
}
