package io.trimtab.controller.plan;

import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.PlannedAction;
import java.util.List;

/**
 * Orders the steps from a snapshot to a target cluster so that data stay available and service
 * suffers little (Cruz 2016, §3.3; algorithms §4).
 *
 * <p>Online: caches that grow do so first, then partitions move, then caches that shrink do, when
 * they serve nobody's reads any more. By restart: node by node, its partitions leave for their
 * target node where that is ready and else for the least loaded one, it restarts, and takes its
 * set.
 */
public final class PlanBuilder {
  private final List<NodeId> leaving;
  private final int[] first;
  private final PlacementModel placement;
  private final PlanDraft plan;
  private final NodeSteps nodes;

  public PlanBuilder(TargetState target, List<NodeId> leaving) {
    this(target, leaving, new int[0]);
  }

  /**
   * @param first partitions by the target's indexes that move before all others, in this order
   */
  public PlanBuilder(TargetState target, List<NodeId> leaving, int[] first) {
    this.leaving = leaving;
    this.first = first.clone();
    placement = PlacementModel.of(target.in().snapshot());
    plan = new PlanDraft(target);
    nodes = new NodeSteps(plan, placement);
  }

  public List<PlannedAction> build() {
    return placement.steps(this);
  }

  private String whyMore() {
    return leaving.isEmpty() ? "nodes are overloaded" : "it takes the place of " + leaving.get(0);
  }

  /** Partitions go from node to node. */
  public List<PlannedAction> byMoves() {
    nodes.addNodes(whyMore());
    leaving.forEach(nodes::drain);
    List<NodeId> changing =
        plan.target.profiles().keySet().stream().filter(n -> nodes.change(n) != null).toList();
    List<NodeId> restarting = changing.stream().filter(n -> !nodes.online(n)).toList();
    changing.stream().filter(nodes::online).filter(nodes::grows).forEach(nodes::reconfigure);
    if (!restarting.isEmpty()) {
      new RestartSteps(plan, nodes).restartAll(restarting);
    }
    new MoveSteps(plan).moves(first);
    changing.stream()
        .filter(nodes::online)
        .filter(n -> !nodes.grows(n))
        .forEach(nodes::reconfigure);
    // Its partitions reopen: late, when they are where they belong and the nodes have time.
    CompactionSteps compactions = new CompactionSteps(plan);
    compactions.compactions(compactions.blockSizes());
    leaving.forEach(n -> nodes.remove(n, "HDFS or the ring copies what the node held"));
    return plan.actions();
  }

  /**
   * Nodes come and go, and take or give up their shares of the data by themselves. The others clean
   * up last: ranges that they lose to one that joins come back when another leaves, and what was
   * cleaned up before would be streamed again.
   */
  public List<PlannedAction> byTokens() {
    nodes.addNodes(whyMore());
    boolean joined = !plan.isEmpty();
    leaving.forEach(n -> nodes.remove(n, "it streams what it holds to the others"));
    if (joined) {
      nodes.cleanups();
    }
    return plan.actions();
  }
}
