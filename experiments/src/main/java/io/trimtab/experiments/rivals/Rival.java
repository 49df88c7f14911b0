package io.trimtab.experiments.rivals;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who places partitions: what operators run today, and policies. */
enum Rival {
  BALANCER("StochasticLoadBalancer", false),
  BALANCER_BY_REQUESTS("StochasticLoadBalancer by requests", false),
  MET_1("met-1", false),
  MET("met", false),
  AUTOPILOT("autopilot", false),
  BALANCER_ON_BUCKET_CACHES("StochasticLoadBalancer on bucket caches", true),
  CACHE_AWARE("CacheAwareLoadBalancer on bucket caches", true);

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

  /**
   * As the balancer's documentation has it: a file counts as cached, and as no longer cached, only
   * where it was prefetched. Both balancers get such nodes.
   */
  private static final Map<String, String> BUCKET_CACHE =
      Map.of("hbase.rs.prefetchblocksonopen", "true");

  /** It moves a region every minute at the default; a fifth of that, as with the period. */
  private static final Map<String, String> BY_CACHE =
      Map.of(
          "hbase.master.loadbalancer.class",
          "org.apache.hadoop.hbase.master.balancer.CacheAwareLoadBalancer",
          "hbase.master.balancer.move.throttlingMillis",
          "12000");

  private final String title;
  private final boolean bucketCache;

  Rival(String title, boolean bucketCache) {
    this.title = title;
    this.bucketCache = bucketCache;
  }

  /** Those that are compared with each other: on nodes with a bucket cache, or on all others. */
  static List<Rival> on(boolean bucketCache) {
    return Arrays.stream(values()).filter(r -> r.bucketCache == bucketCache).toList();
  }

  /** Whether its nodes cache blocks beside their heap. */
  boolean bucketCache() {
    return bucketCache;
  }

  /** Whether others are measured by it: HBase's own default balancer. */
  boolean reference() {
    return this == BALANCER || this == BALANCER_BY_REQUESTS || this == BALANCER_ON_BUCKET_CACHES;
  }

  /** For every hbase-site.xml. */
  Map<String, String> site() {
    Map<String, String> together = new TreeMap<>(ALL);
    if (bucketCache) {
      together.putAll(BUCKET_CACHE);
    }
    if (this == BALANCER_BY_REQUESTS) {
      together.putAll(BY_REQUESTS);
    } else if (this == CACHE_AWARE) {
      together.putAll(BY_CACHE);
    }
    return together;
  }

  /** Who decides; empty for HBase's own balancer. */
  Optional<Policy> policy() {
    return switch (this) {
      case BALANCER, BALANCER_BY_REQUESTS, BALANCER_ON_BUCKET_CACHES, CACHE_AWARE ->
          Optional.empty();
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
