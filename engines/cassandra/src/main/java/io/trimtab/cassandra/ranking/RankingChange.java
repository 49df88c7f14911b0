package io.trimtab.cassandra.ranking;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import java.util.List;

/**
 * What became of a change of the plug-in's settings, or would become of it.
 *
 * @param nodes all members of the ring, by name
 */
public record RankingChange(List<Node> nodes) {
  public RankingChange {
    nodes = List.copyOf(nodes);
  }

  /**
   * One of them.
   *
   * @param problem why it was not set, in a line; empty if it was
   * @param touched whether it may have some of the values
   */
  public record Node(NodeId id, String problem, boolean touched) {
    static Node taken(NodeId id) {
      return new Node(id, "", true);
    }

    static Node skipped(NodeId id, String why) {
      return new Node(id, why, false);
    }

    static Node failed(NodeId id, String why) {
      return new Node(id, "it may have some of the values: " + why, true);
    }
  }

  /** Those that were not set. */
  public List<Node> skipped() {
    return nodes.stream().filter(node -> !node.problem().isEmpty()).toList();
  }

  /** The number of those that were set. */
  public int taken() {
    return nodes.size() - skipped().size();
  }

  /** Whether anything may have changed anywhere. */
  public boolean touched() {
    return nodes.stream().anyMatch(Node::touched);
  }

  /**
   * Fails unless every node was set.
   *
   * @throws EngineException that names the first one that was not
   */
  public void requireAll() throws EngineException {
    if (!skipped().isEmpty()) {
      Node first = skipped().get(0);
      throw new EngineException("node " + first.id() + ": " + first.problem());
    }
  }
}
