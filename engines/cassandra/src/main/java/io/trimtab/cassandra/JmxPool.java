package io.trimtab.cassandra;

import io.trimtab.cassandra.jmx.JmxNodes;
import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Connections to the nodes' JMX servers, made when they are needed. Thread-safe. */
final class JmxPool implements AutoCloseable {
  private final CassandraContact contact;
  private final Map<NodeId, NodeJmx> open = new ConcurrentHashMap<>();

  JmxPool(CassandraContact contact) {
    this.contact = contact;
  }

  /** Something that is asked of a node. */
  @FunctionalInterface
  interface JmxCall<T, X extends Exception> {
    T ask(NodeJmx node) throws IOException, X;
  }

  /** Asks; once more by a new connection where an old one turns out to be dead. */
  <T, X extends Exception> T ask(NodeId node, JmxCall<T, X> question) throws IOException, X {
    NodeJmx known = open.get(node);
    if (known != null) {
      try {
        return question.ask(known);
      } catch (IOException e) {
        forget(node, known);
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
    NodeJmx fresh = connect(node);
    NodeJmx other = open.putIfAbsent(node, fresh);
    if (other != null) {
      fresh.close();
      return question.ask(other);
    }
    return question.ask(fresh);
  }

  /** A connection of one's own, for what takes long and must not be done twice. */
  NodeJmx connect(NodeId node) throws IOException {
    return contact.jmx(host(node));
  }

  private static String host(NodeId node) {
    return node.name().substring(0, node.name().lastIndexOf(':'));
  }

  private void forget(NodeId node, NodeJmx dead) {
    if (open.remove(node, dead)) {
      dead.close();
    }
  }

  /** Forgets nodes that are gone. */
  void keep(Collection<NodeId> present) {
    open.forEach(
        (node, jmx) -> {
          if (!present.contains(node)) {
            forget(node, jmx);
            JmxNodes.remove(host(node), contact.jmxPort());
          }
        });
  }

  @Override
  public void close() {
    // The nodes are still there, and may be called by others of this process.
    open.forEach(this::forget);
  }
}
