package io.trimtab.engineapi;

/**
 * A partition (HBase region, Cassandra token range).
 *
 * @param table the table it belongs to, with its namespace unless that is the default one
 * @param name unique in the cluster and unchanged by moves; for HBase the region's encoded name
 */
public record PartitionId(String table, String name) implements Comparable<PartitionId> {
  @Override
  public int compareTo(PartitionId other) {
    int byTable = table.compareTo(other.table);
    return byTable != 0 ? byTable : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return table + "/" + (name.length() > 8 ? name.substring(0, 8) : name);
  }
}
