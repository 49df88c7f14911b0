package io.trimtab.cassandra.ranking;

import io.trimtab.engineapi.NodeId;
import java.io.IOException;
import java.util.List;

/** The nodes of a ring, and the plug-in's bean on each. Thread-safe. */
public interface RankingNodes {
  /**
   * A member of the ring, live or dead.
   *
   * @param version of its Cassandra; empty while that is not known
   */
  record RingNode(NodeId id, String version) {}

  /** All members, by name. */
  List<RingNode> members();

  /**
   * Asks a node.
   *
   * @throws IOException if it can't be asked, or its bean refuses; the message is one line
   */
  <T> T ask(NodeId node, Question<T> question) throws IOException;

  /** What is asked. It may be asked again by a new connection where an old one has died. */
  @FunctionalInterface
  interface Question<T> {
    T of(Bean bean) throws IOException;
  }

  /** The plug-in's bean on a node. */
  interface Bean {
    /** Whether the plug-in is loaded; without it nothing else can be asked. */
    boolean isThere() throws IOException;

    Object get(String attribute) throws IOException;

    void set(String attribute, Object value) throws IOException;
  }
}
