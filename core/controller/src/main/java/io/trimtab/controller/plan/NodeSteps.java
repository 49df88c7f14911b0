package io.trimtab.controller.plan;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Steps of a plan that start, stop and configure nodes. */
record NodeSteps(PlanDraft plan, PlacementModel placement) {
  /**
   * Starts what is to be there and is not yet.
   *
   * @param reason for each
   */
  void addNodes(String reason) {
    List<NodeState> present = plan.in.snapshot().liveNodes();
    int ordinal = 0;
    for (NodeId id : plan.in.nodes()) {
      if (plan.in.node(id).isEmpty()) {
        ordinal++;
        plan.add(
            new Action.AddNode(
                ordinal,
                placement.joining(present, Optional.ofNullable(plan.target.profiles().get(id)))),
            reason,
            "one more node",
            "starts a node; caches of moved partitions are cold",
            "remove the node");
      }
    }
  }

  void drain(NodeId node) {
    plan.add(
        new Action.DrainNode(node),
        "the load fits on fewer nodes",
        "takes no new partitions",
        "none",
        "open " + node + " for partitions again");
  }

  /**
   * Removes a node.
   *
   * @param cost what becomes of its data
   */
  void remove(NodeId node, String cost) {
    boolean replaced = plan.in.nodes().stream().anyMatch(plan::isNew);
    plan.add(
        new Action.RemoveNode(node),
        replaced ? "another node has taken its place" : "the load fits on fewer nodes",
        replaced ? "its peers no more wait for it" : "one node fewer",
        cost,
        "add a node");
  }

  /** Of all nodes that were there before others joined. */
  void cleanups() {
    for (NodeId node : plan.in.nodes()) {
      if (!plan.isNew(node)) {
        plan.add(
            new Action.Cleanup(node),
            "a new node now owns part of its data",
            "its disk holds only what it owns",
            "rewrites its files, some CPU and disk",
            "none needed");
      }
    }
  }

  /** The profile change that a node needs; null for none. */
  Profile change(NodeId node) {
    NodeState state = plan.in.node(node).orElse(null);
    Profile profile = plan.target.profiles().get(node);
    if (state == null || state.profile().isEmpty() || state.profile().get().sameMemory(profile)) {
      return null;
    }
    return profile;
  }

  boolean online(NodeId node) {
    return plan.in.settings().way() == Action.ApplyMode.ONLINE
        && plan.in.node(node).map(NodeState::onlineProfile).orElse(false);
  }

  boolean grows(NodeId node) {
    Profile now = plan.in.node(node).flatMap(NodeState::profile).orElseThrow();
    return plan.target.profiles().get(node).cacheFraction() >= now.cacheFraction();
  }

  /** What a profile does not change: of a node whose data blocks are cached beside its heap. */
  private String stays(NodeId node) {
    return plan.in
        .node(node)
        .map(NodeState::gauges)
        .filter(NodeGauges::cacheBesideHeap)
        .map(
            gauges ->
                String.format(
                    Locale.ROOT,
                    "; data blocks are cached beside it, in %d MiB as before: no profile changes"
                        + " that, only other settings of the engine and a restart",
                    gauges.cacheMaxBytes() >> 20))
        .orElse("");
  }

  void reconfigure(NodeId node) {
    Profile from = plan.in.node(node).flatMap(NodeState::profile).orElseThrow();
    Profile to = plan.target.profiles().get(node);
    Action.ApplyMode way = online(node) ? Action.ApplyMode.ONLINE : Action.ApplyMode.RESTART;
    plan.add(
        new Action.Reconfigure(node, from, to, way),
        "will serve " + to.name() + " partitions",
        String.format(
            Locale.ROOT,
            "block cache %.0f → %.0f %%, memstore %.0f → %.0f %% of the heap%s",
            100 * from.cacheFraction(),
            100 * to.cacheFraction(),
            100 * from.memstoreFraction(),
            100 * to.memstoreFraction(),
            stays(node)),
        way == Action.ApplyMode.ONLINE ? "none: applied online" : "one restart of the empty node",
        "reconfigure to " + from.name());
  }
}
