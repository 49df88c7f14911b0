package io.trimtab.experiments.rivals;

import io.trimtab.config.UserError;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Who places partitions: nobody, what operators run today, and policies. */
enum Rival {
  NONE("none", false),
  BALANCER("StochasticLoadBalancer", false),
  BALANCER_BY_REQUESTS("StochasticLoadBalancer by requests", false),
  MET_1("met-1", false),
  MET("met", false),
  AUTOPILOT("autopilot", false),
  CACHE_AWARE("CacheAwareLoadBalancer on bucket caches", true),
  AUTOPILOT_ON_BUCKET_CACHES("autopilot on bucket caches", true);

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
   * where it was prefetched. All rivals on bucket caches get such nodes.
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

  /**
   * The rival with a name as on the command line.
   *
   * @throws UserError if there is none, naming all
   */
  static Rival named(String name) {
    return Arrays.stream(values())
        .filter(rival -> rival.key().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UserError(
                    "--rival must be one of "
                        + Arrays.stream(values()).map(Rival::key).collect(Collectors.joining(", "))
                        + ", not '"
                        + name
                        + "'"));
  }

  /** The rival with a title. */
  static Rival of(String title) {
    return Arrays.stream(values()).filter(r -> r.title.equals(title)).findFirst().orElseThrow();
  }

  /** Its name on the command line, and of its folder. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Those that are compared with each other: on nodes with a bucket cache, or on all others. */
  static List<Rival> on(boolean bucketCache) {
    return Arrays.stream(values()).filter(r -> r.bucketCache == bucketCache).toList();
  }

  /** Whether its nodes cache blocks beside their heap. */
  boolean bucketCache() {
    return bucketCache;
  }

  /** Whether it is one of HBase's own balancers, by which policies are measured. */
  boolean balances() {
    return this != NONE && policy().isEmpty();
  }

  /** The one that is to be better than HBase's balancers on the same nodes. */
  static Rival ours(boolean bucketCache) {
    return bucketCache ? AUTOPILOT_ON_BUCKET_CACHES : AUTOPILOT;
  }

  /**
   * Whether the load changes under it. On nodes with a bucket cache it does not: what is asked
   * there is how a start is mended, and six runs are an hour shorter together.
   */
  boolean changes() {
    return !bucketCache;
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

  /** Who decides; empty where no controller does. */
  Optional<Policy> policy() {
    return switch (this) {
      case NONE, BALANCER, BALANCER_BY_REQUESTS, CACHE_AWARE -> Optional.empty();
      case MET_1 -> Optional.of(Policies.MET_1);
      case MET -> Optional.of(Policies.MET);
      case AUTOPILOT, AUTOPILOT_ON_BUCKET_CACHES -> Optional.of(Policies.AUTOPILOT);
    };
  }

  @Override
  public String toString() {
    return title;
  }
}
