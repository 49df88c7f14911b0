package io.trimtab.lab.experiment;

/**
 * A partition by its place in its table, which unlike a region's encoded name is known before the
 * table exists.
 *
 * @param index 0 for the partition with the lowest keys
 */
record Slot(String table, int index) implements Comparable<Slot> {
  @Override
  public int compareTo(Slot other) {
    int byTable = table.compareTo(other.table);
    return byTable != 0 ? byTable : Integer.compare(index, other.index);
  }
}
