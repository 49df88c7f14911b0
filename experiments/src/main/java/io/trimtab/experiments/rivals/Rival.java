package io.trimtab.experiments.rivals;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who places partitions: what operators run today, and policies. */
enum Rival {
  BALANCER("StochasticLoadBalancer", Map.of(), Optional.empty()),
  BALANCER_BY_REQUESTS(
      "StochasticLoadBalancer by requests",
      Map.of(
          "hbase.master.balancer.stochastic.readRequestCost", "500",
          "hbase.master.balancer.stochastic.writeRequestCost", "500"),
      Optional.empty()),
  MET_1("met-1", Map.of(), Optional.of(Policies.MET_1)),
  MET("met", Map.of(), Optional.of(Policies.MET)),
  AUTOPILOT("autopilot", Map.of(), Optional.of(Policies.AUTOPILOT));

  /** Of HBase's balancer, every minute instead of every five, so that it gets its chance. */
  private static final Map<String, String> ALL =
      Map.of(
          "hbase.balancer.period", "60000",
          "hbase.normalizer.period", "60000",
          "hbase.table.normalization.enabled", "true");

  private final String title;
  private final Map<String, String> site;
  private final Optional<Policy> policy;

  Rival(String title, Map<String, String> site, Optional<Policy> policy) {
    this.title = title;
    this.site = site;
    this.policy = policy;
  }

  /** For every hbase-site.xml. */
  Map<String, String> site() {
    Map<String, String> together = new TreeMap<>(ALL);
    together.putAll(site);
    return together;
  }

  /** Who decides; empty for HBase's own balancer. */
  Optional<Policy> policy() {
    return policy;
  }

  @Override
  public String toString() {
    return title;
  }
}
