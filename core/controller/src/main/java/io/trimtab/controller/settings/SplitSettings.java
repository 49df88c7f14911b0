package io.trimtab.controller.settings;

import java.time.Duration;

/**
 * When partitions are split at the key that halves their requests, and merged again (Cruz 2016, ch.
 * 4).
 *
 * @param enabled whether plans may split and merge; default true
 * @param hysteresis minimum time between creating and removing, or removing and creating, the same
 *     boundary, in [1 min, 30 d]; default 1 h
 * @param maxSplits maximum number of splits in one plan, in [1, 100]; default 4
 * @param cold the halves of an earlier split are merged if their combined load is below this share
 *     of the nodes' mean load, in [0, 1]; default 0.10
 */
public record SplitSettings(Boolean enabled, Duration hysteresis, Integer maxSplits, Double cold) {
  public SplitSettings {
    enabled = enabled == null || enabled;
    hysteresis = hysteresis == null ? Duration.ofHours(1) : hysteresis;
    SettingCheck.that(
        hysteresis.compareTo(Duration.ofMinutes(1)) >= 0
            && hysteresis.compareTo(Duration.ofDays(30)) <= 0,
        "split.hysteresis",
        "in [1m, 30d]",
        hysteresis);
    maxSplits = SettingCheck.within("split.maxSplits", maxSplits, 4, 1, 100);
    cold = SettingCheck.share("split.cold", cold, 0.10);
  }

  /** A builder with all defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets values one by one; null is the default. They are checked together at the end. */
  public static final class Builder {
    private Boolean enabled;
    private Duration hysteresis;
    private Integer maxSplits;
    private Double cold;

    private Builder() {}

    public Builder enabled(Boolean value) {
      this.enabled = value;
      return this;
    }

    public Builder hysteresis(Duration value) {
      this.hysteresis = value;
      return this;
    }

    public Builder maxSplits(Integer value) {
      this.maxSplits = value;
      return this;
    }

    public Builder cold(Double value) {
      this.cold = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException naming a key whose value is out of range
     */
    public SplitSettings build() {
      return new SplitSettings(enabled, hysteresis, maxSplits, cold);
    }
  }
}
