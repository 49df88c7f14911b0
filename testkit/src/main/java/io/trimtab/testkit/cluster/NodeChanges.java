package io.trimtab.testkit.cluster;

/** Nodes that join a ring, leave it, and die; with the state's monitor held. */
final class NodeChanges {
  private NodeChanges() {}

  /** Frees its tokens: the next nodes of the ring own its ranges. */
  static void leaveRing(ClusterState state, NodeModel node) {
    node.member = false;
    node.draining = false;
    node.tokens.clear();
    for (PartitionModel p : node.serves()) {
      state.forget(p);
    }
    state.shareTokens(true);
  }

  /** A node that was started serves. */
  static void join(ClusterState state, NodeModel node) {
    if (node.instead != null && node.instead.alive) {
      // As real rings do: nobody takes a live node's place, and the process ends.
      state.nodes.remove(node.id);
      return;
    }
    node.member = true;
    state.begin(node);
    if (node.instead != null) {
      leaveRing(state, node.instead);
      node.instead = null;
    }
    state.shareTokens(true);
  }
}
