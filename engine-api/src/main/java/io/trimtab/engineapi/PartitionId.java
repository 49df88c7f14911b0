package io.trimtab.engineapi;

import java.util.Comparator;

/**
 * A partition (HBase region, Cassandra token range).
 *
 * @param table the table it belongs to, with its namespace where that is not the default one
 * @param name unique over the cluster and stable over moves; for HBase the region's encoded name
 */
public record PartitionId(String table, String name) implements Comparable<PartitionId> {
  private static final Comparator<PartitionId> ORDER =
      Comparator.comparing(PartitionId::table).thenComparing(PartitionId::name);

  @Override
  public int compareTo(PartitionId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return table + "/" + (name.length() > 8 ? name.substring(0, 8) : name);
  }
}
