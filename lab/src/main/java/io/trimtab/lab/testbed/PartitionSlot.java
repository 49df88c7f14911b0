package io.trimtab.lab.testbed;

/**
 * A partition by its place in its table, which unlike a region's encoded name is known before the
 * table exists.
 *
 * @param index 0 for the partition with the lowest keys
 */
public record PartitionSlot(String table, int index) implements Comparable<PartitionSlot> {
  @Override
  public int compareTo(PartitionSlot other) {
    int byTable = table.compareTo(other.table);
    return byTable != 0 ? byTable : Integer.compare(index, other.index);
  }
}
