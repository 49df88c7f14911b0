package io.trimtab.engineapi.snapshot;

/**
 * The disks with a node's data, together; −1 for what the engine does not know.
 *
 * @param capacityBytes what the node can use of them, used or free; at least 1, or −1
 * @param usedBytes used by anything; at least 0, or −1
 * @param storedBytes of these the cluster's data, with all copies that the node holds; at least 0,
 *     or −1
 */
public record DiskSpace(long capacityBytes, long usedBytes, long storedBytes) {
  public static final DiskSpace UNKNOWN = new DiskSpace(-1, -1, -1);

  public DiskSpace {
    capacityBytes = capacityBytes > 0 ? capacityBytes : -1;
    usedBytes = Math.max(-1, usedBytes);
    storedBytes = Math.max(-1, storedBytes);
  }

  /** Whether it is known how full they are. */
  public boolean known() {
    return capacityBytes > 0 && usedBytes >= 0;
  }

  /**
   * The same if it is known how full they are, otherwise as if they held the cluster's data only.
   *
   * @param bytes their capacity if it is not known otherwise
   */
  public DiskSpace orOf(long bytes) {
    return known() ? this : new DiskSpace(bytes, storedBytes, storedBytes);
  }
}
