package io.trimtab.controller.plan;

import io.trimtab.controller.place.IndexHeap;
import io.trimtab.engineapi.NodeId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Restarts node by node, each while it is empty. */
final class RestartSteps {
  /** Partitions without requests count a little, so that they are spread too. */
  private static final double IDLE_LOAD = 1e-6;

  private final PlanDraft plan;
  private final NodeSteps steps;

  /** By node, the partitions that it holds. */
  private final BitSet[] held;

  private final double[] load;
  private final IndexHeap emptiestFirst;

  RestartSteps(PlanDraft plan, NodeSteps steps) {
    this.plan = plan;
    this.steps = steps;
    int nodes = plan.in.nodeCount();
    load = new double[nodes];
    held = new BitSet[nodes];
    Arrays.setAll(held, n -> new BitSet());
    // In the snapshot's order, which decides how a sum is rounded.
    for (int p : plan.partitions.asListed()) {
      if (plan.at[p] >= 0) {
        load[plan.at[p]] += plan.partitions.load(p) + IDLE_LOAD;
        held[plan.at[p]].set(p);
      }
    }
    emptiestFirst =
        new IndexHeap(nodes, (a, b) -> load[a] < load[b] || (load[a] == load[b] && a < b));
    // Those that the plan adds, too: they have joined by then, and may be all that there are.
    for (NodeId node : plan.in.nodes()) {
      emptiestFirst.add(plan.in.indexOf(node));
    }
  }

  void restartAll(List<NodeId> restarting) {
    boolean[] notReady = new boolean[load.length];
    restarting.forEach(n -> notReady[plan.in.indexOf(n)] = true);
    for (NodeId node : restarting) {
      int n = plan.in.indexOf(node);
      empty(n, notReady, "node " + node + " is about to restart");
      steps.reconfigure(node);
      notReady[n] = false;
      for (int p : plan.due[n]) {
        if (plan.at[p] >= 0) {
          move(p, n, null);
        }
      }
    }
  }

  /** Its partitions leave for where they are target, or for the least loaded of other nodes. */
  private void empty(int n, boolean[] notReady, String why) {
    emptiestFirst.remove(n);
    for (int p = held[n].nextSetBit(0); p >= 0; p = held[n].nextSetBit(p + 1)) {
      int to = plan.target.node(p);
      if (to < 0 || notReady[to]) {
        to = emptiestFirst.isEmpty() ? -1 : emptiestFirst.first();
      }
      if (to >= 0) {
        move(p, to, why);
      }
    }
    emptiestFirst.add(n);
  }

  private void move(int p, int to, String why) {
    int from = plan.at[p];
    if (plan.move(p, to, why)) {
      held[from].clear(p);
      held[to].set(p);
      fill(from, -(plan.partitions.load(p) + IDLE_LOAD));
      fill(to, plan.partitions.load(p) + IDLE_LOAD);
    }
  }

  private void fill(int node, double more) {
    load[node] += more;
    emptiestFirst.changed(node);
  }
}
