package io.trimtab.experiments.rivals;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who places partitions: what operators run today, and policies. */
enum Rival {
  BALANCER("StochasticLoadBalancer"),
  BALANCER_BY_REQUESTS("StochasticLoadBalancer by requests"),
  MET_1("met-1"),
  MET("met"),
  AUTOPILOT("autopilot");

  /** Of HBase's balancer, every minute instead of every five, so that it gets its chance. */
  private static final Map<String, String> ALL =
      Map.of(
          "hbase.balancer.period", "60000",
          "hbase.normalizer.period", "60000",
          "hbase.table.normalization.enabled", "true");

  private static final Map<String, String> BY_REQUESTS =
      Map.of(
          "hbase.master.balancer.stochastic.readRequestCost", "500",
          "hbase.master.balancer.stochastic.writeRequestCost", "500");

  private final String title;

  Rival(String title) {
    this.title = title;
  }

  /** For every hbase-site.xml. */
  Map<String, String> site() {
    Map<String, String> together = new TreeMap<>(ALL);
    if (this == BALANCER_BY_REQUESTS) {
      together.putAll(BY_REQUESTS);
    }
    return together;
  }

  /** Who decides; empty for HBase's own balancer. */
  Optional<Policy> policy() {
    return switch (this) {
      case BALANCER, BALANCER_BY_REQUESTS -> Optional.empty();
      case MET_1 -> Optional.of(Policies.MET_1);
      case MET -> Optional.of(Policies.MET);
      case AUTOPILOT -> Optional.of(Policies.AUTOPILOT);
    };
  }

  @Override
  public String toString() {
    return title;
  }
}
