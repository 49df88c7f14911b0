package io.trimtab.controller.settings;

import io.trimtab.controller.guard.Blackout;
import java.time.Duration;
import java.util.List;

/**
 * Limits that no plan may exceed. Every limit has a finite default.
 *
 * @param maxConcurrentMoves partitions that are moved at the same time, in [1, 100]; default 2
 * @param maxRestarting nodes that are restarted at the same time, in [1, 10]; default 1
 * @param minNodes minimum number of nodes, in [1, 10,000]; default 1
 * @param maxNodes maximum number of nodes, in [minNodes, 10,000]; default 20
 * @param maxMoves moves in one plan, in [1, 1,000,000]; default 500
 * @param cooldown time after a plan in which no other is started, in [0 s, 7 d]; default 10 min
 * @param minGain minimum predicted relative gain of a plan, in [0, 1]; default 0.05
 * @param badNodesMax share of dead nodes above which nothing is done, in [0, 1]; default 0.30
 * @param actionLimit time limit of one action, in [1 s, 1 d]; default 10 min
 * @param blackouts daily windows in UTC in which no plan is started, {@code HH:MM-HH:MM}; default
 *     none
 */
public record GuardSettings(
    Integer maxConcurrentMoves,
    Integer maxRestarting,
    Integer minNodes,
    Integer maxNodes,
    Integer maxMoves,
    Duration cooldown,
    Double minGain,
    Double badNodesMax,
    Duration actionLimit,
    List<String> blackouts) {
  public GuardSettings {
    maxConcurrentMoves =
        SettingCheck.within("guard.maxConcurrentMoves", maxConcurrentMoves, 2, 1, 100);
    maxRestarting = SettingCheck.within("guard.maxRestarting", maxRestarting, 1, 1, 10);
    minNodes = SettingCheck.within("guard.minNodes", minNodes, 1, 1, 10_000);
    maxNodes = SettingCheck.within("guard.maxNodes", maxNodes, Math.max(20, minNodes), 1, 10_000);
    SettingCheck.that(
        maxNodes >= minNodes,
        "guard.maxNodes",
        "at least guard.minNodes (" + minNodes + ")",
        maxNodes);
    maxMoves = SettingCheck.within("guard.maxMoves", maxMoves, 500, 1, 1_000_000);
    cooldown = duration("guard.cooldown", cooldown, Duration.ofMinutes(10), Duration.ZERO);
    SettingCheck.that(
        cooldown.compareTo(Duration.ofDays(7)) <= 0, "guard.cooldown", "at most 7d", cooldown);
    minGain = SettingCheck.share("guard.minGain", minGain, 0.05);
    badNodesMax = SettingCheck.share("guard.badNodesMax", badNodesMax, 0.30);
    actionLimit =
        duration("guard.actionLimit", actionLimit, Duration.ofMinutes(10), Duration.ofSeconds(1));
    SettingCheck.that(
        actionLimit.compareTo(Duration.ofDays(1)) <= 0,
        "guard.actionLimit",
        "at most 1d",
        actionLimit);
    blackouts = blackouts == null ? List.of() : List.copyOf(blackouts);
    blackouts.forEach(Blackout::parse);
  }

  private static Duration duration(String key, Duration value, Duration missing, Duration min) {
    Duration chosen = value == null ? missing : value;
    SettingCheck.that(chosen.compareTo(min) >= 0, key, "at least " + min.toSeconds() + "s", chosen);
    return chosen;
  }

  /** Every value is the default until it is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets values one by one; null is the default. They are checked together at the end. */
  public static final class Builder {
    private Integer maxConcurrentMoves;
    private Integer maxRestarting;
    private Integer minNodes;
    private Integer maxNodes;
    private Integer maxMoves;
    private Duration cooldown;
    private Double minGain;
    private Double badNodesMax;
    private Duration actionLimit;
    private List<String> blackouts;

    private Builder() {}

    public Builder maxConcurrentMoves(Integer value) {
      this.maxConcurrentMoves = value;
      return this;
    }

    public Builder maxRestarting(Integer value) {
      this.maxRestarting = value;
      return this;
    }

    public Builder minNodes(Integer value) {
      this.minNodes = value;
      return this;
    }

    public Builder maxNodes(Integer value) {
      this.maxNodes = value;
      return this;
    }

    public Builder maxMoves(Integer value) {
      this.maxMoves = value;
      return this;
    }

    public Builder cooldown(Duration value) {
      this.cooldown = value;
      return this;
    }

    public Builder minGain(Double value) {
      this.minGain = value;
      return this;
    }

    public Builder badNodesMax(Double value) {
      this.badNodesMax = value;
      return this;
    }

    public Builder actionLimit(Duration value) {
      this.actionLimit = value;
      return this;
    }

    public Builder blackouts(List<String> value) {
      this.blackouts = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException naming a key whose value is out of range
     */
    public GuardSettings build() {
      return new GuardSettings(
          maxConcurrentMoves,
          maxRestarting,
          minNodes,
          maxNodes,
          maxMoves,
          cooldown,
          minGain,
          badNodesMax,
          actionLimit,
          blackouts);
    }
  }
}
