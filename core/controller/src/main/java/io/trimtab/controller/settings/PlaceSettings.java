package io.trimtab.controller.settings;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.plan.Action;

/**
 * How partitions are classified, grouped and placed (Cruz 2016, §3.2.2 Stage C, §3.3).
 *
 * @param classShare share of requests that makes a partition READ, WRITE or SCAN, in (0.5, 1];
 *     default 0.7 as in the thesis's program, while its text has 0.6 (decision 0005)
 * @param weighByLoad whether groups get nodes by their load instead of their number of partitions;
 *     default false
 * @param way how profiles are applied: online if the plug-in is loaded, or always by restart;
 *     default online
 * @param tolerance nothing is moved if the load of the most loaded node exceeds that in the best
 *     placement found by less than this share, in [0, 1]; default 0.10
 * @param localityWrite locality below which a partition is compacted on a WRITE node, in [0, 1];
 *     default 0.70
 * @param localityOther the same on other nodes; default 0.90
 * @param blockSizes whether tables get the block size of their class; default true
 * @param whenHealthy whether the initial reconfiguration is also done on a healthy cluster; default
 *     false
 * @param tokens how a new node of a ring with few tokens per node gets its tokens: at the keys that
 *     halve the requests of the most loaded ranges, or as the engine chooses; default requests
 * @param balancer what the policy {@code met} balances within a group (Cruz 2016, §6.2); default
 *     requests
 */
public record PlaceSettings(
    Double classShare,
    Boolean weighByLoad,
    Action.ApplyMode way,
    Double tolerance,
    Double localityWrite,
    Double localityOther,
    Boolean blockSizes,
    Boolean whenHealthy,
    Tokens tokens,
    Balance balancer) {

  /** What is balanced among the nodes of a group. */
  public enum Balance {
    /** Requests per second. */
    REQUESTS,
    /** Predicted server usage; requests where it can't be predicted. */
    USAGE
  }

  /** How the tokens of a new node are chosen. */
  public enum Tokens {
    /** By Trimtab, so that they halve the requests. */
    REQUESTS,
    /** By the engine. */
    ENGINE
  }

  public PlaceSettings {
    classShare = classShare == null ? 0.7 : classShare;
    SettingCheck.that(
        classShare > 0.5 && classShare <= 1, "place.classShare", "in (0.5, 1]", classShare);
    weighByLoad = weighByLoad != null && weighByLoad;
    way = way == null ? Action.ApplyMode.ONLINE : way;
    tolerance = SettingCheck.share("place.tolerance", tolerance, 0.10);
    localityWrite = SettingCheck.share("place.localityWrite", localityWrite, 0.70);
    localityOther = SettingCheck.share("place.localityOther", localityOther, 0.90);
    blockSizes = blockSizes == null || blockSizes;
    whenHealthy = whenHealthy != null && whenHealthy;
    tokens = tokens == null ? Tokens.REQUESTS : tokens;
    balancer = balancer == null ? Balance.REQUESTS : balancer;
  }

  /** Locality below which a partition of a class is compacted. */
  public double localityMin(AccessClass accessClass) {
    return accessClass == AccessClass.WRITE ? localityWrite : localityOther;
  }

  /** A copy for policies without access classes, on which block sizes depend. */
  public PlaceSettings withoutBlockSizes() {
    return toBuilder().blockSizes(false).build();
  }

  /** A builder with all defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder with these values. */
  public Builder toBuilder() {
    return new Builder()
        .classShare(classShare)
        .weighByLoad(weighByLoad)
        .way(way)
        .tolerance(tolerance)
        .localityWrite(localityWrite)
        .localityOther(localityOther)
        .blockSizes(blockSizes)
        .whenHealthy(whenHealthy)
        .tokens(tokens)
        .balancer(balancer);
  }

  /** Sets values one by one; null is the default. They are checked together at the end. */
  public static final class Builder {
    private Double classShare;
    private Boolean weighByLoad;
    private Action.ApplyMode way;
    private Double tolerance;
    private Double localityWrite;
    private Double localityOther;
    private Boolean blockSizes;
    private Boolean whenHealthy;
    private Tokens tokens;
    private Balance balancer;

    private Builder() {}

    public Builder classShare(Double value) {
      this.classShare = value;
      return this;
    }

    public Builder weighByLoad(Boolean value) {
      this.weighByLoad = value;
      return this;
    }

    public Builder way(Action.ApplyMode value) {
      this.way = value;
      return this;
    }

    public Builder tolerance(Double value) {
      this.tolerance = value;
      return this;
    }

    public Builder localityWrite(Double value) {
      this.localityWrite = value;
      return this;
    }

    public Builder localityOther(Double value) {
      this.localityOther = value;
      return this;
    }

    public Builder blockSizes(Boolean value) {
      this.blockSizes = value;
      return this;
    }

    public Builder whenHealthy(Boolean value) {
      this.whenHealthy = value;
      return this;
    }

    public Builder tokens(Tokens value) {
      this.tokens = value;
      return this;
    }

    public Builder balancer(Balance value) {
      this.balancer = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException naming a key whose value is out of range
     */
    public PlaceSettings build() {
      return new PlaceSettings(
          classShare,
          weighByLoad,
          way,
          tolerance,
          localityWrite,
          localityOther,
          blockSizes,
          whenHealthy,
          tokens,
          balancer);
    }
  }
}
