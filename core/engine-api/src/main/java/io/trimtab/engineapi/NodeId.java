package io.trimtab.engineapi;

import io.trimtab.engineapi.snapshot.NodeState;

/**
 * A database node (RegionServer, Cassandra node), named {@code host:port}. The name does not change
 * with a restart of the process; {@link NodeState#incarnation()} does.
 */
public record NodeId(String name) implements Comparable<NodeId> {
  public NodeId {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a node's name is empty");
    }
  }

  @Override
  public int compareTo(NodeId other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
