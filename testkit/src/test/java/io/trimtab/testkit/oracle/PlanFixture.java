package io.trimtab.testkit.oracle;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three nodes with two tables, and plans for them. */
abstract class PlanFixture {
  static final NodeId A = new NodeId("node001:16020");
  static final NodeId B = new NodeId("node002:16020");
  static final NodeId C = new NodeId("node003:16020");
  static final NodeId NEW = new NodeId("new-1");
  static final Duration LIMIT = Duration.ofMinutes(5);

  InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(
              1,
              3,
              TableSpec.of("t", 6, 6_000_000, Access.reads(60)),
              TableSpec.of("u", 1, 1_000_000, Access.writes(5))));

  ClusterSnapshot now() {
    try {
      return cluster.engine().snapshot();
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  PartitionState part(int index) {
    return now().partitions().get(index);
  }

  Action.Move move(int index, NodeId to) {
    return new Action.Move(part(index).id(), part(index).node().orElseThrow(), to);
  }

  Plan plan(Action... actions) {
    List<PlannedAction> planned = new ArrayList<>();
    for (Action action : actions) {
      planned.add(new PlannedAction(planned.size() + 1, action, "why", "what", "cost", "undo"));
    }
    return plan(planned);
  }

  Plan plan(List<PlannedAction> planned) {
    ClusterSnapshot now = now();
    return new Plan("p", now.clusterId(), now.takenAt(), "test", "a test", 0.1, planned);
  }

  Action.Split split(int index, String key) {
    PartitionState p = part(index);
    return new Action.Split(p.id(), new RowKey(key), 0.5, p.node().orElseThrow(), B);
  }
}
