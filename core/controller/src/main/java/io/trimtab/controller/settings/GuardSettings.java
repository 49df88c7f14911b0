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
 * @param maxSplits splits in one plan, in [1, 1,000,000]; default 50
 * @param maxMerges merges in one plan, in [1, 1,000,000]; default 50
 * @param maxCompactions compactions in one plan, in [1, 1,000,000]; default 500
 * @param maxBlockSizeChanges tables whose block size one plan changes, in [1, 100,000]; default 20
 * @param maxMovedGiB GiB of the partitions that one plan moves, splits or compacts, each as often
 *     as that happens to it, in [1, 2^30]; default 1024
 * @param maxDiskUsed share of a node's disks that may be used after a plan, the space that its
 *     compactions need meanwhile included, in (0, 1]; default 0.80
 * @param nodeDiskGiB capacity in GiB of each node's disks where the database does not tell it, in
 *     [1, 2^30]; null: unknown, which refuses no plan
 * @param planLimit time limit of a whole plan, in [1 min, 7 d]; default 6 h
 * @param cooldown time after a plan in which no other is started, in [0 s, 7 d]; default 10 min
 * @param minGain minimum predicted relative gain of a plan, in [0, 1]; default 0.05
 * @param badNodesMax share of nodes that are dead or can't be read above which nothing is done, in
 *     [0, 1]; default 0.30
 * @param actionLimit time limit of one action, in [1 s, 1 d]; default 10 min
 * @param minMiBPerSecond MiB per second at which data are streamed or rewritten at least; actions
 *     that do so have the time for their bytes in addition, in [1, 1,000,000]; default 5
 * @param blackouts daily windows in UTC in which no plan is started, {@code HH:MM-HH:MM}; default
 *     none
 */
public record GuardSettings(
    Integer maxConcurrentMoves,
    Integer maxRestarting,
    Integer minNodes,
    Integer maxNodes,
    Integer maxMoves,
    Integer maxSplits,
    Integer maxMerges,
    Integer maxCompactions,
    Integer maxBlockSizeChanges,
    Integer maxMovedGiB,
    Double maxDiskUsed,
    Integer nodeDiskGiB,
    Duration planLimit,
    Duration cooldown,
    Double minGain,
    Double badNodesMax,
    Duration actionLimit,
    Integer minMiBPerSecond,
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
    maxSplits = SettingCheck.within("guard.maxSplits", maxSplits, 50, 1, 1_000_000);
    maxMerges = SettingCheck.within("guard.maxMerges", maxMerges, 50, 1, 1_000_000);
    maxCompactions = SettingCheck.within("guard.maxCompactions", maxCompactions, 500, 1, 1_000_000);
    maxBlockSizeChanges =
        SettingCheck.within("guard.maxBlockSizeChanges", maxBlockSizeChanges, 20, 1, 100_000);
    maxMovedGiB = SettingCheck.within("guard.maxMovedGiB", maxMovedGiB, 1024, 1, 1 << 30);
    maxDiskUsed = SettingCheck.share("guard.maxDiskUsed", maxDiskUsed, 0.80);
    SettingCheck.that(maxDiskUsed > 0, "guard.maxDiskUsed", "in (0, 1]", maxDiskUsed);
    if (nodeDiskGiB != null) {
      nodeDiskGiB = SettingCheck.within("guard.nodeDiskGiB", nodeDiskGiB, 1, 1, 1 << 30);
    }
    planLimit = duration("guard.planLimit", planLimit, Duration.ofHours(6), Duration.ofMinutes(1));
    SettingCheck.that(
        planLimit.compareTo(Duration.ofDays(7)) <= 0, "guard.planLimit", "at most 7d", planLimit);
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
    minMiBPerSecond =
        SettingCheck.within("guard.minMiBPerSecond", minMiBPerSecond, 5, 1, 1_000_000);
    blackouts = blackouts == null ? List.of() : List.copyOf(blackouts);
    blackouts.forEach(Blackout::parse);
  }

  private static Duration duration(String key, Duration value, Duration missing, Duration min) {
    Duration chosen = value == null ? missing : value;
    SettingCheck.that(chosen.compareTo(min) >= 0, key, "at least " + min.toSeconds() + "s", chosen);
    return chosen;
  }

  /** The same without blackouts, for what must be put back at any time. */
  public GuardSettings withoutBlackouts() {
    return new GuardSettings(
        maxConcurrentMoves,
        maxRestarting,
        minNodes,
        maxNodes,
        maxMoves,
        maxSplits,
        maxMerges,
        maxCompactions,
        maxBlockSizeChanges,
        maxMovedGiB,
        maxDiskUsed,
        nodeDiskGiB,
        planLimit,
        cooldown,
        minGain,
        badNodesMax,
        actionLimit,
        minMiBPerSecond,
        List.of());
  }

  /** The same where the number of nodes must stay. */
  public GuardSettings keeping(int nodes) {
    return new GuardSettings(
        maxConcurrentMoves,
        maxRestarting,
        nodes,
        nodes,
        maxMoves,
        maxSplits,
        maxMerges,
        maxCompactions,
        maxBlockSizeChanges,
        maxMovedGiB,
        maxDiskUsed,
        nodeDiskGiB,
        planLimit,
        cooldown,
        minGain,
        badNodesMax,
        actionLimit,
        minMiBPerSecond,
        blackouts);
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
    private Integer maxSplits;
    private Integer maxMerges;
    private Integer maxCompactions;
    private Integer maxBlockSizeChanges;
    private Integer maxMovedGiB;
    private Double maxDiskUsed;
    private Integer nodeDiskGiB;
    private Duration planLimit;
    private Duration cooldown;
    private Double minGain;
    private Double badNodesMax;
    private Duration actionLimit;
    private Integer minMiBPerSecond;
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

    public Builder maxSplits(Integer value) {
      this.maxSplits = value;
      return this;
    }

    public Builder maxMerges(Integer value) {
      this.maxMerges = value;
      return this;
    }

    public Builder maxCompactions(Integer value) {
      this.maxCompactions = value;
      return this;
    }

    public Builder maxBlockSizeChanges(Integer value) {
      this.maxBlockSizeChanges = value;
      return this;
    }

    public Builder maxMovedGiB(Integer value) {
      this.maxMovedGiB = value;
      return this;
    }

    public Builder maxDiskUsed(Double value) {
      this.maxDiskUsed = value;
      return this;
    }

    public Builder nodeDiskGiB(Integer value) {
      this.nodeDiskGiB = value;
      return this;
    }

    public Builder planLimit(Duration value) {
      this.planLimit = value;
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

    public Builder minMiBPerSecond(Integer value) {
      this.minMiBPerSecond = value;
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
          maxSplits,
          maxMerges,
          maxCompactions,
          maxBlockSizeChanges,
          maxMovedGiB,
          maxDiskUsed,
          nodeDiskGiB,
          planLimit,
          cooldown,
          minGain,
          badNodesMax,
          actionLimit,
          minMiBPerSecond,
          blackouts);
    }
  }
}
