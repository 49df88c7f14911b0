package io.trimtab.providers.kubernetes;

import io.trimtab.engineapi.Profile;
import io.trimtab.providers.Check;

/**
 * A set of nodes that are alike; it has either {@code statefulSet} or {@code cassandraDatacenter}.
 *
 * @param statefulSet name of a StatefulSet that no other controller owns
 * @param cassandraDatacenter name of a resource of cass-operator
 * @param profile name of the only profile that its nodes have; null: not fixed
 * @param configMap name of the ConfigMap from which its pods read their profile; null: none. Not
 *     with {@code profile}, and not for a CassandraDatacenter
 * @param max nodes that it may have at most, in [1, 1000]
 */
public record PoolSettings(
    String statefulSet, String cassandraDatacenter, String profile, String configMap, Integer max) {
  private static final int NODES_MAX = 1000;

  public PoolSettings {
    if ((statefulSet == null) == (cassandraDatacenter == null)) {
      throw new IllegalArgumentException(
          "statefulSet or cassandraDatacenter must be given, and not both");
    }
    named("statefulSet", statefulSet);
    named("cassandraDatacenter", cassandraDatacenter);
    named("configMap", configMap);
    if (configMap != null && profile != null) {
      throw new IllegalArgumentException(
          "configMap must not be given with profile: a fixed profile is never stored");
    }
    if (configMap != null && cassandraDatacenter != null) {
      throw new IllegalArgumentException(
          "configMap must not be given with cassandraDatacenter: cass-operator configures pods");
    }
    if (max == null) {
      throw new IllegalArgumentException("max is missing");
    }
    Check.within("max", max, 1, 1, NODES_MAX);
  }

  private static void named(String key, String name) {
    if (name != null && !name.matches("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")) {
      throw new IllegalArgumentException(key + " must be a name of Kubernetes, not '" + name + "'");
    }
  }

  Kind kind() {
    return statefulSet == null ? Kind.CASSANDRA_DATACENTER : Kind.STATEFUL_SET;
  }

  String name() {
    return statefulSet == null ? cassandraDatacenter : statefulSet;
  }

  /** For messages. */
  String title() {
    return kind().kind() + " " + name();
  }

  /** Whether its nodes may have a profile, whatever its ConfigMap says now. */
  boolean fits(Profile wanted) {
    return profile == null || profile.equals(wanted.name());
  }
}
