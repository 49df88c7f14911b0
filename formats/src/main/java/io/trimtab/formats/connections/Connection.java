package io.trimtab.formats.connections;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How to reach a cluster; exactly one of {@code hbase} and {@code cassandra} says which database it
 * is.
 *
 * @param hbase an HBase cluster; else null
 * @param cassandra a Cassandra cluster; else null
 * @param provider what starts and stops its nodes, as it stands in the file: its form is that of
 *     the module that has the providers; null without one
 * @param metrics who tells of its nodes beside the database, as it stands in the file; null: nobody
 */
public record Connection(
    HBaseConnection hbase, CassandraConnection cassandra, JsonNode provider, JsonNode metrics) {
  public Connection {
    if ((hbase == null) == (cassandra == null)) {
      throw new IllegalArgumentException(
          hbase == null
              ? "needs either hbase or cassandra"
              : "has both hbase and cassandra; a cluster is one of them");
    }
    // What an absent key becomes differs between versions of Jackson.
    provider = provider == null || provider.isNull() ? null : provider;
    metrics = metrics == null || metrics.isNull() ? null : metrics;
  }
}
