package io.trimtab.engineapi;

/**
 * The key range of a partition.
 *
 * @param start inclusive; empty if the range is unbounded below
 * @param end exclusive; empty if the range is unbounded above
 */
public record KeyRange(RowKey start, RowKey end) {
  public static final KeyRange ALL = new KeyRange(RowKey.EMPTY, RowKey.EMPTY);

  /**
   * Whether a partition with this range can be split at the key, so that both halves can hold keys.
   */
  public boolean splitsAt(RowKey key) {
    return key.compareTo(start) > 0 && (end.isEmpty() || key.compareTo(end) < 0);
  }

  /** {@code [start, end)}, with {@code -∞} and {@code ∞} for unbounded ends. */
  @Override
  public String toString() {
    return "[" + (start.isEmpty() ? "-∞" : start) + ", " + (end.isEmpty() ? "∞" : end) + ")";
  }

  /** Whether the other range begins where this one ends. */
  public boolean touches(KeyRange next) {
    return !end.isEmpty() && end.equals(next.start);
  }
}
