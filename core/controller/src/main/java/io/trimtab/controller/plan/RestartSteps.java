package io.trimtab.controller.plan;

import io.trimtab.engineapi.NodeId;
import java.util.Arrays;
import java.util.List;

/** Restarts node by node, each while it is empty. */
final class RestartSteps {
  private final PlanDraft plan;
  private final NodeSteps steps;

  RestartSteps(PlanDraft plan, NodeSteps steps) {
    this.plan = plan;
    this.steps = steps;
  }

  void restartAll(List<NodeId> restarting) {
    int[] target = new int[plan.at.length];
    Arrays.setAll(target, plan.target::node);
    int[] nodes = plan.in.nodes().stream().mapToInt(plan.in::indexOf).toArray();
    RestartOrder order =
        new RestartOrder(
            plan.partitions, plan.at, target, plan.in.nodeCount(), nodes, new Planned());
    order.restart(restarting.stream().mapToInt(plan.in::indexOf).toArray(), n -> plan.due[n]);
  }

  /** Each step becomes an action. */
  private final class Planned implements RestartOrder.Steps {
    @Override
    public void move(int partition, int to, int restarts) {
      String why = restarts < 0 ? null : "node " + plan.in.name(restarts) + " is about to restart";
      plan.move(partition, to, why);
    }

    @Override
    public void restart(int node) {
      steps.reconfigure(plan.in.name(node));
    }
  }
}
