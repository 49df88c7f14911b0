package io.trimtab.models.usage;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What requests cost on a cluster's nodes, by the kind of each: the same request is another share
 * of a node with four cores than of one with sixteen. Immutable.
 */
public final class LearnedNodes {
  private final Map<String, LearnedCosts> costs;
  private final LearnedCosts together;

  /**
   * @param costs by the name of a node; nodes of one kind have the same
   * @param together of all kinds, as if they were one
   */
  public LearnedNodes(Map<String, LearnedCosts> costs, LearnedCosts together) {
    this.costs = Map.copyOf(costs);
    this.together = together;
  }

  /** Of a cluster whose nodes are all of one kind. */
  public static LearnedNodes alike(LearnedCosts costs) {
    return new LearnedNodes(Map.of(), costs);
  }

  /** Of a node's kind; of all kinds together if that is not known. */
  public LearnedCosts of(String node) {
    return costs.getOrDefault(node, together);
  }

  /** Of some nodes: of their kind, or of all kinds together if they are of several. */
  public LearnedCosts of(Collection<String> nodes) {
    return kinds(nodes) == 1 ? of(nodes.iterator().next()) : together;
  }

  /** How many kinds some nodes are of. */
  public int kinds(Collection<String> nodes) {
    Set<LearnedCosts> kinds = new HashSet<>();
    nodes.forEach(node -> kinds.add(of(node)));
    return kinds.size();
  }

  /** Of all kinds together. */
  public LearnedCosts together() {
    return together;
  }
}
