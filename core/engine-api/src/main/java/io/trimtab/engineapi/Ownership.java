package io.trimtab.engineapi;

/** How data are assigned to nodes. */
public enum Ownership {
  /** A partition is assigned to one node and can be moved to any other (HBase). */
  ASSIGNED,
  /** The nodes' tokens determine which data they own; partitions cannot be placed (Cassandra). */
  TOKENS
}
