package io.trimtab.controller.settings;

import java.time.Duration;

/**
 * When a node is overloaded or underloaded (Cruz 2016, §3.2.2, Stage A).
 *
 * @param high server usage (CPU plus I/O wait, at most 1) above which a node is overloaded, in [0,
 *     1]; default 0.80
 * @param low server usage below which a node is underloaded, in [0, high); default 0.30
 * @param suboptimal share of underloaded nodes above which one node is removed, if no node is
 *     overloaded, in [0, 1]; default 0.5. For the policy {@code met} also the share of overloaded
 *     nodes above which nodes are added without trying another configuration of the present ones
 *     first (Cruz 2016, §3.3: SubOptimalNodesThreshold); for others it does not affect adding nodes
 * @param replaceAfter how long a node of a ring must have been dead before it is replaced; null:
 *     never
 * @param slowShare share of its peers' reads below which a node is slow, where coordinators choose
 *     among replicas, in [0, 1]; default 0.5
 * @param slowFor how long without interruption, at least 1 s; default 3 min
 * @param slowTimes how many times its peers' median a node's response times, queues or disk must be
 *     for it to be slow, where no coordinator chooses among replicas, in [1.5, 1,000]; default 3
 * @param unreadGrowth how much more a node that can't be read counts as used with each minute, in
 *     [0, 1]; default 0.05
 */
public record HealthSettings(
    Double high,
    Double low,
    Double suboptimal,
    Duration replaceAfter,
    Double slowShare,
    Duration slowFor,
    Double slowTimes,
    Double unreadGrowth) {
  public HealthSettings {
    high = SettingCheck.share("health.high", high, 0.80);
    low = SettingCheck.share("health.low", low, 0.30);
    SettingCheck.that(low < high, "health.low", "below health.high (" + high + ")", low);
    suboptimal = SettingCheck.share("health.suboptimal", suboptimal, 0.5);
    SettingCheck.that(
        replaceAfter == null || replaceAfter.compareTo(Duration.ofSeconds(1)) >= 0,
        "health.replaceAfter",
        "at least 1s",
        replaceAfter);
    slowShare = SettingCheck.share("health.slowShare", slowShare, 0.5);
    slowFor = slowFor == null ? Duration.ofMinutes(3) : slowFor;
    SettingCheck.that(
        slowFor.compareTo(Duration.ofSeconds(1)) >= 0, "health.slowFor", "at least 1s", slowFor);
    slowTimes = slowTimes == null ? 3.0 : slowTimes;
    SettingCheck.that(
        slowTimes >= 1.5 && slowTimes <= 1_000, "health.slowTimes", "in [1.5, 1,000]", slowTimes);
    unreadGrowth = SettingCheck.share("health.unreadGrowth", unreadGrowth, 0.05);
  }

  /** A builder with all defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets values one by one; null is the default. They are checked together at the end. */
  public static final class Builder {
    private Double high;
    private Double low;
    private Double suboptimal;
    private Duration replaceAfter;
    private Double slowShare;
    private Duration slowFor;
    private Double slowTimes;
    private Double unreadGrowth;

    private Builder() {}

    public Builder high(Double value) {
      this.high = value;
      return this;
    }

    public Builder low(Double value) {
      this.low = value;
      return this;
    }

    public Builder suboptimal(Double value) {
      this.suboptimal = value;
      return this;
    }

    public Builder replaceAfter(Duration value) {
      this.replaceAfter = value;
      return this;
    }

    public Builder slowShare(Double value) {
      this.slowShare = value;
      return this;
    }

    public Builder slowFor(Duration value) {
      this.slowFor = value;
      return this;
    }

    public Builder slowTimes(Double value) {
      this.slowTimes = value;
      return this;
    }

    public Builder unreadGrowth(Double value) {
      this.unreadGrowth = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException naming a key whose value is out of range
     */
    public HealthSettings build() {
      return new HealthSettings(
          high, low, suboptimal, replaceAfter, slowShare, slowFor, slowTimes, unreadGrowth);
    }
  }
}
