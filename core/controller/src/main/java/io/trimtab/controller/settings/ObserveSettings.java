package io.trimtab.controller.settings;

import java.time.Duration;

/**
 * How a cluster is observed (Cruz 2016, §3.2.1 and §3.4).
 *
 * @param period time between two samples, in [1 s, 1 h]; default 30 s
 * @param samples number of samples since the last plan that a decision needs, in [2, 1,000];
 *     default 6
 * @param alpha weight of the newest sample in exponential smoothing, in (0, 1]; default 0.5
 * @param coverageMin minimum share of partitions with known rates, in [0, 1]; default 0.99
 */
public record ObserveSettings(Duration period, Integer samples, Double alpha, Double coverageMin) {
  /** A snapshot older than this many periods is stale. */
  private static final int STALE_PERIODS = 2;

  public ObserveSettings {
    period = period == null ? Duration.ofSeconds(30) : period;
    SettingCheck.that(
        period.compareTo(Duration.ofSeconds(1)) >= 0 && period.compareTo(Duration.ofHours(1)) <= 0,
        "observe.period",
        "in [1s, 1h]",
        period);
    samples = SettingCheck.within("observe.samples", samples, 6, 2, 1_000);
    alpha = alpha == null ? 0.5 : alpha;
    SettingCheck.that(alpha > 0 && alpha <= 1, "observe.alpha", "in (0, 1]", alpha);
    coverageMin = SettingCheck.share("observe.coverageMin", coverageMin, 0.99);
  }

  /** The age above which a snapshot is stale. */
  public Duration stale() {
    return period.multipliedBy(STALE_PERIODS);
  }

  /** A builder with all defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder with these values. */
  public Builder toBuilder() {
    return new Builder().period(period).samples(samples).alpha(alpha).coverageMin(coverageMin);
  }

  /** Sets values one by one; null is the default. They are checked together at the end. */
  public static final class Builder {
    private Duration period;
    private Integer samples;
    private Double alpha;
    private Double coverageMin;

    private Builder() {}

    public Builder period(Duration value) {
      this.period = value;
      return this;
    }

    public Builder samples(Integer value) {
      this.samples = value;
      return this;
    }

    public Builder alpha(Double value) {
      this.alpha = value;
      return this;
    }

    public Builder coverageMin(Double value) {
      this.coverageMin = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException naming a key whose value is out of range
     */
    public ObserveSettings build() {
      return new ObserveSettings(period, samples, alpha, coverageMin);
    }
  }
}
