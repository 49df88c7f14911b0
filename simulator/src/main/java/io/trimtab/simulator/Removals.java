package io.trimtab.simulator;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.control.ControlDocuments;
import java.util.List;
import java.util.Optional;

/** Which nodes may leave, be released or be restarted. */
final class Removals {
  private final Episode episode;
  private final Oracle oracle;

  Removals(Episode episode, Oracle oracle) {
    this.episode = episode;
    this.oracle = oracle;
  }

  /** A node is about to leave; judged by what its controller has just seen. */
  void vacates(SimulatedController by, NodeId node) {
    ClusterSnapshot now = by.seen().orElseGet(episode::truth);
    Optional<NodeState> leaving = now.node(node).filter(NodeState::alive);
    int left = now.liveNodes().size() - (leaving.isPresent() ? 1 : 0);
    if (left < now.replication()) {
      oracle.violated(by + " vacates " + node + " and leaves " + left + " nodes");
    }
    if (leaving.isPresent()) {
      lastOfRack(by, now, leaving.get());
    }
  }

  private void lastOfRack(SimulatedController by, ClusterSnapshot now, NodeState node) {
    List<NodeState> live = now.liveNodes();
    boolean others = live.stream().anyMatch(n -> !n.rack().equals(node.rack()));
    long there = live.stream().filter(n -> n.rack().equals(node.rack())).count();
    if (others && there == 1) {
      oracle.violated(by + " vacates " + node.id() + ", the last node of " + node.rack());
    }
  }

  /** Those that stay have room for what a node stores that is about to be removed by a plan. */
  void fits(SimulatedController by, NodeId leaving, ClusterSnapshot seen) {
    double left =
        seen.node(leaving).map(n -> n.gauges().disk()).filter(DiskSpace::known).stream()
            .mapToDouble(DiskSpace::storedBytes)
            .sum();
    List<DiskSpace> disks =
        seen.liveNodes().stream()
            .filter(n -> !n.id().equals(leaving))
            .filter(n -> seen.ownership() != Ownership.TOKENS || !n.draining())
            .map(n -> n.gauges().disk())
            .toList();
    if (left == 0 || disks.isEmpty() || !disks.stream().allMatch(DiskSpace::known)) {
      return;
    }
    double most = episode.settings().guard().maxDiskUsed();
    List<Double> room = disks.stream().map(d -> most * d.capacityBytes() - d.usedBytes()).toList();
    // A ring gives each a part, a file system those that have room.
    boolean full =
        seen.ownership() == Ownership.TOKENS
            ? room.stream().anyMatch(bytes -> bytes < left / disks.size())
            : room.stream().mapToDouble(bytes -> Math.max(0, bytes)).sum() < left;
    if (full) {
      oracle.violated(by + " removes " + leaving + ", and the others' disks get too full");
    }
  }

  /** A node's process is about to be ended for good. */
  void removes(SimulatedController by, NodeId node) {
    ClusterSnapshot now = episode.truth();
    if (now.node(node).isEmpty()) {
      return;
    }
    long serves =
        now.partitions().stream().filter(p -> p.node().filter(node::equals).isPresent()).count();
    if (serves > 0) {
      oracle.violated(by + " releases " + node + ", which serves " + serves + " partitions");
    }
    if (episode.cluster().tokens().containsValue(node)) {
      oracle.violated(by + " releases " + node + ", which owns a part of the ring");
    }
  }

  /** Only for a profile that needs it, and for a node that was to leave and stays. */
  void restarts(SimulatedController by, NodeId node) {
    Optional<Plan> plan = by.plan().or(this::open);
    boolean meant =
        by.phase() == SimulatedController.Phase.TIDYING
            ? plan.stream()
                .flatMap(p -> p.actions(Action.RemoveNode.class).stream())
                .anyMatch(remove -> remove.node().equals(node))
            : plan.stream()
                .flatMap(p -> p.actions(Action.Reconfigure.class).stream())
                .anyMatch(
                    change ->
                        change.node().equals(node) && change.way() == Action.ApplyMode.RESTART);
    if (!meant) {
      oracle.violated(by + " restarts " + node + ", which no plan asks for");
    }
  }

  /** What an earlier controller has left. */
  Optional<Plan> open() {
    try {
      return ControlDocuments.read(episode.cluster().control()).open().map(left -> left.plan());
    } catch (EngineException e) {
      return Optional.empty();
    }
  }
}
