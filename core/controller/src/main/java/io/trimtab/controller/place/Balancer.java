package io.trimtab.controller.place;

import io.trimtab.engineapi.Profile;

/**
 * What is balanced when the partitions of a group are shared out to its nodes: of the thesis's
 * assignment the two functions that follow from it, the order of the partitions and the least
 * loaded node (Cruz 2016, §3.2.2, Algorithm 2, and §6.2).
 */
public interface Balancer {
  /**
   * The node of each partition. No node gets more than {@link Assignment#cap} of them.
   *
   * @param partitions their indexes
   * @param profile of all the nodes
   * @param nodes how many nodes there are, ≥ 1
   * @return by place in {@code partitions}, in [0, nodes)
   */
  int[] assign(int[] partitions, Profile profile, int nodes);

  /**
   * How loaded a node is, ≥ 0; in requests per second or as server usage, by what is balanced.
   *
   * @param partitions that it has, by their indexes
   * @param profile its own; null where that is unknown
   */
  double load(int[] partitions, Profile profile);
}
