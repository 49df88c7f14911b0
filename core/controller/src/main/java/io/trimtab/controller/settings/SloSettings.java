package io.trimtab.controller.settings;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The agreements that policies keep by clients' reports and measured tables (Chalkiadaki 2013, ch.
 * 3).
 *
 * @param sla the agreement, a YAML file; required by the slo policy
 * @param also further agreements that the same cluster keeps, YAML files
 * @param tables provisioning tables, CSV files; at least one where an agreement is kept
 * @param nodeType the tables' name for the cluster's nodes; may be null if the tables have only one
 * @param checks number of checks of clients' reports since the last change that a decision needs,
 *     one per {@code observe.period}, in [1, 1,000]; default 20
 * @param margin share of the objective that the tables must leave free before a node is removed, in
 *     [0, 1); default 0.10
 * @param listen address on which clients' reports are accepted, {@code host:port}; default {@code
 *     127.0.0.1:7390}
 * @param tokens file with one token per tenant, which the tenant's clients must send; may be null
 *     if {@code listen} is an address that only this machine reaches
 */
public record SloSettings(
    String sla,
    List<String> also,
    List<String> tables,
    String nodeType,
    Integer checks,
    Double margin,
    String listen,
    String tokens) {
  public SloSettings {
    also = also == null ? List.of() : List.copyOf(also);
    List<String> agreements = new ArrayList<>(also);
    agreements.add(sla);
    boolean once = agreements.size() == new HashSet<>(agreements).size();
    SettingCheck.that(once, "slo.also", "other files than slo.sla, each once", also);
    tables = tables == null ? List.of() : List.copyOf(tables);
    checks = SettingCheck.within("slo.checks", checks, 20, 1, 1_000);
    margin = SettingCheck.share("slo.margin", margin, 0.10);
    SettingCheck.that(margin < 1, "slo.margin", "in [0, 1)", margin);
    listen = listen == null ? "127.0.0.1:7390" : listen;
    SettingCheck.that(listen.matches("[^:]+:\\d{1,5}"), "slo.listen", "host:port", listen);
  }

  /** A builder with all defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets values one by one; null is the default. They are checked together at the end. */
  public static final class Builder {
    private String sla;
    private List<String> also;
    private List<String> tables;
    private String nodeType;
    private Integer checks;
    private Double margin;
    private String listen;
    private String tokens;

    private Builder() {}

    public Builder sla(String value) {
      this.sla = value;
      return this;
    }

    public Builder also(List<String> value) {
      this.also = value;
      return this;
    }

    public Builder tables(List<String> value) {
      this.tables = value;
      return this;
    }

    public Builder nodeType(String value) {
      this.nodeType = value;
      return this;
    }

    public Builder checks(Integer value) {
      this.checks = value;
      return this;
    }

    public Builder margin(Double value) {
      this.margin = value;
      return this;
    }

    public Builder listen(String value) {
      this.listen = value;
      return this;
    }

    public Builder tokens(String value) {
      this.tokens = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException naming a key whose value is out of range
     */
    public SloSettings build() {
      return new SloSettings(sla, also, tables, nodeType, checks, margin, listen, tokens);
    }
  }
}
