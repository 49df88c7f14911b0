package io.trimtab.engineapi;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Which nodes of a cluster a provider can give back.
 *
 * @param all whether every node, whatever the rest says
 * @param any nodes that can be given back at any time
 * @param rows nodes that go in turn: the first of a row can be given back now, each other one when
 *     those before it have gone. What joins meanwhile may come to the front of any row
 * @param rule why other nodes can't be given back, a clause; empty where all can
 */
public record Removable(boolean all, Set<NodeId> any, List<List<NodeId>> rows, String rule) {
  /** Of a provider that can give back whatever it is asked to. */
  public static final Removable ALL = new Removable(true, Set.of(), List.of(), "");

  public Removable {
    any = Set.copyOf(any);
    rows = rows.stream().map(List::copyOf).toList();
    if (!all && rule.isEmpty()) {
      throw new IllegalArgumentException("it must be told why not every node can be given back");
    }
  }

  /** Only these, in any order. */
  public static Removable only(Collection<NodeId> nodes, String rule) {
    return new Removable(false, Set.copyOf(nodes), List.of(), rule);
  }

  /** Only these, each row from its beginning. */
  public static Removable inTurn(List<List<NodeId>> rows, String rule) {
    return new Removable(false, Set.of(), rows, rule);
  }

  /**
   * Whether a node can be given back.
   *
   * @param gone nodes that are given back before it
   * @param joined whether a node is added before that
   */
  public boolean allows(NodeId node, Collection<NodeId> gone, boolean joined) {
    return all
        || any.contains(node)
        || (!joined
            && rows.stream()
                .flatMap(row -> row.stream().filter(each -> !gone.contains(each)).limit(1))
                .anyMatch(node::equals));
  }
}
