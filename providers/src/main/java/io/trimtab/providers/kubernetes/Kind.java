package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** The kinds of resource whose number of nodes is changed. */
enum Kind {
  STATEFUL_SET("apps", "v1", "StatefulSet", "statefulsets", "replicas"),
  CASSANDRA_DATACENTER(
      "cassandra.datastax.com", "v1beta1", "CassandraDatacenter", "cassandradatacenters", "size");

  private final String group;
  private final String version;
  private final String kind;
  private final String plural;
  private final String count;

  Kind(String group, String version, String kind, String plural, String count) {
    this.group = group;
    this.version = version;
    this.kind = kind;
    this.plural = plural;
    this.count = count;
  }

  String kind() {
    return kind;
  }

  /** The key below {@code spec} of the number of nodes. */
  String count() {
    return count;
  }

  ResourceDefinitionContext context() {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(true)
        .build();
  }
}
