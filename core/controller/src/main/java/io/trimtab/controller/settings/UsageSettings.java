package io.trimtab.controller.settings;

/**
 * Settings of the usage policy, which places partitions by predicted server usage (Cruz 2016, ch.
 * 6).
 *
 * @param model a file written by {@code trimtab model build}; required by the policy
 * @param target upper bound of the most used node's predicted usage, in (0, 1); default 0.70
 * @param margin share of the target that must remain free after nodes are removed, in [0, 1];
 *     default 0.40: with less, nodes go and come again with each change of the load (decision 0053)
 * @param ringMargin the same where tokens place the data; default 0.55: what leaves with a node is
 *     copied, and once more when one comes again (decision 0053)
 * @param updateBytes mean size of an update in bytes, to predict the cost of compactions, in [1,
 *     100,000,000]; default 1,000
 * @param predictions maximum number of predictions for improving a placement, in [0, 100,000,000];
 *     default 100,000
 * @param errorMax mean error of a model's last predictions over all nodes, in usage, above which
 *     its plans are not executed, in (0, 1]; default 0.15
 */
public record UsageSettings(
    String model,
    Double target,
    Double margin,
    Double ringMargin,
    Integer updateBytes,
    Integer predictions,
    Double errorMax) {
  public UsageSettings {
    target = SettingCheck.share("usage.target", target, 0.70);
    SettingCheck.that(target > 0 && target < 1, "usage.target", "in (0, 1)", target);
    margin = SettingCheck.share("usage.margin", margin, 0.40);
    ringMargin = SettingCheck.share("usage.ringMargin", ringMargin, 0.55);
    updateBytes = SettingCheck.within("usage.updateBytes", updateBytes, 1_000, 1, 100_000_000);
    errorMax = SettingCheck.share("usage.errorMax", errorMax, 0.15);
    predictions = SettingCheck.within("usage.predictions", predictions, 100_000, 0, 100_000_000);
  }

  /** A builder with all defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets values one by one; null is the default. They are checked together at the end. */
  public static final class Builder {
    private String model;
    private Double target;
    private Double margin;
    private Double ringMargin;
    private Integer updateBytes;
    private Integer predictions;
    private Double errorMax;

    private Builder() {}

    public Builder model(String value) {
      this.model = value;
      return this;
    }

    public Builder target(Double value) {
      this.target = value;
      return this;
    }

    public Builder margin(Double value) {
      this.margin = value;
      return this;
    }

    public Builder ringMargin(Double value) {
      this.ringMargin = value;
      return this;
    }

    public Builder updateBytes(Integer value) {
      this.updateBytes = value;
      return this;
    }

    public Builder predictions(Integer value) {
      this.predictions = value;
      return this;
    }

    public Builder errorMax(Double value) {
      this.errorMax = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException naming a key whose value is out of range
     */
    public UsageSettings build() {
      return new UsageSettings(
          model, target, margin, ringMargin, updateBytes, predictions, errorMax);
    }
  }
}
