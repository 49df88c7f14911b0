package io.trimtab.engineapi;

/** What decides which node has which data. */
public enum Ownership {
  /** A partition is on one node and can be taken to any other (HBase). */
  ASSIGNED,
  /** The nodes' tokens do, and nothing can be placed; a new node takes its share by itself. */
  TOKENS
}
