package io.trimtab.engineapi;

/**
 * The keys of a partition.
 *
 * @param start inclusive; empty where the range is open
 * @param end exclusive; empty where the range is open
 */
public record KeyRange(RowKey start, RowKey end) {
  public static final KeyRange ALL = new KeyRange(RowKey.EMPTY, RowKey.EMPTY);

  /** Whether a partition with this range can be split at the key: both halves hold keys. */
  public boolean splitsAt(RowKey key) {
    return key.compareTo(start) > 0 && (end.isEmpty() || key.compareTo(end) < 0);
  }

  /** {@code [start, end)}, {@code -∞} and {@code ∞} where it is open. */
  @Override
  public String toString() {
    return "[" + (start.isEmpty() ? "-∞" : start) + ", " + (end.isEmpty() ? "∞" : end) + ")";
  }

  /** Whether the other range begins where this one ends. */
  public boolean touches(KeyRange next) {
    return !end.isEmpty() && end.equals(next.start);
  }
}
