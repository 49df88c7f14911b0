package io.trimtab.testkit.cluster;

import java.util.List;

/** Nodes that join a ring, leave it, and die; with the state's monitor held. */
final class NodeChanges {
  private NodeChanges() {}

  /** Frees its tokens: the next nodes of the ring own its ranges, or others claim its parts. */
  static void leaveRing(ClusterState state, NodeModel node) {
    if (state.spec.claims()) {
      Claim.handOff(state.members(), node, state.spec.replication());
    }
    node.member = false;
    node.draining = false;
    node.tokens.clear();
    for (PartitionModel p : node.serves()) {
      state.forget(p);
    }
    shared(state);
  }

  /** A node that was started serves. */
  static void join(ClusterState state, NodeModel node) {
    if (node.instead != null && node.instead.alive) {
      // As real rings do: nobody takes a live node's place, and the process ends.
      state.nodes.remove(node.id);
      return;
    }
    if (state.spec.claims()) {
      claim(state, node);
    }
    node.member = true;
    state.begin(node);
    if (node.instead != null) {
      leaveRing(state, node.instead);
      node.instead = null;
    }
    shared(state);
  }

  /** Of the ring as it is now: others may have joined since the node was started. */
  private static void claim(ClusterState state, NodeModel node) {
    node.tokens.clear();
    List<NodeModel> members = state.members();
    node.tokens.addAll(
        node.instead == null
            ? Claim.share(members, node, state.spec.replication())
            : List.copyOf(node.instead.tokens));
    members.forEach(member -> member.tokens.removeAll(node.tokens));
  }

  /** A part that was handed off is deleted where it was; ranges stay until a cleanup. */
  private static void shared(ClusterState state) {
    state.shareTokens(!state.spec.claims());
  }
}
