package io.trimtab.controller.plan;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Restarts node by node, each while it is empty. */
final class RestartSteps {
  /** Partitions without requests count a little, so that they are spread too. */
  private static final double IDLE_LOAD = 1e-6;

  private final PlanDraft plan;
  private final NodeSteps steps;

  /** What each node holds. */
  private final List<NavigableSet<Integer>> held = new ArrayList<>();

  private final double[] load;
  private final NavigableSet<Integer> emptiestFirst;

  RestartSteps(PlanDraft plan, NodeSteps steps) {
    this.plan = plan;
    this.steps = steps;
    load = new double[plan.nodes.length];
    for (PartitionState p : plan.in.snapshot().partitions()) {
      // In the snapshot's order, which decides how a sum is rounded.
      p.node().ifPresent(n -> load[plan.index.get(n)] += plan.in.load(p.id()) + IDLE_LOAD);
    }
    emptiestFirst =
        new TreeSet<>(
            Comparator.comparingDouble((Integer n) -> load[n])
                .thenComparing(Comparator.naturalOrder()));
    for (NodeId node : plan.in.nodes()) {
      if (!plan.isNew(node)) {
        emptiestFirst.add(plan.index.get(node));
      }
    }
    for (int n = 0; n < plan.nodes.length; n++) {
      held.add(new TreeSet<>());
    }
    for (int p = 0; p < plan.parts.length; p++) {
      if (plan.at[p] >= 0) {
        held.get(plan.at[p]).add(p);
      }
    }
  }

  void restartAll(List<NodeId> restarting) {
    boolean[] notReady = new boolean[plan.nodes.length];
    for (int n = 0; n < plan.nodes.length; n++) {
      notReady[n] = plan.isNew(plan.nodes[n]);
    }
    restarting.forEach(n -> notReady[plan.index.get(n)] = true);
    for (NodeId node : restarting) {
      int n = plan.index.get(node);
      String why = "node " + node + " is about to restart";
      for (int p : List.copyOf(held.get(n))) {
        int to = plan.target[p];
        if (to < 0 || notReady[to]) {
          to = leastLoaded(n);
        }
        if (to >= 0) {
          move(p, to, why);
        }
      }
      steps.reconfigure(node);
      notReady[n] = false;
      for (int p : plan.due[n]) {
        if (plan.at[p] >= 0) {
          move(p, n, null);
        }
      }
    }
  }

  /** -1 where there is no other node. */
  private int leastLoaded(int but) {
    for (int n : emptiestFirst) {
      if (n != but) {
        return n;
      }
    }
    return -1;
  }

  private void move(int p, int to, String why) {
    int from = plan.at[p];
    if (plan.move(p, to, why)) {
      held.get(from).remove(p);
      held.get(to).add(p);
      fill(from, -(plan.loadOf[p] + IDLE_LOAD));
      fill(to, plan.loadOf[p] + IDLE_LOAD);
    }
  }

  private void fill(int node, double more) {
    boolean listed = emptiestFirst.remove(node);
    load[node] += more;
    if (listed) {
      emptiestFirst.add(node);
    }
  }
}
