package io.trimtab.engineapi;

import io.trimtab.engineapi.snapshot.NodeState;
import java.util.Locale;

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

  /** Whether both may be the same node: a host is the same with and without its domain. */
  public boolean matches(NodeId other) {
    String a = name.toLowerCase(Locale.ROOT);
    String b = other.name.toLowerCase(Locale.ROOT);
    return a.equals(b) || isShort(a, b) || isShort(b, a);
  }

  /** Whether {@code node7:16020} may be {@code node7.example.com:16020}. */
  private static boolean isShort(String name, String full) {
    int port = name.lastIndexOf(':');
    return port > 0
        && !name.contains(".")
        && full.startsWith(name.substring(0, port) + ".")
        && full.endsWith(name.substring(port));
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
