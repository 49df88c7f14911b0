package io.trimtab.engineapi;

/** How data are assigned to nodes. */
public enum Ownership {
  /** A partition is assigned to one node and can be moved to any other (HBase). */
  ASSIGNED(false),
  /** The nodes' tokens determine which data they own; partitions cannot be placed (Cassandra). */
  TOKENS(true);

  private final boolean toldByNodes;

  Ownership(boolean toldByNodes) {
    this.toldByNodes = toldByNodes;
  }

  /** Whether a snapshot lacks the partitions of a node that does not answer. */
  public boolean toldByNodes() {
    return toldByNodes;
  }
}
